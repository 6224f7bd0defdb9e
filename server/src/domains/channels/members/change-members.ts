import type { ViewerScope } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { ChannelRole } from '../../../kernel/permissions.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { channelNotFound } from '../channel.policy.ts';
import { decideMemberChange, MEMBER_ARGUMENTS, managesMembers } from './member.policy.ts';
import {
  findSubject,
  lockChannel,
  type MemberSubject,
  putMember,
  removeMember,
  withdrawInvitationsBy,
} from './members.store.ts';

/** Members of a channel, its owner included, together with its open invitations. */
export const MAX_MEMBERS = 200;

/** Who changes which channel, and when. */
export interface MemberCommand {
  readonly viewer: ViewerScope;
  readonly accountId: string;
  readonly channelId: string;
  readonly username: string;
  readonly nowMs: number;
}

/**
 * Changes the role of a member and returns the id of the membership. One who no longer manages members takes back the
 * open invitations.
 * @throws AppError for the channel and the role (see member.policy.ts), RESOURCE_NOT_FOUND for an unknown username and
 *   for an account that is not a member.
 */
export function updateMember(db: Database, command: MemberCommand, role: ChannelRole): Promise<string> {
  return db.transaction(async (tx) => {
    const subject = await authorizedSubject(tx, command, role);
    if (!subject.memberId) throw noMember();
    if (subject.role === role) return subject.memberId;
    if (!managesMembers(role)) await withdrawAll(tx, command, subject);
    const { channelId, nowMs } = command;
    const { accountId, username } = subject;
    const id = await putMember(tx, { id: newId<'member'>(nowMs), channelId, accountId, role }, nowMs);
    await appendEvent(tx, { type: 'member.updated', channelId, subjectId: accountId, payload: { username, role } });
    return id;
  });
}

/** Removes a member, or lets one leave; false when the account was not a member. Throws as {@link updateMember}. */
export function dropMember(db: Database, command: MemberCommand): Promise<boolean> {
  return db.transaction(async (tx) => {
    const subject = await authorizedSubject(tx, command, null);
    const { accountId, username, memberId } = subject;
    if (!memberId) return false;
    await withdrawAll(tx, command, subject);
    const { channelId } = command;
    await removeMember(tx, channelId, accountId);
    await appendEvent(tx, { type: 'member.removed', channelId, subjectId: accountId, payload: { username } });
    return true;
  });
}

/**
 * The target account, once the policy permits the change; the channel is locked. Non-members do not learn which user
 * names exist.
 */
async function authorizedSubject(
  tx: Transaction,
  { viewer, accountId, channelId, username }: MemberCommand,
  to: ChannelRole | null,
): Promise<MemberSubject> {
  const channel = await lockChannel(tx, channelId, viewer);
  if (!channel) throw channelNotFound(MEMBER_ARGUMENTS.channel);
  const subject = await findSubject(tx, channelId, username.trim());
  const { actor, test } = channel;
  const change = { actor, subject: subject?.role ?? null, self: subject?.accountId === accountId, to, test };
  const refused = decideMemberChange(change);
  if (refused) throw refused;
  if (!subject) throw noAccount();
  return subject;
}

function withdrawAll(tx: Transaction, command: MemberCommand, { accountId }: MemberSubject): Promise<void> {
  return withdrawInvitationsBy(tx, command.channelId, accountId, new Date(command.nowMs).toISOString());
}

/** RESOURCE_NOT_FOUND for an unknown username. */
export function noAccount(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`There is no account with this username.`, {
    field: MEMBER_ARGUMENTS.username,
    suggestedFix: t`Check the spelling: it is the name the person signed up with, shown as me.username.`,
  });
}

function noMember(): AppError {
  return new AppError('RESOURCE_NOT_FOUND', t`This account is not a member of the channel.`, {
    field: MEMBER_ARGUMENTS.username,
    suggestedFix: t`Call inviteChannelMember; channel.members lists the members.`,
  });
}

/** RESOURCE_ALREADY_EXISTS for a member. */
export function alreadyMember({ username, role }: MemberSubject, field: string): AppError {
  return new AppError(
    'RESOURCE_ALREADY_EXISTS',
    t`${username} is already a member of this channel, as ${role ?? ''}.`,
    {
      field,
      suggestedFix: t`Call updateChannelMember to change the role.`,
    },
  );
}

/** INVALID_INPUT for a channel without room. */
export function tooManyMembers(field: string): AppError {
  return new AppError('INVALID_INPUT', t`A channel has at most ${MAX_MEMBERS} members and open invitations.`, {
    field,
    suggestedFix: t`Remove members who no longer work on the channel, or withdraw invitations.`,
  });
}
