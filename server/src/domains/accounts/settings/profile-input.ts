import { AppError } from '../../../kernel/errors.ts';
import { readText } from '../../../kernel/text.ts';

export const MAX_DISPLAY_NAME = 100;
export const MAX_BIO = 5000;
const MAX_LANGUAGE = 35;

type Maybe<T> = T | null | undefined;

/** What the API hands over; null means the same as absent. */
export interface ProfileChanges {
  readonly displayName?: Maybe<string>;
  readonly bio?: Maybe<string>;
}

export interface SettingsChanges {
  readonly doNotTrack?: Maybe<boolean>;
  readonly keepHistory?: Maybe<boolean>;
  readonly language?: Maybe<string>;
}

/** The columns to write; null leaves one as it is. Throws FIELD_REQUIRED or INVALID_INPUT with the field. */
export function readProfile({ displayName, bio }: ProfileChanges): { name: string | null; bio: string | null } {
  return {
    name: displayName == null ? null : readText(displayName, { field: 'input.displayName', maxLength: MAX_DISPLAY_NAME, required: true }),
    bio: bio == null ? null : readText(bio, { field: 'input.bio', maxLength: MAX_BIO, multiline: true }),
  };
}

/** As {@link readProfile}, for settings. */
export function readSettings(changes: SettingsChanges): {
  doNotTrack: boolean | null;
  keepHistory: boolean | null;
  language: string | null;
} {
  const { doNotTrack, keepHistory, language } = changes;
  return { doNotTrack: doNotTrack ?? null, keepHistory: keepHistory ?? null, language: language == null ? null : readLanguage(language) };
}

/** A language tag in its canonical spelling (RFC 5646 section 4.5). */
function readLanguage(value: string): string {
  const tag = value.trim();
  try {
    const [canonical] = tag.length <= MAX_LANGUAGE ? Intl.getCanonicalLocales(tag) : [];
    if (canonical) return canonical;
  } catch {
    // Not a well-formed tag: refused below.
  }
  throw new AppError('INVALID_INPUT', 'This is not a language tag.', {
    field: 'input.language',
    suggestedFix: 'Send a BCP 47 tag such as en, de or pt-BR.',
  });
}
