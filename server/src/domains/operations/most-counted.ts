/** Lists of operators count at most so many rows. */
export const MOST_COUNTED = 100_000;
