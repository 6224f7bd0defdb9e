import type { AnalyticsVideoResult } from '../../gql/generated/operations.gen.ts';
import { count, percent } from '../../lib/numbers.ts';
import { Panel } from '../../ui/panel.tsx';
import { Chart } from './chart.tsx';
import { retentionPoints, stillWatching } from './retention.ts';

type Video = NonNullable<NonNullable<NonNullable<AnalyticsVideoResult['channel']>['analytics']>['video']>;

/** Audience retention over the length of a video, for all time. */
export function RetentionPanel({ video }: { video: Video }) {
  const { plays } = video.retention;
  const points = retentionPoints(video.retention, video.content.metadata.duration);
  const half = stillWatching(points, 0.5);
  if (plays === 0 || points.length === 0) {
    return (
      <Panel title="Retention">
        <p className="text-muted">No data yet. Retention appears after the first views.</p>
      </Panel>
    );
  }
  return (
    <Panel
      title="Retention"
      hint={
        `Percentage of ${count(plays)} ${plays === 1 ? 'play' : 'plays'} that watched each moment, over all ` +
        `time.${half === null ? '' : ` ${percent(half)} watched the middle of the video.`}`
      }
    >
      <Chart
        label="Retention"
        points={points}
        kind="area"
        whole={false}
        formatTick={percent}
        describe={({ value }) => `${percent(value)} watching`}
        columns={['Position', 'Watching']}
      />
    </Panel>
  );
}
