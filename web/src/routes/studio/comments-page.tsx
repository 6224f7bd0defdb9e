import { getRouteApi } from '@tanstack/react-router';
import { CommentInbox } from '../../features/studio/inbox/comment-inbox.tsx';
import { BlockedUsers } from '../../features/studio/moderation/blocked-users.tsx';
import { ModerationSettingsPanel } from '../../features/studio/moderation/moderation-settings.tsx';
import { ReportList } from '../../features/studio/moderation/report-list.tsx';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';

const route = getRouteApi('/studio/comments');

/** The comments of the channel, then reports, what holds comments, and blocked users. */
export function StudioCommentsPage() {
  const channel = route.useLoaderData();
  const { filter = 'ALL' } = route.useSearch();
  const { studio } = route.useRouteContext();
  const inbox = { id: channel.id, title: studio.channel.metadata.title, username: studio.username };
  return (
    <div className="space-y-6">
      <title>{`${t`Comments`} · ${t`Studio`} · ${siteName()}`}</title>
      <h1 className="text-3xl font-bold">{t`Comments`}</h1>
      <CommentInbox channel={inbox} filter={filter} />
      {channel.reports && <ReportList channelId={channel.id} first={channel.reports} />}
      {channel.moderation && <ModerationSettingsPanel channelId={channel.id} moderation={channel.moderation} />}
      {channel.blockedUsers && <BlockedUsers channelId={channel.id} blocked={channel.blockedUsers} />}
    </div>
  );
}
