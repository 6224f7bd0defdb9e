import { getRouteApi } from '@tanstack/react-router';
import { BlockedUsers } from '../../features/studio/moderation/blocked-users.tsx';
import { HeldQueue } from '../../features/studio/moderation/held-queue.tsx';
import { ModerationSettingsPanel } from '../../features/studio/moderation/moderation-settings.tsx';
import { ReportList } from '../../features/studio/moderation/report-list.tsx';

const route = getRouteApi('/studio/comments');

/** Comment moderation: held comments, reports, filters and blocked users. */
export function StudioCommentsPage() {
  const channel = route.useLoaderData();
  return (
    <div className="space-y-6">
      <title>Comments · Studio · Reelgraph</title>
      <h1 className="text-3xl font-bold">Comments</h1>
      {channel.heldComments && <HeldQueue channelId={channel.id} first={channel.heldComments} />}
      {channel.reports && <ReportList channelId={channel.id} first={channel.reports} />}
      {channel.moderation && <ModerationSettingsPanel channelId={channel.id} moderation={channel.moderation} />}
      {channel.blockedUsers && <BlockedUsers channelId={channel.id} blocked={channel.blockedUsers} />}
    </div>
  );
}
