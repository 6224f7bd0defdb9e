/** Index of the first of rising numbers that is at least `least`; their count if there is none. */
export function firstFrom(rising: ArrayLike<number>, least: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
