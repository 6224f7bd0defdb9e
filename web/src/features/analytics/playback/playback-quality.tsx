import type { AnalyticsVideoResult } from '../../../gql/generated/operations.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { count, latency, percent } from '../../../lib/numbers.ts';
import { Panel } from '../../../ui/panel.tsx';

type Quality = NonNullable<NonNullable<NonNullable<AnalyticsVideoResult['channel']>['analytics']>['video']>['quality'];

/** Playback quality as reported by players; nothing without plays. */
export function PlaybackQuality({ quality }: { quality: Quality }) {
  const { starts, startupMs, rebufferRatio, rebuffers, completionRate, errors } = quality;
  if (starts === 0 && errors === 0) return null;
  const metrics = [
    [t`Startup time`, startupMs === null ? '–' : latency(startupMs), t`average`],
    [
      t`Buffering time`,
      rebufferRatio === null ? '–' : percent(rebufferRatio),
      plural(rebuffers, { one: '# stall', other: '# stalls' }, count(rebuffers)),
    ],
    [
      t`Completion rate`,
      completionRate === null ? '–' : percent(completionRate),
      plural(starts, { one: 'of # start', other: 'of # starts' }, count(starts)),
    ],
    [t`Errors`, count(errors), t`playback stopped`],
  ] as const;
  return (
    <Panel title={t`Playback quality`}>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-4">
        {metrics.map(([label, value, note]) => (
          <div key={label} className="space-y-0.5">
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-xl font-bold tabular-nums">{value}</dd>
            <dd className="text-sm text-muted">{note}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
