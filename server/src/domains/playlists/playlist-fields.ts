import {
  enumField,
  type FieldChanges,
  type FieldsInput,
  type FieldValues,
  type RevisionInput,
  withAlternatives,
} from '../../gql/index.ts';
import type { Maybe } from '../../kernel/maybe.ts';
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

/** PlaylistInput as sent: title and summary may be those of `metadata`. */
export interface GivenPlaylistInput extends PlaylistInput, RevisionInput {
  readonly metadata?: Maybe<{ readonly title?: Maybe<string>; readonly summary?: Maybe<string> }>;
}

/** Calls `read` with the input in which `metadata` has become fields. Throws INVALID_INPUT for one given twice. */
export function withPlaylistInput<Result>(
  { metadata, ...fields }: GivenPlaylistInput,
  read: (input: PlaylistInput) => Result,
): Result {
  return withAlternatives<PlaylistInput, Result>(
    fields,
    (add) => {
      add('title', metadata?.title, 'input.metadata.title');
      add('summary', metadata?.summary, 'input.metadata.summary');
    },
    read,
  );
}

export type PlaylistChanges = FieldChanges<typeof PLAYLIST_FIELDS>;
export type PlaylistValues = FieldValues<typeof PLAYLIST_FIELDS>;
