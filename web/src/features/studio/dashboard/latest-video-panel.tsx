import { Link } from '@tanstack/react-router';
import type { StudioDashboardResult } from '../../../gql/generated/operations.gen.ts';
import { contentTail } from '../../../lib/did.ts';
import { t } from '../../../lib/i18n.ts';
import { count } from '../../../lib/numbers.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { pickImage, ResponsiveImage } from '../../../ui/image.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { ageText, comparisonText } from './performance-text.ts';

type LatestVideo = NonNullable<NonNullable<StudioDashboardResult['channelDashboard']>['latestVideo']>;

/** How the video that was published last does, beside the ones before it. */
export function LatestVideoPanel({ video: { content, performance } }: { video: LatestVideo }) {
  const { id, metadata, assets, commentCount, likes } = content;
  const comparison = comparisonText(performance);
  const path = { _splat: contentTail(id) };
  return (
    <Panel title={t`Latest video`}>
      <div className="flex gap-4">
        <ResponsiveImage
          image={pickImage(assets.images, 'THUMBNAIL', 'POSTER')}
          sizes="10rem"
          className="aspect-video w-28 shrink-0 self-start rounded-lg sm:w-40"
        />
        <div className="min-w-0 space-y-1">
          <p className="line-clamp-2 font-semibold [overflow-wrap:anywhere]">
            <bdi>{metadata.title}</bdi>
          </p>
          <p className="text-sm text-muted">{ageText(performance.hours)}</p>
        </div>
      </div>
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        {(
          [
            ['views', t`Views`, performance.views],
            ['likes', t`Likes`, likes.count],
            ['comments', t`Comments`, commentCount],
          ] as const
        ).map(([name, label, value]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{label}</dt>
            <dd className="text-2xl font-bold tabular-nums">{count(value)}</dd>
          </div>
        ))}
      </dl>
      {comparison && <p className="text-muted">{comparison}</p>}
      <p className="flex flex-wrap gap-2">
        <Link to="/studio/analytics/video/$" params={path} className={buttonClass()}>{t`Analytics`}</Link>
        <Link to="/studio/content/$" params={path} className={buttonClass('quiet')}>{t`Edit`}</Link>
      </p>
    </Panel>
  );
}
