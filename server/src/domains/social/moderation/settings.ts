import type { StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { readText } from '../../../kernel/text.ts';
import { CONTENT_CHANGE, contentTarget, readContentId } from '../../catalog/index.ts';
import { CHANNEL_CHANGE, channelTarget } from '../../channels/index.ts';
import type { CommentMode } from '../comments/hold-rules.ts';
import {
  type CommentSettingsChange,
  type ModerationChange,
  updateCommentSettingsWrites,
  updateModerationWrites,
} from './settings.store.ts';

/** Maximum number of blocked words and phrases of a channel. */
export const MAX_BLOCKED_WORDS = 500;
export const MAX_BLOCKED_WORD_LENGTH = 100;

interface CommentSettingsArgs {
  readonly contentId: string;
  readonly input: { readonly mode: CommentMode };
}

/** Updates who may comment on the account's content. One round trip. RESOURCE_NOT_FOUND, UNAUTHORIZED. */
export const updateCommentSettings: StatementCommand<CommentSettingsArgs, CommentSettingsChange> = {
  prepare: ({ contentId, input }, env) => ({ ...readContentId(env, contentId, 'contentId'), mode: input.mode }),
  payload: ({ id }) => id,
  target: contentTarget('comment:moderate', 'contentId'),
  policy: CONTENT_CHANGE,
  writes: updateCommentSettingsWrites,
  row: 'changed',
};

interface ModerationArgs {
  readonly channel: string;
  readonly input: { readonly blockedWords?: readonly string[] | null | undefined; readonly holdLinks?: boolean | null | undefined };
}

/**
 * Updates the moderation settings of the account's channel. One round trip. RESOURCE_NOT_FOUND, UNAUTHORIZED,
 * INVALID_INPUT or FIELD_REQUIRED for the words.
 */
export const updateModeration: StatementCommand<ModerationArgs, ModerationChange> = {
  prepare: ({ channel, input }, env) => ({
    channel: env.parseDid(channel, ['channel'], 'channel').id,
    blockedWords: input.blockedWords == null ? null : readBlockedWords(input.blockedWords, 'input.blockedWords'),
    holdLinks: input.holdLinks ?? null,
  }),
  payload: ({ channel }) => channel,
  target: channelTarget('channel', ({ channel }) => channel, 'comment:moderate'),
  policy: CHANNEL_CHANGE,
  writes: updateModerationWrites,
};

/** Words as they are stored: each a line of text, without repetitions (upper and lower case are the same). */
export function readBlockedWords(words: readonly string[], field: string): string[] {
  const kept = new Map<string, string>();
  for (const [index, value] of words.entries()) {
    const word = readText(value, { field: `${field}.${index}`, maxLength: MAX_BLOCKED_WORD_LENGTH, required: true });
    if (!kept.has(word.toLowerCase())) kept.set(word.toLowerCase(), word);
  }
  if (kept.size <= MAX_BLOCKED_WORDS) return [...kept.values()];
  throw new AppError('INVALID_INPUT', `${field} has more than ${MAX_BLOCKED_WORDS} different words.`, {
    field,
    suggestedFix: `Send at most ${MAX_BLOCKED_WORDS} words or phrases.`,
  });
}
