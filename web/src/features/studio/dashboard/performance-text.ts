import { t } from '../../../lib/i18n.ts';
import { count } from '../../../lib/numbers.ts';

interface Performance {
  readonly hours: number;
  readonly views: number;
  readonly usualViews: number | null;
  readonly rank: number;
  readonly comparedVideos: number;
}

const counted = (value: number, one: string, many: string): string => `${count(value)} ${value === 1 ? one : many}`;

/** How long a video has been published: `2 days 5 hours`. */
export function ageText(hours: number): string {
  const [days, rest] = [Math.floor(hours / 24), hours % 24];
  if (days === 0) return rest === 0 ? 'hour' : counted(rest, 'hour', 'hours');
  if (days >= 7 || rest === 0) return counted(days, 'day', 'days');
  return `${counted(days, 'day', 'days')} ${counted(rest, 'hour', 'hours')}`;
}

/** How the views of a video compare with the usual ones at its age; null without videos to compare with. */
export function comparisonText({ views, usualViews, rank, comparedVideos }: Performance): string | null {
  if (usualViews === null) return null;
  const place = t`${count(rank)} of ${count(comparedVideos)} by views at this age.`;
  if (usualViews === 0) return t`Usually no views. ${place}`;
  const usual = t`usually ${counted(Math.round(usualViews), 'view', 'views')}`;
  const ratio = views / usualViews;
  if (ratio > 1.1) return t`More than usual: ${usual}. ${place}`;
  return ratio < 0.9 ? t`Less than usual: ${usual}. ${place}` : t`As usual: ${usual}. ${place}`;
}
