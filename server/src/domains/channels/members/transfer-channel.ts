import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { authorize } from '../../../kernel/policy.ts';
import type { Database } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { surrender } from '../channel.policy.ts';
import { checkTransferQuota } from '../channel-limit.policy.ts';
import { lockOwnerAccount } from '../owners.store.ts';
import { type MemberCommand, noAccount } from './change-members.ts';
import { MEMBER_ARGUMENTS } from './member.policy.ts';
import { channelStoredBytes, findSubject, lockChannel, putMember, setOwner } from './members.store.ts';

/** Who may transfer a channel. */
export const CHANNEL_TRANSFER = surrender(
  t`This channel cannot be transferred: it is the primary channel of your account.`,
);

/**
 * Transfers ownership; the previous owner remains a manager. The channel's storage counts against the new owner's plan
 * from then on, so it must fit.
 * @throws AppError RESOURCE_NOT_FOUND or UNAUTHORIZED for the channel, INVALID_INPUT for an account's first channel and
 *   for a new owner who is not a member or has not enough quota, RESOURCE_NOT_FOUND for the username.
 */
export function transferChannel(db: Database, command: MemberCommand): Promise<void> {
  const { viewer, accountId, channelId, nowMs } = command;
  return db.transaction(async (tx) => {
    authorize(CHANNEL_TRANSFER, await lockChannel(tx, channelId, viewer), MEMBER_ARGUMENTS.channel);
    const heir = await findSubject(tx, channelId, command.username.trim());
    if (!heir) throw noAccount();
    if (heir.accountId === accountId) return;
    if (!heir.memberId) throw notAMember(heir.username);
    const account = await lockOwnerAccount(tx, heir.accountId, nowMs);
    if (!account) throw new AppError('INTERNAL_SERVER_ERROR', t`An account without a subscription.`);
    const noRoom = checkTransferQuota(account, await channelStoredBytes(tx, channelId), MEMBER_ARGUMENTS.username);
    if (noRoom) throw noRoom;
    await putMember(tx, { id: newId<'member'>(nowMs), channelId, accountId, role: 'MANAGER' }, nowMs);
    await putMember(tx, { id: newId<'member'>(nowMs), channelId, accountId: heir.accountId, role: 'OWNER' }, nowMs);
    await setOwner(tx, channelId, heir.accountId, nowMs);
    await appendEvent(tx, {
      type: 'channel.transferred',
      channelId,
      subjectId: channelId,
      payload: { owner: heir.username },
    });
  });
}

function notAMember(username: string): AppError {
  return new AppError('INVALID_INPUT', t`${username} is not a member of this channel.`, {
    field: MEMBER_ARGUMENTS.username,
    suggestedFix: t`Call inviteChannelMember first: nobody gets a channel without having accepted an invitation.`,
  });
}
