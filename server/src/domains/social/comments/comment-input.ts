import { readText } from '../../../kernel/text.ts';

/** Longest comment, in Unicode code points. */
export const MAX_BODY = 5_000;
/** How many accounts one comment can mention; further names are plain text. */
export const MAX_MENTIONS = 20;

const MENTION = /(?<![\p{L}\p{N}_@.-])@([A-Za-z0-9_][A-Za-z0-9_.-]{1,38})/gu;

/** The text of a comment as it is stored: plain text, never markup. INVALID_INPUT or FIELD_REQUIRED with `field`. */
export function readBody(body: string, field: string): string {
  return readText(body, { field, maxLength: MAX_BODY, multiline: true, required: true });
}

/**
 * The names that a comment may mention, in lower case and in order, without duplicates. A name may end with a dot, and
 * so may a sentence: `@anna.` stands for both `anna.` and `anna`, whichever is an account.
 */
export function mentionedNames(body: string): string[] {
  const names = new Set<string>();
  let mentions = 0;
  for (const [, name = ''] of body.matchAll(MENTION)) {
    if (mentions === MAX_MENTIONS) break;
    const whole = name.toLowerCase();
    if (!names.has(whole)) mentions += 1;
    names.add(whole);
    const bare = whole.replace(/(?<![.-])[.-]+$/, '');
    if (bare.length > 1) names.add(bare);
  }
  return [...names];
}
