import {
  booleanField,
  type EntityField,
  enumField,
  type FieldChanges,
  type FieldsInput,
  type FieldValues,
  textField,
} from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { readLanguageTag } from '../../../kernel/language-tags.ts';
import { t, textOf } from '../../../kernel/languages/message.ts';
import { convertedCaptions } from './convert-captions.ts';

type CaptionsKind = 'SUBTITLES' | 'CAPTIONS' | 'DESCRIPTIONS';

/** Half of a request: JSON may escape every character with two. */
const MAX_CAPTIONS_BYTES = 512 * 1024;

const language: EntityField<string, string> = {
  column: 'language',
  sqlType: 'text',
  type: 'String',
  description: 'Their language, as a BCP 47 tag such as en or pt-BR.',
  inputDescription: 'Their language, as a BCP 47 tag such as en or pt-BR.',
  read: readLanguageTag,
};

const text: EntityField<string, string> = {
  column: 'vtt',
  sqlType: 'text',
  type: 'String',
  description: 'The whole file as WebVTT.',
  inputDescription:
    'The whole SubRip (.srt) or WebVTT (.vtt) file, at most 512 KiB. ' +
    'Bold, italic and underlined text is kept, other markup is not.',
  changeDescription: 'Replaces all; the addresses of the files change.',
  read: (file) => file,
};

/** Fields of captions that are stored as they are shown. */
export const CAPTIONS_PROPERTIES = {
  language,
  label: textField({
    column: 'label',
    label: 'Label that viewers choose them by',
    maxLength: 80,
    required: true,
    description: 'Label that viewers choose them by.',
  }),
  kind: enumField<CaptionsKind>({
    column: 'kind',
    type: 'CaptionsKind',
    description: 'Their kind.',
    initial: 'SUBTITLES',
  }),
  isDefault: booleanField({
    column: 'is_default',
    description: 'Whether they are shown by default; at most one of a content is.',
    initial: false,
  }),
  isForced: booleanField({
    column: 'is_forced',
    description:
      'Whether they have only what viewers need who understand the audio, such as signs and speech in other ' +
      'languages: players show them to viewers who chose no captions, if their language is that of the audio. At ' +
      'most one of a content and language is; descriptions cannot be.',
    initial: false,
  }),
};

/** All fields that createContentCaptions and updateContentCaptions write; {@link readCaptions} reads the text. */
export const CAPTIONS_FIELDS = { ...CAPTIONS_PROPERTIES, text };

export type CaptionsInput = FieldsInput<typeof CAPTIONS_FIELDS>;
export type CaptionsChanges = FieldChanges<typeof CAPTIONS_FIELDS>;
export type CaptionsValues = FieldValues<typeof CAPTIONS_FIELDS>;

/** The file as WebVTT, read in a thread if it is long. Throws INVALID_INPUT with the invalid line. */
export async function readCaptions(file: string, field: string): Promise<string> {
  if (Buffer.byteLength(file) > MAX_CAPTIONS_BYTES) {
    throw new AppError('INVALID_INPUT', t`The captions have more than 512 KiB.`, {
      field,
      suggestedFix: t`Send a file of at most 512 KiB.`,
    });
  }
  const problem = /[^\P{Cc}\r\n\t]/u.exec(file);
  if (problem || !file.isWellFormed()) {
    throw new AppError('INVALID_INPUT', t`The captions contain a control character or half of a surrogate pair.`, {
      field,
      suggestedFix: t`Send the file as UTF-8 text, without control characters.`,
    });
  }
  const { text: vtt, error } = await convertedCaptions({ file, to: 'vtt' });
  if (error === undefined) return vtt;
  throw new AppError('INVALID_INPUT', t`Line ${error.line}: ${textOf(error.text)}`, {
    field,
    suggestedFix: t`Correct line ${error.line} of the SubRip (.srt) or WebVTT (.vtt) file and send it whole.`,
  });
}
