/** The quantile of sorted values, interpolated; 0 without any. `share` is from 0 to 1. */
export function quantileOf(sorted: ArrayLike<number>, share: number): number {
  if (sorted.length === 0) return 0;
  const at = Math.min(Math.max(share, 0), 1) * (sorted.length - 1);
  const below = Math.floor(at);
  const low = sorted[below]!; // within bounds
  return low + (at - below) * ((sorted[below + 1] ?? low) - low);
}

/** Mean loss of a quantile: `share` per unit that outcomes lie above, 1 - share per unit that they lie below. */
export function pinballLoss(error: number, share: number): number {
  return error >= 0 ? share * error : (share - 1) * error;
}
