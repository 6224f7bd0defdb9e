/** Points of a retention curve at most. */
export const MAX_POINTS = 1_000;

/** Result of retentionSql: the change of viewers at each second. */
export interface RetentionRow {
  readonly plays: number;
  readonly changes: readonly (readonly [second: number, change: number])[];
}

export interface RetentionPoint {
  readonly second: number;
  readonly watching: number;
  readonly share: number | null;
}

/**
 * How many playbacks watched each second, from the first to the last watched one: a point per second, or for contents
 * of more than 1,000 seconds a point per equal interval with its mean.
 */
export function retentionCurve({ plays, changes }: RetentionRow): {
  plays: number;
  secondsPerPoint: number;
  points: RetentionPoint[];
} {
  const seconds = watchingBySecond(changes);
  const secondsPerPoint = Math.max(1, Math.ceil(seconds.length / MAX_POINTS));
  const points: RetentionPoint[] = [];
  for (let second = 0; second < seconds.length; second += secondsPerPoint) {
    const stretch = seconds.slice(second, second + secondsPerPoint);
    const watching = stretch.reduce((sum, count) => sum + count, 0) / stretch.length;
    points.push({ second, watching, share: plays === 0 ? null : watching / plays });
  }
  return { plays, secondsPerPoint, points };
}

function watchingBySecond(changes: RetentionRow['changes']): number[] {
  const seconds: number[] = [];
  let watching = 0;
  for (const [second, change] of changes) {
    while (seconds.length < second) seconds.push(watching);
    watching += change;
  }
  return seconds;
}
