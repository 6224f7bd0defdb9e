import { getRouteApi, Link, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { AddToPlaylist } from '../../features/studio/content/add-to-playlist.tsx';
import { PLAYLIST_FIELDS, PlaylistFields } from '../../features/studio/playlists/playlist-form.tsx';
import { usePlaylistImage } from '../../features/studio/playlists/playlist-image.ts';
import { PlaylistItems } from '../../features/studio/playlists/playlist-items.tsx';
import type { EditedPlaylist } from '../../features/studio/playlists/use-playlist-items.ts';
import { hasRole } from '../../features/studio/studio-context.ts';
import { COVER, ImageField } from '../../features/studio/video/image-field.tsx';
import { uploadImage } from '../../features/studio/video/upload-image.ts';
import {
  CreatePlaylistCoverUpload,
  DeletePlaylist,
  type PlaylistInput,
  StudioPlaylist,
  UpdatePlaylist,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useEditForm } from '../../lib/edits/use-edit-form.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { ConflictDialog } from '../../ui/conflict-dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ResponsiveImage } from '../../ui/image.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SaveBar } from '../../ui/save-bar.tsx';

const route = getRouteApi('/studio/playlists/$id');

/** The editor of a playlist: items, details, cover. */
export function StudioPlaylistPage() {
  const { playlist, contents } = route.useLoaderData();
  const mayEdit = hasRole(playlist.channel.viewerRole ?? 'VIEWER', 'EDITOR');
  return (
    <div key={playlist.id} className="space-y-6">
      <title>{`${playlist.metadata.title} · ${t`Studio`} · ${siteName()}`}</title>
      <header className="space-y-3">
        <p className="text-sm text-muted">
          <Link to="/studio/playlists" className="text-accent-text underline underline-offset-3">{t`Playlists`}</Link>
        </p>
        <h1 className="text-3xl font-bold [overflow-wrap:anywhere]">
          <bdi>{playlist.metadata.title}</bdi>
        </h1>
        {mayEdit && <DeletePlaylistButton playlist={playlist} />}
      </header>
      <PlaylistItems playlist={playlist} mayEdit={mayEdit} />
      {mayEdit && (
        <>
          <AddToPlaylist playlist={playlist} contents={contents} />
          <Details playlist={playlist} />
          <Cover playlist={playlist} />
        </>
      )}
    </div>
  );
}

function Details({ playlist }: { playlist: EditedPlaylist }) {
  const router = useRouter();
  const { id } = playlist;
  const form = useEditForm({
    fields: PLAYLIST_FIELDS,
    edited: playlist,
    send: (input: PlaylistInput) => api(UpdatePlaylist, { id, input }),
    load: async () => (await api(StudioPlaylist, { id })).playlist ?? null,
    onSaved: () => router.invalidate({ sync: true }),
  });
  return (
    <Panel title={t`Details`}>
      <form onSubmit={form.onSubmit} onChange={form.onChange} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <PlaylistFields playlist={playlist} form={form} />
        <SaveBar busy={form.busy} saved={form.saved} />
      </form>
      <ConflictDialog question={form.question} />
    </Panel>
  );
}

function Cover({ playlist }: { playlist: EditedPlaylist }) {
  const router = useRouter();
  const send = async (file: File): Promise<void> => {
    const input = { filename: file.name, size: file.size, image: { hint: 'THUMBNAIL', alt: null } } as const;
    await uploadImage((await api(CreatePlaylistCoverUpload, { id: playlist.id, input })).createPlaylistAsset, file);
    await router.invalidate({ sync: true });
  };
  return (
    <Panel title={t`Cover`} hint={t`If you do not set a cover, the thumbnail of the first video is used.`}>
      <ImageField fileLabel={t`Cover file`} send={send}>
        <ResponsiveImage image={usePlaylistImage(playlist)} {...COVER} />
      </ImageField>
    </Panel>
  );
}

function DeletePlaylistButton({ playlist }: { playlist: EditedPlaylist }) {
  const [confirming, setConfirming] = useState(false);
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await api(DeletePlaylist, { id: playlist.id });
    await navigate({ to: '/studio/playlists' });
  };
  return (
    <>
      <Button look="quiet" className="-ms-2.5" onClick={() => setConfirming(true)}>
        <Icon name="trash" className="size-4" /> {t`Delete`}
      </Button>
      <Confirm
        open={confirming}
        title={t`Delete this playlist?`}
        confirmLabel={t`Delete`}
        onConfirm={remove}
        onClose={() => setConfirming(false)}
      >
        <p>{t`The playlist is deleted immediately and cannot be restored. Its videos are not deleted.`}</p>
      </Confirm>
    </>
  );
}
