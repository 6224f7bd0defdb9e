import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { PlaylistFields, readPlaylist } from '../../features/studio/playlists/playlist-form.tsx';
import { usePlaylistImage } from '../../features/studio/playlists/playlist-image.ts';
import { StudioCard, StudioCards } from '../../features/studio/studio-card.tsx';
import { hasRole } from '../../features/studio/studio-context.ts';
import {
  CreatePlaylist,
  type StudioPlaylistCardFragment,
  StudioPlaylists,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { channelPath } from '../../lib/did.ts';
import { ago } from '../../lib/format.ts';
import { useForm } from '../../lib/hooks/use-form.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { plural, t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { More } from '../../ui/more.tsx';
import { Empty, ErrorNotice } from '../../ui/notice.tsx';

const route = getRouteApi('/studio/playlists');

/** The playlists of the channel. */
export function StudioPlaylistsPage() {
  const { studio } = route.useRouteContext();
  const [creating, setCreating] = useState(false);
  const pages = usePages({
    queryKey: ['StudioPlaylists', { id: studio.channel.id }],
    first: { ...route.useLoaderData(), totalCount: 0 },
    loadMore: async (after) => {
      const page = (await api(StudioPlaylists, { id: studio.channel.id, after })).channel?.playlists;
      return page && { ...page, totalCount: 0 };
    },
    focus: 'h2 a',
  });
  const start = hasRole(studio.role, 'EDITOR') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" className="size-4" /> {t`New playlist`}
    </Button>
  );
  return (
    <div className="space-y-6">
      <title>{`${t`Playlists`} · ${t`Studio`} · ${siteName()}`}</title>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-3xl font-bold">{t`Playlists`}</h1>
        {pages.nodes.length > 0 && start}
      </div>
      {pages.nodes.length === 0 && (
        <Empty
          title={t`No playlists yet`}
          action={start}
        >{t`Create a playlist to group videos and play them in order.`}</Empty>
      )}
      <div ref={pages.list}>
        <StudioCards>
          {pages.nodes.map((playlist) => (
            <PlaylistCard key={playlist.id} playlist={playlist} />
          ))}
        </StudioCards>
        <More pages={pages}>{t`Show more`}</More>
      </div>
      <Dialog open={creating} title={t`New playlist`} onClose={() => setCreating(false)}>
        <NewPlaylistForm channelId={studio.channel.id} onClose={() => setCreating(false)} />
      </Dialog>
    </div>
  );
}

const HIDDEN = { UNLISTED: t`unlisted`, PRIVATE: t`private` } as const;

function PlaylistCard({ playlist }: { playlist: StudioPlaylistCardFragment }) {
  const { itemsCount: count, visibility } = playlist;
  const facts = [
    plural(count, { one: '# video', other: '# videos' }),
    visibility !== 'PUBLIC' && HIDDEN[visibility],
    t`updated ${ago(playlist.updatedAt, Date.now())}`,
  ].filter(Boolean);
  return (
    <StudioCard
      image={usePlaylistImage(playlist)}
      title={playlist.metadata.title}
      link={{ to: '/studio/playlists/$id', params: { id: channelPath(playlist.id) } }}
    >
      {facts.join(' · ')}
    </StudioCard>
  );
}

function NewPlaylistForm({ channelId, onClose }: { channelId: string; onClose: () => void }) {
  const navigate = useNavigate();
  const form = useForm(async (data) => {
    const { createPlaylist } = await api(CreatePlaylist, { channel: channelId, input: readPlaylist(data) });
    await navigate({ to: '/studio/playlists/$id', params: { id: channelPath(createPlaylist.id) } });
  });
  return (
    <form onSubmit={form.onSubmit} className="space-y-4">
      {form.error !== null && <ErrorNotice error={form.error} />}
      <PlaylistFields form={form} />
      <DialogButtons>
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button look="primary" type="submit" busy={form.busy}>{t`Create`}</Button>
      </DialogButtons>
    </form>
  );
}
