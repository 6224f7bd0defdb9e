import type { CommandContext } from '../../../gql/index.ts';
import { newId } from '../../../kernel/ids.ts';
import { authorize } from '../../../kernel/policy.ts';
import { readText } from '../../../kernel/text.ts';
import { requireAccount } from '../../channels/index.ts';
import { whyHeld } from '../../social/index.ts';
import { CHAT_WRITING, type ChatPlace, type MessageHoldReason, tooFast } from './chat.policy.ts';
import { findChatPlace, insertChatMessage, takeChatTurn } from './chat-messages.store.ts';

/** Longest message, in Unicode code points. */
export const MAX_MESSAGE = 500;

export interface CreateChatMessageArgs {
  readonly input: { readonly stream: string; readonly body: string };
}

/**
 * Writes a message and returns its id. RESOURCE_NOT_FOUND, UNAUTHORIZED where the viewer cannot write, INVALID_INPUT or
 * FIELD_REQUIRED for the text, RATE_LIMIT_EXCEEDED.
 */
export function createChatMessage(context: CommandContext, { input }: CreateChatMessageArgs): Promise<string> {
  const { accountId } = requireAccount(context);
  const { id: contentId } = context.parseDid(input.stream, ['stream'], 'input.stream');
  const body = readText(input.body, { field: 'input.body', maxLength: MAX_MESSAGE, required: true });
  const { nowIso } = context;
  return context.services.live.db.transaction(async (tx) => {
    const place = await findChatPlace(tx, contentId, context.scope, nowIso);
    authorize(CHAT_WRITING, place, 'input.stream');
    const { channelId, slowModeMs, member } = place;
    const waitMs = member ? 0 : await takeChatTurn(tx, { contentId, accountId, slowModeMs, nowIso });
    if (waitMs > 0) throw tooFast(waitMs);
    const id = newId<'chat-message'>(context.nowMs);
    await insertChatMessage(tx, {
      id,
      contentId,
      channelId,
      accountId,
      body,
      heldFor: whyHeldInChat(body, place),
      nowIso,
    });
    return id;
  });
}

/** Why a message is held for review; those of moderators never are. */
function whyHeldInChat(body: string, { moderator, blockedWords, holdLinks }: ChatPlace): MessageHoldReason | null {
  if (moderator) return null;
  const reason = whyHeld(body, { mode: 'ENABLED', blockedWords, holdLinks });
  return reason === 'BLOCKED_WORD' || reason === 'LINK' ? reason : null;
}
