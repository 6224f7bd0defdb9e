import { AppError } from '../../../kernel/errors.ts';
import { type Message, t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { readText } from '../../../kernel/text.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { describeText } from './describe-settings.ts';
import { type LegalKind, writeLegalText } from './legal-texts.store.ts';

export { readLegalTexts } from './legal-texts.store.ts';

/** Longest text, in Unicode code points. */
export const MAX_LEGAL_TEXT = 100_000;

/** Changes of an address and of a text, each of which takes the place of the other. */
export interface LegalInput {
  readonly termsUrl?: Maybe<string>;
  readonly privacyUrl?: Maybe<string>;
  readonly termsText?: Maybe<string>;
  readonly privacyText?: Maybe<string>;
}

export type Texts = Partial<Readonly<Record<LegalKind, string | null>>>;

/**
 * The texts to store, and null for those to remove. Pure.
 * @throws AppError INVALID_INPUT with the field, for a text that is too long, and for a text beside an address.
 */
export function readTexts(input: LegalInput): Texts {
  return {
    ...readOne('terms', input.termsText, input.termsUrl),
    ...readOne('privacy', input.privacyText, input.privacyUrl),
  };
}

function readOne(kind: LegalKind, text: Maybe<string>, url: Maybe<string>): Texts {
  const field = `input.${kind}Text`;
  const hasUrl = (url ?? '').trim() !== '';
  if (text == null) return text === null || hasUrl ? { [kind]: null } : {};
  const markdown = readText(text, { field, maxLength: MAX_LEGAL_TEXT, multiline: true });
  if (markdown === '') return { [kind]: null };
  if (!hasUrl) return { [kind]: markdown };
  throw new AppError('INVALID_INPUT', t`${field} and input.${kind}Url exclude each other.`, {
    field,
    suggestedFix: t`Send the text, or the address of a page with it.`,
  });
}

/** Stores the texts; what changed, for the audit log. */
export async function writeTexts(tx: Executor, texts: Texts, nowIso: string): Promise<Message[]> {
  const details: Message[] = [];
  for (const kind of ['terms', 'privacy'] as const) {
    const markdown = texts[kind];
    if (markdown === undefined || !(await writeLegalText(tx, kind, markdown, nowIso))) continue;
    details.push(describeText(kind, markdown?.length ?? null));
  }
  return details;
}
