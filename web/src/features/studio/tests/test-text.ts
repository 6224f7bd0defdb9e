import type { TestedVariantFragment } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { count, percent, signed } from '../../../lib/numbers.ts';

/** How a variant compares with the original, in words; null for the original, and before anybody clicked both. */
export function liftText({
  lift,
  liftLow,
  liftHigh,
}: Pick<TestedVariantFragment, 'lift' | 'liftLow' | 'liftHigh'>): string | null {
  if (lift === null || liftLow === null) return null;
  const range =
    liftHigh === null
      ? t`at least ${signed(liftLow, percent)}`
      : t`between ${signed(liftLow, percent)} and ${signed(liftHigh, percent)}`;
  return t`${signed(lift, percent)} clicks compared with A (${range})`;
}

/** The counts of a variant: `1,204 impressions · 96 clicks by 88 viewers`. */
export function countsText({
  impressions,
  clicks,
  viewersClicked,
}: Pick<TestedVariantFragment, 'impressions' | 'clicks' | 'viewersClicked'>): string {
  const of = (value: number, name: string): string => `${count(value)} ${name}${value === 1 ? '' : 's'}`;
  const shown = of(impressions, 'impression');
  return clicks === 0
    ? t`${shown} · no clicks`
    : t`${shown} · ${of(clicks, 'click')} by ${of(viewersClicked, 'viewer')}`;
}
