import { getRouteApi, Link } from '@tanstack/react-router';
import { PlaylistCard } from '../../features/playlist/playlist-card.tsx';
import { OwnPlaylists, type PlaylistCardFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { More } from '../../ui/more.tsx';
import { EmptyLibrary } from './library-pages.tsx';

const route = getRouteApi('/playlists');

/** The playlists of the viewer's channel. */
export function OwnPlaylistsPage() {
  const first = route.useLoaderData();
  const pages = usePages<PlaylistCardFragment>({
    queryKey: ['OwnPlaylists'],
    first,
    loadMore: async (after) => (await api(OwnPlaylists, { after })).channel?.playlists,
  });
  return (
    <>
      <title>{`${t`Playlists`} · ${siteName()}`}</title>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-3xl font-bold">{t`Playlists`}</h1>
        <div className="flex flex-wrap gap-2">
          <Link to="/watch-later" className={buttonClass('plain')}>
            <Icon name="clock" className="size-5" />
            {t`Watch later`}
          </Link>
          <Link to="/studio/playlists" className={buttonClass('plain')}>
            <Icon name="edit" className="size-5" />
            {t`Edit in Studio`}
          </Link>
        </div>
      </div>
      {pages.nodes.length === 0 ? (
        <EmptyLibrary
          title={t`No playlists yet`}
        >{t`Choose Save below a video to put it into a new playlist. You decide who sees it.`}</EmptyLibrary>
      ) : (
        <div
          ref={pages.list}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-x-5 gap-y-8"
        >
          {pages.nodes.map((playlist) => (
            <PlaylistCard key={playlist.id} playlist={playlist} />
          ))}
        </div>
      )}
      <More pages={pages}>{t`Show more playlists`}</More>
    </>
  );
}
