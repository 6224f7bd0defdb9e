import type { AnalyticsVideoResult } from '../../gql/generated/operations.gen.ts';
import { count, latency, percent } from '../../lib/numbers.ts';
import { Panel } from '../../ui/panel.tsx';

type Quality = NonNullable<NonNullable<NonNullable<AnalyticsVideoResult['channel']>['analytics']>['video']>['quality'];

/** How well a video played, as the players of its viewers told. */
export function QualityFigures({ quality }: { quality: Quality }) {
  const { starts, startupMs, rebufferRatio, rebuffers, completionRate, errors } = quality;
  if (starts === 0 && errors === 0) {
    return (
      <Panel title="Playback quality">
        <p className="text-muted">Nobody started this video in this period.</p>
      </Panel>
    );
  }
  const figures = [
    ['Time to first picture', startupMs === null ? '–' : latency(startupMs), 'on average'],
    [
      'Time spent loading',
      rebufferRatio === null ? '–' : percent(rebufferRatio),
      `${count(rebuffers)} ${rebuffers === 1 ? 'pause' : 'pauses'}`,
    ],
    ['Watched to the end', completionRate === null ? '–' : percent(completionRate), `of ${count(starts)} started`],
    ['Failures', count(errors), 'playback broke off'],
  ] as const;
  return (
    <Panel title="Playback quality">
      <dl className="grid grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-4">
        {figures.map(([label, value, note]) => (
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
