import type { CommandContext } from '../../../gql/index.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { MAX_MEMBERS, tooManyMembers } from '../members/change-members.ts';
import { countMembers, lockChannel, putMember } from '../members/members.store.ts';
import { requireAccount } from '../require-account.ts';
import { INVITATION_ANSWER, invitationNotFound } from './invitation.policy.ts';
import { type AnsweredRow, channelOfInvitation, endInvitation, findAnswered } from './invitations.store.ts';
import { tokenHashOf } from './invite-member.ts';

const FIELD = 'id';

/** Which invitation, and the token of its link for an address that is not confirmed. */
export interface Answer {
  readonly id: string;
  readonly token?: Maybe<string>;
}

/**
 * Makes the account a member, with the role of the invitation; one that is a member already keeps its role. Returns the
 * id of the channel. Idempotent.
 * @throws AppError RESOURCE_NOT_FOUND for an invitation to someone else; INVALID_INPUT for one that was declined or
 *   withdrawn or has expired, and for a channel that is full.
 */
export function acceptInvitation(context: CommandContext, answer: Answer): Promise<string> {
  const { nowIso, nowMs } = context;
  const { accountId } = requireAccount(context);
  return context.services.channels.db.transaction(async (tx) => {
    const { channelId, invitation } = await answerable(tx, context, answer);
    const { role, memberId, username, accepted } = invitation;
    if (accepted) return channelId;
    if (memberId === null) {
      if ((await countMembers(tx, channelId)) >= MAX_MEMBERS) throw tooManyMembers(FIELD);
      await putMember(tx, { id: newId<'member'>(nowMs), channelId, accountId, role }, nowMs);
      const payload = { username, role };
      await appendEvent(tx, { type: 'member.added', channelId, subjectId: accountId, payload });
    }
    await endInvitation(tx, answer.id, 'ACCEPTED', nowIso);
    return channelId;
  });
}

/** Ends an invitation without becoming a member; false for one that was accepted. Throws as acceptInvitation. */
export function declineInvitation(context: CommandContext, answer: Answer): Promise<boolean> {
  return context.services.channels.db.transaction(async (tx) => {
    const { invitation } = await answerable(tx, context, answer);
    if (invitation.accepted) return false;
    await endInvitation(tx, answer.id, 'DECLINED', context.nowIso);
    return true;
  });
}

/** The invitation, once the policy permits the answer; its channel is locked, so that only one answer counts. */
async function answerable(
  tx: Transaction,
  context: CommandContext,
  { id, token }: Answer,
): Promise<{ channelId: string; invitation: AnsweredRow }> {
  const { scope } = context;
  const channelId = await channelOfInvitation(tx, id);
  if (channelId === null) throw invitationNotFound(FIELD);
  await lockChannel(tx, channelId, scope);
  const tokenHash = token == null ? null : tokenHashOf(token);
  const invitation = await findAnswered(tx, id, scope, tokenHash, context.nowIso);
  authorize(INVITATION_ANSWER, invitation, FIELD);
  return { channelId, invitation };
}
