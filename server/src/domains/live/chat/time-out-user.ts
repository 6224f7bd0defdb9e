import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { readText } from '../../../kernel/text.ts';
import { authorizeChannel } from '../../channels/index.ts';
import { findCandidate } from '../../social/index.ts';
import { deleteMessagesOf, endTimeout, startTimeout } from './chat-timeouts.store.ts';

/** Longest time for which an account can be kept from writing; blockUser keeps it out for good. */
export const MAX_TIMEOUT_MS = 14 * 86_400_000;

export interface TimeOutUserArgs {
  /** Id of the channel. */
  readonly id: string;
  readonly input: { readonly username: string; readonly durationMs: number; readonly deleteMessages: boolean };
}

/**
 * Keeps an account from writing in the chats of a channel for a while; with 0 it may write again. With `deleteMessages`
 * its messages there are deleted. RESOURCE_NOT_FOUND, UNAUTHORIZED, INVALID_INPUT for members of the channel and for
 * the duration.
 */
export async function timeOutUser(context: CommandContext, { id, input }: TimeOutUserArgs) {
  const { db } = context.services.live;
  const channelId = context.parseDid(id, ['channel'], 'id').id;
  const username = readText(input.username, { field: 'input.username', maxLength: 100, required: true });
  const durationMs = readDuration(input.durationMs);
  await authorizeChannel(db, { channelId, viewer: context.scope, permission: 'comment:moderate', field: 'id' });
  const candidate = await findCandidate(db, channelId, username);
  if (!candidate) throw noSuchAccount();
  if (candidate.member) throw isMember(username);
  const { accountId } = candidate;
  const endsAt = durationMs === 0 ? null : new Date(context.nowMs + durationMs).toISOString();
  const deletedMessages = await db.transaction(async (tx) => {
    if (endsAt === null) await endTimeout(tx, channelId, accountId);
    else await startTimeout(tx, { channelId, accountId, endsAt });
    return input.deleteMessages ? deleteMessagesOf(tx, channelId, accountId) : 0;
  });
  return { user: accountId, endsAt, deletedMessages };
}

function readDuration(value: number): number {
  if (value >= 0 && value <= MAX_TIMEOUT_MS) return value;
  throw new AppError('INVALID_INPUT', t`A timeout is 0 to ${MAX_TIMEOUT_MS} milliseconds.`, {
    field: 'input.durationMs',
    suggestedFix: t`Use blockUser to keep an account out for good.`,
  });
}

function noSuchAccount(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no account with this name.`, {
    field: 'input.username',
    suggestedFix: t`Send the username as messages show it in author.username.`,
  });
}

function isMember(username: string): AppError {
  return new AppError('INVALID_INPUT', t`${username} is a member of this channel, who can always write.`, {
    field: 'input.username',
    suggestedFix: t`Remove the account from the members of the channel first.`,
  });
}
