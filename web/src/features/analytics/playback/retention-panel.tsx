import { useMemo, useState } from 'react';
import type { AnalyticsVideoResult } from '../../../gql/generated/operations.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { count, percent } from '../../../lib/numbers.ts';
import { StillPicture } from '../../../player/still-picture.tsx';
import { storyboardOf, useStill } from '../../../player/storyboard.ts';
import { Panel } from '../../../ui/panel.tsx';
import { Chart } from '../chart/chart.tsx';
import { retentionPoints, stillWatching } from './retention.ts';

type Video = NonNullable<NonNullable<NonNullable<AnalyticsVideoResult['channel']>['analytics']>['video']>;

/** Audience retention over the length of a video, for all time, with the frame of the active moment. */
export function RetentionPanel({ video }: { video: Video }) {
  const { plays } = video.retention;
  const points = retentionPoints(video.retention, video.content.metadata.duration);
  const [at, setAt] = useState<number | null>(null);
  const duration = video.content.metadata.duration ?? 0;
  const second = (at ?? 0) * video.retention.secondsPerPoint;
  const board = useMemo(
    () => storyboardOf(video.content.outputAssets?.images.videoThumbnails),
    [video.content.outputAssets],
  );
  const still = useStill(board, second, duration, at !== null);
  const half = stillWatching(points, 0.5);
  if (plays === 0 || points.length === 0) return null;
  const meaning = t`Percentage of ${plural(plays, { one: '# play', other: '# plays' }, count(plays))} that watched each
    moment, over all time.`;
  return (
    <Panel
      title={t`Retention`}
      hint={half === null ? meaning : `${meaning} ${t`${percent(half)} watched the middle of the video.`}`}
    >
      <Chart
        label={t`Retention`}
        points={points}
        kind="area"
        whole={false}
        formatTick={percent}
        describe={({ value: share }) => t`${percent(share)} watching`}
        columns={[t`Position`, t`Watching`]}
        onPoint={setAt}
        picture={still && <StillPicture still={still} className="mb-2 aspect-video w-full rounded bg-black" />}
      />
    </Panel>
  );
}
