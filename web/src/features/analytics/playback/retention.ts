import { clockTime, spokenTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import type { ChartPoint } from '../chart/chart-point.ts';

interface Retention {
  readonly secondsPerPoint: number;
  readonly points: readonly { readonly second: number; readonly share: number | null }[];
}

/** The retention curve over the whole length of a video, zero where there is no data. `duration` in seconds. */
export function retentionPoints({ secondsPerPoint, points }: Retention, duration: number | null): ChartPoint[] {
  const shares = points.map(({ share }) => share ?? 0);
  const length = duration === null ? shares.length : Math.ceil(duration / secondsPerPoint);
  while (shares.length < length) shares.push(0);
  return shares.map((value, index) => {
    const second = index * secondsPerPoint;
    return { key: String(second), name: second === 0 ? t`Start` : spokenTime(second), tick: clockTime(second), value };
  });
}

/** The share of plays that watched a point of the length (0.5 is the middle); null without plays. */
export function stillWatching(points: readonly ChartPoint[], part: number): number | null {
  return points[Math.min(points.length - 1, Math.floor(points.length * part))]?.value ?? null;
}
