import { useQuery } from '@tanstack/react-query';
import { AddPlaylistItems, StudioPlaylists } from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { inBatches } from '../../../lib/in-batches.ts';
import { operationQuery } from '../../../lib/query.ts';
import { textOf, useForm } from '../../../lib/use-form.ts';
import { SelectField } from '../../../ui/field.tsx';
import { BulkDialog, type BulkDialogProperties } from './bulk-dialog.tsx';

/** Adds the selected videos to a playlist of the channel. */
export function BulkPlaylist({
  ids,
  channelId,
  onResults,
  onClose,
}: BulkDialogProperties & { readonly channelId: string }) {
  const query = useQuery(operationQuery(StudioPlaylists, { id: channelId }));
  const playlists = query.data?.channel?.playlists.edges.map(({ node }) => node);
  const form = useForm(async (data) => {
    const id = textOf(data, 'playlist');
    const send = async (contentIds: readonly string[]) =>
      (await api(AddPlaylistItems, { id, contentIds })).addPlaylistItems.results;
    onResults(await inBatches(ids, send));
    onClose();
  });
  return (
    <BulkDialog title={t`Add to a playlist`} form={form} onClose={onClose}>
      {playlists?.length === 0 ? (
        <p className="text-muted">{t`The channel has no playlists yet. Create one under Playlists first.`}</p>
      ) : (
        <SelectField label={t`Playlist`} name="playlist" required defaultValue="">
          <option value="" disabled>
            {playlists ? t`Select a playlist` : t`Loading…`}
          </option>
          {playlists?.map(({ id, metadata }) => (
            <option key={id} value={id}>
              {metadata.title}
            </option>
          ))}
        </SelectField>
      )}
    </BulkDialog>
  );
}
