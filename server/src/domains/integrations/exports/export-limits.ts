/** Exports of an account that have not ended. */
export const MAX_OPEN_EXPORTS = 5;
/** Bytes of the lines of an export. */
export const MAX_EXPORT_BYTES = 10 * 1024 ** 3;
/** How long an export may take, waiting included. */
export const LONGEST_EXPORT_MS = 24 * 3_600_000;
/** How long a file is kept. */
export const FILE_DAYS = 7;
/** How long an export is listed. */
export const EXPORT_DAYS = 30;
/** Bytes of the lines of a part: what is read again after a worker is lost, and held in memory by one that works. */
export const PART_BYTES = 4 * 1024 ** 2;
/** A part is stored after this long, so that progress shows. */
export const PART_MS = 5_000;
/** Then the worker takes the next export, and this one waits at the end of the queue. */
export const TURN_MS = 60_000;
export const DAY_MS = 86_400_000;
