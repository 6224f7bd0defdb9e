import { getRouteApi } from '@tanstack/react-router';
import { AttentionPanel } from '../../features/studio/dashboard/attention-panel.tsx';
import { ChannelKpis } from '../../features/studio/dashboard/channel-kpis.tsx';
import { FirstStepsPanel } from '../../features/studio/dashboard/first-steps-panel.tsx';
import { LatestVideoPanel } from '../../features/studio/dashboard/latest-video-panel.tsx';
import { RecentCommentsPanel } from '../../features/studio/dashboard/recent-comments-panel.tsx';
import { ScheduledPanel } from '../../features/studio/dashboard/scheduled-panel.tsx';
import { hasRole } from '../../features/studio/studio-context.ts';
import { UploadArea } from '../../features/uploads/upload-area.tsx';
import { uploadFiles } from '../../features/uploads/upload-commands.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';

const route = getRouteApi('/studio/');

/** The first page of the studio: how the channel does, and what to do next. */
export function StudioDashboardPage() {
  const dashboard = route.useLoaderData();
  const { studio } = route.useRouteContext();
  const { channel, role, username } = studio;
  const mayEdit = hasRole(role, 'EDITOR');
  const { contentCount, contents, playlists, latestVideo, scheduledContents } = dashboard;
  const start = {
    contentCount,
    publishedCount: contents.reduce((sum, { status, count }) => sum + (status === 'PUBLISHED' ? count : 0), 0),
    playlistCount: playlists.length,
    hasAvatar: channel.assets.images.edges.some(({ node }) => node.purpose === 'AVATAR'),
    hasSummary: dashboard.channel.metadata.summary !== '',
  };
  const inbox = { id: channel.id, title: channel.metadata.title, username };
  return (
    <div className="space-y-5">
      <title>{`${t`Studio`} · ${siteName()}`}</title>
      <h1 className="text-3xl font-bold">{t`Studio`}</h1>
      {mayEdit && <UploadArea onFiles={(files) => void uploadFiles(files, { channel: channel.id, username })} />}
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <div className="min-w-0 space-y-5">
          {mayEdit && <FirstStepsPanel start={start} />}
          {latestVideo && <LatestVideoPanel video={latestVideo} />}
          {mayEdit && <AttentionPanel channel={channel.id} />}
        </div>
        <div className="min-w-0 space-y-5">
          <ChannelKpis channel={channel.id} />
          <ScheduledPanel contents={scheduledContents.edges.map(({ node }) => node)} />
          {mayEdit && contentCount > 0 && <RecentCommentsPanel channel={inbox} held={dashboard.heldCommentsCount} />}
        </div>
      </div>
    </div>
  );
}
