import type { LiveHealthFragment } from '../../gql/generated/operations.gen.ts';
import { formatLocale, plural, t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';

/** Segments end with a keyframe: above this, viewers wait long. */
const LONG_KEYFRAME_MS = 4_000;
/** Above this, the encoder sends more than its connection carries. */
const LONG_LAG_MS = 2_000;
/** Below this, a broadcast ends soon because of its quota. */
const FEW_MINUTES = 30;

const list = new Intl.ListFormat(formatLocale, { type: 'conjunction' });
const tenths = new Intl.NumberFormat(formatLocale, { maximumFractionDigits: 1 });

/** What an encoder sends: `2.8 Mbit/s, 30 pictures a second`. */
export function healthText({ bitrateBps, frameRate }: LiveHealthFragment): string {
  const rate = rateText(bitrateBps);
  if (frameRate === null) return rate;
  const pictures = plural(Math.round(frameRate), { one: '# picture a second', other: '# pictures a second' });
  return t`${rate}, ${pictures}`;
}

function rateText(bitrateBps: number): string {
  const kilobits = count(bitrateBps / 1_000);
  const megabits = tenths.format(bitrateBps / 1_000_000);
  return bitrateBps < 999_500 ? t`${kilobits} kbit/s` : t`${megabits} Mbit/s`;
}

/** What is wrong with an encoder, and what to do. */
export interface HealthWarning {
  readonly title: string;
  readonly text: string;
}

/** What viewers will notice. */
export function healthWarnings(health: LiveHealthFragment): readonly HealthWarning[] {
  const { keyframeMs, lagMs, leftOutSizes, minutesLeft } = health;
  const keyframes = tenths.format((keyframeMs ?? 0) / 1_000);
  const sizes = list.format(leftOutSizes);
  const behind = tenths.format(lagMs / 1_000);
  return [
    ...((keyframeMs ?? 0) > LONG_KEYFRAME_MS
      ? [
          {
            title: t`Viewers wait long`,
            text: t`Keyframes are ${keyframes} seconds apart: set the keyframe interval of the encoder to 2 seconds, so
              that viewers wait less.`,
          },
        ]
      : []),
    ...(lagMs > LONG_LAG_MS
      ? [
          {
            title: t`Your connection is too slow`,
            text: t`Your upload is ${behind} seconds behind: lower the bit rate of the encoder, or use a faster
              connection.`,
          },
        ]
      : []),
    ...(leftOutSizes.length > 0
      ? [
          {
            title: t`This server is busy`,
            text: t`Viewers with a slow connection do not get ${sizes}: this server has no CPU time for more. It tries
              again by itself.`,
          },
        ]
      : []),
    ...(minutesLeft !== null && minutesLeft <= FEW_MINUTES
      ? [
          {
            title: t`The minutes of the plan are nearly used up`,
            text: t`${plural(minutesLeft, { one: '# minute', other: '# minutes' })} of broadcasts are left this month.
              Then the broadcast ends; what was recorded stays.`,
          },
        ]
      : []),
  ];
}
