import { plural, t } from '../../../lib/i18n.ts';
import { count } from '../../../lib/numbers.ts';

interface Performance {
  readonly hours: number;
  readonly views: number;
  readonly usualViews: number | null;
  readonly rank: number;
  readonly comparedVideos: number;
}

/** What the figures of a video are about, by how long it has been published: `First 2 days 5 hours`. */
export function ageText(age: number): string {
  const [days, hours] = [Math.floor(age / 24), age % 24];
  if (age === 0) return t`First hour`;
  if (days === 0) return plural(hours, { one: 'First # hour', other: 'First # hours' });
  if (days >= 7 || hours === 0) return plural(days, { one: 'First # day', other: 'First # days' });
  return t`First ${plural(days, { one: '# day', other: '# days' })}
    ${plural(hours, { one: '# hour', other: '# hours' })}`;
}

/** How the views of a video compare with the usual ones at its age; null without videos to compare with. */
export function comparisonText({ views, usualViews, rank, comparedVideos }: Performance): string | null {
  if (usualViews === null) return null;
  const place = t`${count(rank)} of ${count(comparedVideos)} by views at this age.`;
  return `${usualText(views, usualViews)} ${place}`;
}

function usualText(views: number, usualViews: number): string {
  if (usualViews === 0) return t`Usually no views.`;
  const usual = Math.round(usualViews);
  const ratio = views / usualViews;
  if (ratio > 1.1) {
    return plural(usual, {
      one: 'More than usual: usually # view.',
      other: 'More than usual: usually # views.',
    });
  }
  if (ratio < 0.9) {
    return plural(usual, {
      one: 'Less than usual: usually # view.',
      other: 'Less than usual: usually # views.',
    });
  }
  return plural(usual, { one: 'As usual: usually # view.', other: 'As usual: usually # views.' });
}
