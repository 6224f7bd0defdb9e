import { AppError } from './errors.ts';
import { t } from './languages/message.ts';

/** Rules for a text argument. */
export interface TextRule {
  /** The argument as the caller spells it: `input.title`. */
  readonly field: string;
  /** Maximum length in Unicode code points, after trimming and normalisation. */
  readonly maxLength: number;
  /** Whether line breaks and tabs are accepted. */
  readonly multiline?: boolean;
  /** Whether a blank value is refused with FIELD_REQUIRED. */
  readonly required?: boolean;
}

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\n\t]/u;
/** Embeddings, overrides and isolates of text direction (UAX 9): left open, they turn the text after a name around. */
const DIRECTION = /[\u202A-\u202E\u2066-\u2069]/gu;
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u;

/**
 * A text argument as it is stored: Unicode NFC, trimmed, line breaks as \n; in a single line without controls of text
 * direction. Refuses control characters, lone surrogates and texts that are too long (INVALID_INPUT), and blank ones
 * where the rule requires text (FIELD_REQUIRED). A text of invisible characters only counts as blank.
 */
export function readText(value: string, rule: TextRule): string {
  const { field, maxLength } = rule;
  if (!value.isWellFormed()) {
    throw new AppError('INVALID_INPUT', t`${field} contains half of a surrogate pair, which is no character.`, {
      field,
      suggestedFix: t`Send well-formed Unicode; escapes like \\ud83d must come in pairs.`,
    });
  }
  const lines = rule.multiline ? value.replaceAll('\r\n', '\n') : withoutDirection(value);
  const text = lines.normalize('NFC').trim();
  if ((rule.multiline ? CONTROL_BUT_LINES : CONTROL).test(text)) {
    throw new AppError('INVALID_INPUT', t`${field} contains a control character.`, {
      field,
      suggestedFix: rule.multiline
        ? t`Remove control characters; line breaks and tabs are fine here.`
        : t`Remove control characters, including line breaks and tabs.`,
    });
  }
  if (isInvisible(text)) {
    if (!rule.required) return '';
    throw new AppError('FIELD_REQUIRED', t`${field} must not be blank.`, {
      field,
      suggestedFix: t`Send ${field} with 1 to ${maxLength} characters.`,
    });
  }
  const length = codePoints(text);
  if (length > maxLength) {
    throw new AppError('INVALID_INPUT', t`${field} has ${length} characters; the limit is ${maxLength}.`, {
      field,
      suggestedFix: t`Shorten ${field} to at most ${maxLength} characters.`,
    });
  }
  return text;
}

/** Whether nothing of a text can be seen. */
export function isInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

/** A name or title without controls that would turn the direction of the text after it around. */
export function withoutDirection(line: string): string {
  return line.replace(DIRECTION, '');
}

/** Rules for a list of words or phrases. */
export interface WordsRule {
  /** Maximum number of different entries. */
  readonly most: number;
  /** Maximum length of each, in Unicode code points. */
  readonly maxLength: number;
}

/** Words as they are stored: each a line of text, without duplicates (case-insensitive). Throws as {@link readText}. */
export function readWords(values: readonly string[], field: string, { most, maxLength }: WordsRule): string[] {
  const kept = new Map<string, string>();
  for (const [index, value] of values.entries()) {
    const word = readText(value, { field: `${field}.${index}`, maxLength, required: true });
    const same = word.toLowerCase();
    if (!kept.has(same)) kept.set(same, word);
    if (kept.size > most) {
      throw new AppError('INVALID_INPUT', t`${field} has more than ${most} different entries.`, {
        field,
        suggestedFix: t`Send at most ${most} entries of at most ${maxLength} characters.`,
      });
    }
  }
  return [...kept.values()];
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
