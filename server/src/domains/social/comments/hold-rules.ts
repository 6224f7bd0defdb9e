/** Who may comment on a content, and whether comments are held. */
export type CommentMode = 'ENABLED' | 'HOLD_ALL' | 'MEMBERS_ONLY' | 'DISABLED';

/** Why a comment is held. */
export type HoldReason = 'ALL' | 'BLOCKED_WORD' | 'LINK' | 'MODERATOR';

/** Hold rules of a channel and a content. */
export interface HoldRules {
  readonly mode: CommentMode;
  readonly blockedWords: readonly string[];
  readonly holdLinks: boolean;
}

const LINK = /\bhttps?:\/\/\S|\bwww\.\S|\b[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}\/\S*/i;

/** Why a comment is held for review; null when it is published at once. */
export function whyHeld(body: string, rules: HoldRules): HoldReason | null {
  if (rules.mode === 'HOLD_ALL') return 'ALL';
  if (hasBlockedWord(body, rules.blockedWords)) return 'BLOCKED_WORD';
  return rules.holdLinks && LINK.test(body) ? 'LINK' : null;
}

/**
 * Whether one of `blocked` (words or phrases) stands in `body` as whole words. Upper and lower case, accents and
 * compatibility forms make no difference; what has neither letters nor digits, such as an emoji, is found anywhere.
 */
export function hasBlockedWord(body: string, blocked: readonly string[]): boolean {
  if (blocked.length === 0) return false;
  const plain = fold(body);
  const words = ` ${wordsOf(plain).join(' ')} `;
  return blocked.some((entry) => {
    const folded = fold(entry);
    const phrase = wordsOf(folded).join(' ');
    return phrase === '' ? plain.includes(folded) : words.includes(` ${phrase} `);
  });
}

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function wordsOf(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
