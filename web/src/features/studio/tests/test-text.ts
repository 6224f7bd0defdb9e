import type { TestedVariantFragment } from '../../../gql/generated/operations.gen.ts';
import { formatLocale, plural, t } from '../../../lib/i18n.ts';
import { percent, signed } from '../../../lib/numbers.ts';

/** How a variant compares with the original, in words; null for the original, and before anybody clicked both. */
export function liftText({
  lift,
  liftLow,
  liftHigh,
}: Pick<TestedVariantFragment, 'lift' | 'liftLow' | 'liftHigh'>): string | null {
  if (lift === null || liftLow === null) return null;
  if (liftHigh === null)
    return t`${signed(lift, percent)} clicks compared with A (at least ${signed(liftLow, percent)})`;
  return t`${signed(lift, percent)} clicks compared with A (between ${signed(liftLow, percent)} and
    ${signed(liftHigh, percent)})`;
}

/** The counts of a variant: `1,204 impressions · 96 clicks by 88 viewers`. */
export function countsText({
  impressions,
  clicks,
  viewersClicked,
}: Pick<TestedVariantFragment, 'impressions' | 'clicks' | 'viewersClicked'>): string {
  const shown = plural(impressions, { one: '# impression', other: '# impressions' });
  const clicked =
    clicks === 0
      ? t`no clicks`
      : t`${plural(clicks, { one: '# click', other: '# clicks' })} by
          ${plural(viewersClicked, { one: '# viewer', other: '# viewers' })}`;
  return [shown, clicked].join(' · ');
}

/** An instant as a date: `20 Nov 2026`. */
export const dateText = (instant: string): string =>
  new Intl.DateTimeFormat(formatLocale, { dateStyle: 'medium' }).format(new Date(instant));
