/** Between two questions whether an upload can be played: as short at first as people notice. */
const [SHORTEST_MS, LONGEST_MS] = [200, 5_000];
/** Of the time since the upload began: what takes long may be noticed later. */
const SHARE = 0.1;

/** How long to wait before asking again whether an upload can be played. */
export function arrivingPollMs(sinceMs: number): number {
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, SHARE * sinceMs));
}
