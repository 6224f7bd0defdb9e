import { booleanField, type EntityField, type FieldChanges, type FieldsInput, textField } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

/** The public profile of an account: its name, and the summary of its own channel. */
export const PROFILE_FIELDS = {
  displayName: textField({
    column: 'name',
    label: 'Display name',
    maxLength: 100,
    required: true,
    description: 'Display name.',
  }),
  bio: textField({
    column: 'summary',
    label: 'About text',
    maxLength: 5000,
    multiline: true,
    description: "About text: the summary of the account's own channel; may be empty.",
  }),
};

const language: EntityField<string, string> = {
  column: 'language',
  sqlType: 'text',
  type: 'String',
  description: 'Preferred language (BCP 47).',
  inputDescription: 'Preferred language, as a BCP 47 tag such as en or pt-BR.',
  read: readLanguage,
};

/** The settings of an account. */
export const SETTINGS_FIELDS = {
  doNotTrack: booleanField({
    column: 'do_not_track',
    description:
      'Whether the account opts out of tracking: nothing of what it watches is stored beyond anonymous counts.',
  }),
  keepHistory: booleanField({
    column: 'keep_history',
    description: 'Whether videos the account watches appear in its history.',
  }),
  language,
};

export type ProfileInput = FieldsInput<typeof PROFILE_FIELDS>;
export type ProfileChanges = FieldChanges<typeof PROFILE_FIELDS>;
export type SettingsInput = FieldsInput<typeof SETTINGS_FIELDS>;
export type SettingsChanges = FieldChanges<typeof SETTINGS_FIELDS>;

const MAX_LANGUAGE = 35;

/** A language tag in its canonical spelling (RFC 5646 section 4.5). */
function readLanguage(value: string, field: string): string {
  const tag = value.trim();
  try {
    const [canonical] = tag.length <= MAX_LANGUAGE ? Intl.getCanonicalLocales(tag) : [];
    if (canonical) return canonical;
  } catch {
    // Not a well-formed tag: refused below.
  }
  throw new AppError('INVALID_INPUT', t`This is not a language tag.`, {
    field,
    suggestedFix: t`Send a BCP 47 tag such as en, de or pt-BR.`,
  });
}
