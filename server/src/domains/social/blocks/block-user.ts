import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { readText } from '../../../kernel/text.ts';
import { authorizeChannel } from '../../channels/index.ts';
import { blockAccount, type Candidate, findCandidate, rejectCommentsOf, unblockAccount } from './blocks.store.ts';

interface Args {
  /** DID of the channel. */
  readonly id: string;
  readonly input: { readonly username: string };
}

/**
 * Blocks an account in a channel: it cannot comment or like there. With `hideComments` its comments there are rejected.
 * Idempotent. RESOURCE_NOT_FOUND, UNAUTHORIZED, INVALID_INPUT for members of the channel.
 */
export async function blockUser(
  context: CommandContext,
  args: Args & { readonly input: { readonly hideComments: boolean } },
) {
  const { db } = context.services.social;
  const { channelId, candidate } = await readBlock(context, args);
  if (candidate.member) {
    throw new AppError(
      'INVALID_INPUT',
      t`${args.input.username} is a member of this channel and cannot be blocked in it.`,
      {
        field: 'input.username',
        suggestedFix: t`Remove the account from the members of the channel first.`,
      },
    );
  }
  const { accountId } = candidate;
  const rejectedComments = await db.transaction(async (tx) => {
    await blockAccount(tx, { id: newId<'block'>(context.nowMs), channelId, accountId, now: context.nowIso });
    return args.input.hideComments ? rejectCommentsOf(tx, channelId, accountId) : 0;
  });
  return { ok: true, user: accountId, rejectedComments };
}

/** Unblocks an account in a channel; rejected comments stay rejected. Idempotent. RESOURCE_NOT_FOUND, UNAUTHORIZED. */
export async function unblockUser(context: CommandContext, args: Args) {
  const { channelId, candidate } = await readBlock(context, args);
  await unblockAccount(context.services.social.db, channelId, candidate.accountId);
  return { ok: true, user: candidate.accountId, rejectedComments: 0 };
}

async function readBlock(context: CommandContext, args: Args): Promise<{ channelId: string; candidate: Candidate }> {
  const { db } = context.services.social;
  const channelId = context.parseDid(args.id, ['channel'], 'id').id;
  const username = readText(args.input.username, { field: 'input.username', maxLength: 100, required: true });
  await authorizeChannel(db, { channelId, viewer: context.scope, permission: 'comment:moderate', field: 'id' });
  const candidate = await findCandidate(db, channelId, username);
  if (candidate) return { channelId, candidate };
  throw new AppError('RESOURCE_NOT_FOUND', t`There is no account with this name.`, {
    field: 'input.username',
    suggestedFix: t`Send the username as comments show it in author.username.`,
  });
}
