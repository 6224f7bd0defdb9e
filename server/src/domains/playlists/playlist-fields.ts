import { enumField, type FieldChanges, type FieldsInput, type FieldValues } from '../../gql/index.ts';
import { METADATA_FIELDS } from '../channels/index.ts';

export type PlaylistVisibility = 'PUBLIC' | 'UNLISTED' | 'PRIVATE';

/** Everything that createPlaylist and updatePlaylist write. */
export const PLAYLIST_FIELDS = {
  ...METADATA_FIELDS,
  visibility: enumField<PlaylistVisibility>({
    column: 'visibility',
    type: 'Visibility',
    description:
      'PUBLIC: shown in lists. UNLISTED: visible to anyone with the link. PRIVATE: visible to members of its channel.',
    inputDescription: 'Visibility.',
    initial: 'PUBLIC',
  }),
};

export type PlaylistInput = FieldsInput<typeof PLAYLIST_FIELDS>;
export type PlaylistChanges = FieldChanges<typeof PLAYLIST_FIELDS>;
export type PlaylistValues = FieldValues<typeof PLAYLIST_FIELDS>;
