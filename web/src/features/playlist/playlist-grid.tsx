import { useQuery } from '@tanstack/react-query';
import {
  ChannelPlaylists,
  type ChannelPlaylistsResult,
  type PlaylistCardFragment,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { Spinner } from '../../ui/button.tsx';
import { More } from '../../ui/more.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';
import { PlaylistCard } from './playlist-card.tsx';

type Page = NonNullable<ChannelPlaylistsResult['channel']>['playlists'];

/** The playlists of a channel: all for members, public ones for others. */
export function PlaylistGrid({ channelId }: { channelId: string }) {
  const { data, error } = useQuery(operationQuery(ChannelPlaylists, { id: channelId }));
  const first = data?.channel?.playlists;
  if (error !== null) return <ErrorNotice error={error} />;
  if (!first) {
    return (
      <p role="status" className="flex min-h-40 items-center gap-3 text-muted">
        <Spinner />
        {t`Loading playlists…`}
      </p>
    );
  }
  if (first.totalCount === 0) return <Empty title={t`No playlists yet`}>{t`Public playlists appear here.`}</Empty>;
  return <Grid first={first} channelId={channelId} />;
}

function Grid({ first, channelId }: { first: Page; channelId: string }) {
  const pages = usePages<PlaylistCardFragment>({
    queryKey: ['ChannelPlaylists', { id: channelId }],
    first,
    loadMore: async (after) => (await api(ChannelPlaylists, { id: channelId, after })).channel?.playlists,
  });
  return (
    <>
      <div ref={pages.list} className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-x-5 gap-y-8">
        {pages.nodes.map((playlist) => (
          <PlaylistCard key={playlist.id} playlist={playlist} />
        ))}
      </div>
      <More pages={pages}>{t`Show more playlists`}</More>
    </>
  );
}
