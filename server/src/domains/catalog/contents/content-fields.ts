import {
  booleanField,
  type EntityField,
  enumField,
  type FieldChanges,
  type FieldsInput,
  type FieldValues,
  textField,
} from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { readLanguageTag } from '../../../kernel/language-tags.ts';
import { t } from '../../../kernel/languages/message.ts';
import { METADATA_FIELDS } from '../../channels/index.ts';
import { TAXONOMY_FIELDS } from '../taxonomy/taxonomy-fields.ts';

export type Visibility = 'PUBLIC' | 'UNLISTED' | 'PRIVATE';
export type AdHint = 'NO' | 'MAYBE' | 'YES';
export type ContentLayout = 'LANDSCAPE' | 'PORTRAIT' | 'VR';

const language: EntityField<string, string | null> = {
  column: 'language',
  sqlType: 'text',
  type: 'String',
  description: 'The spoken language, as a BCP 47 tag such as en or pt-BR; null if not specified.',
  inputDescription:
    'The spoken language, as a BCP 47 tag such as en, pt-BR or zh-Hant; und means that none is specified.',
  read: readLanguage,
  empty: null,
};

const visibility = enumField<Visibility>({
  column: 'visibility',
  type: 'Visibility',
  description: 'Visibility once published.',
  initial: 'PUBLIC',
});

const layout = enumField<ContentLayout>({
  column: 'layout',
  type: 'ContentLayout',
  description: 'Layout of the video.',
  initial: 'LANDSCAPE',
});

const allowDownload = booleanField({
  column: 'allow_download',
  description: 'Whether everyone who may watch it may download it too. Members of the channel always may.',
  initial: false,
});

const containsAds: EntityField<AdHint, AdHint | null> = {
  column: 'contains_ads',
  sqlType: 'text',
  type: 'ContentAdHint',
  description: 'Whether it contains advertising; null if not specified.',
  inputDescription: 'Whether it contains advertising.',
  read: (value) => value,
  empty: null,
};

/** Fields of every kind of content. */
export const TEXT_FIELDS = { ...METADATA_FIELDS, language };

/** Fields about who may watch it, and how. */
export const CREATOR_FIELDS = { visibility, allowDownload };

/** Fields that every kind of content is created with. */
export const DESCRIBED_FIELDS = { ...TEXT_FIELDS, ...TAXONOMY_FIELDS, visibility };

/** Fields of a video that is published or imported in one call. */
export const VIDEO_FIELDS = { ...METADATA_FIELDS, visibility, layout };

/** Fields of episodes only. */
export const EPISODE_FIELDS = {
  isPremiere: booleanField({
    column: 'is_premiere',
    description: 'Whether it is the premiere of its season or series.',
    changeDescription: 'Episodes only.',
    initial: false,
  }),
  isFinale: booleanField({
    column: 'is_finale',
    description: 'Whether it is the finale of its season or series.',
    changeDescription: 'Episodes only.',
    initial: false,
  }),
};

/** Fields of streams only. */
export const STREAM_FIELDS = {
  note: {
    ...textField({
      column: 'note',
      label: 'A note for the audience',
      maxLength: 1000,
      multiline: true,
      description: 'A note of the broadcaster for the audience; may be empty.',
    }),
    changeDescription: 'Streams only.',
  },
};

/** All fields that createContent, similar mutations and updateContent write. */
export const CONTENT_FIELDS = {
  ...DESCRIBED_FIELDS,
  layout,
  containsAds,
  ...CREATOR_FIELDS,
  ...EPISODE_FIELDS,
  ...STREAM_FIELDS,
};

export type ContentTexts = FieldsInput<typeof METADATA_FIELDS>;
export type VideoInput = FieldsInput<typeof VIDEO_FIELDS>;
export type VideoValues = FieldValues<typeof VIDEO_FIELDS>;
export type ContentInput = FieldsInput<typeof CONTENT_FIELDS>;
export type ContentChanges = FieldChanges<typeof CONTENT_FIELDS>;
export type ContentValues = FieldValues<typeof CONTENT_FIELDS>;

/** BCP 47's tag for an undetermined language. */
const UNDETERMINED = 'und';

function readLanguage(value: string, field: string): string | null {
  const tag = readLanguageTag(value, field);
  return tag === UNDETERMINED ? null : tag;
}

/** Throws INVALID_INPUT when the input has a value for a field that this kind of content does not have. */
export function checkFieldsOfKind(kind: ContentKind, input: ContentInput): void {
  refuseValues(kind, 'EPISODE', input, EPISODE_FIELDS);
  refuseValues(kind, 'STREAM', input, STREAM_FIELDS);
}

function refuseValues(kind: ContentKind, owner: 'EPISODE' | 'STREAM', input: ContentInput, fields: object): void {
  if (kind === owner) return;
  // The fields are among those of the input.
  const name = Object.keys(fields).find((each) => input[each as keyof ContentInput] != null);
  if (name === undefined) return;
  const message = owner === 'EPISODE' ? t`Only an episode has ${name}.` : t`Only a stream has ${name}.`;
  throw new AppError('INVALID_INPUT', message, {
    field: `input.${name}`,
    suggestedFix: t`Omit ${name}.`,
  });
}
