import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { AddPlaylistItems, CreatePlaylist, StudioPlaylists } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { useForm } from '../../../lib/hooks/use-form.ts';
import { t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { operationQuery } from '../../../lib/query.ts';
import { SelectField } from '../../../ui/field.tsx';
import { PlaylistFields, readPlaylist } from '../playlists/playlist-form.tsx';
import { BulkDialog, type BulkDialogProperties } from './bulk-dialog.tsx';

const NEW = 'new';

/** Adds the selected videos to a playlist of the channel, or to a new one. */
export function BulkPlaylist({
  ids,
  channelId,
  onResults,
  onClose,
}: BulkDialogProperties & { readonly channelId: string }) {
  const query = useQuery(operationQuery(StudioPlaylists, { id: channelId }));
  const playlists = query.data?.channel?.playlists.edges.map(({ node }) => node);
  const [chosen, choose] = useState('');
  const isNew = chosen === NEW || playlists?.length === 0;
  // A second attempt adds to the one that the first has created.
  const created = useRef<string | null>(null);
  const form = useForm(async (data) => {
    const input = readPlaylist(data);
    if (isNew) created.current ??= (await api(CreatePlaylist, { channel: channelId, input })).createPlaylist.id;
    const id = (isNew && created.current) || chosen;
    const title = isNew ? input.title : (playlists?.find((each) => each.id === id)?.metadata.title ?? '');
    const send = async (contentIds: readonly string[]) =>
      (await api(AddPlaylistItems, { id, contentIds })).addPlaylistItems.results;
    onResults(await inBatches(ids, send), t`Added to ${title}.`);
    onClose();
  });
  return (
    <BulkDialog title={t`Add to a playlist`} form={form} onClose={onClose}>
      {playlists?.length !== 0 && (
        <SelectField
          label={t`Playlist`}
          required
          value={chosen}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="" disabled>
            {playlists ? t`Select a playlist` : t`Loading…`}
          </option>
          {playlists?.map(({ id, metadata }) => (
            <option key={id} value={id}>
              {metadata.title}
            </option>
          ))}
          {playlists && <option value={NEW}>{t`New playlist`}</option>}
        </SelectField>
      )}
      {isNew && <PlaylistFields form={form} />}
    </BulkDialog>
  );
}
