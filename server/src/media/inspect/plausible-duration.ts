/**
 * Whether the encoded duration is about that of the source. Headers are imprecise, so the tolerance is 5 % and at least
 * 1.5 s; a truncated file fails. Pure.
 */
export function isDurationPlausible(encodedSeconds: number, expectedMs: number): boolean {
  return Math.abs(encodedSeconds - expectedMs / 1000) <= Math.max(1.5, 0.05 * (expectedMs / 1000));
}
