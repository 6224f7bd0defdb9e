import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { ChannelRole } from '../../../kernel/permissions.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { channelNotFound } from '../channel.policy.ts';
import { decideMemberChange, type MemberFields, memberChange } from './member.policy.ts';
import {
  countMembers,
  findSubject,
  lockChannel,
  type MemberSubject,
  putMember,
  removeMember,
} from './members.store.ts';

/** Members of a channel, its owner included. */
export const MAX_MEMBERS = 200;

/** Who changes which channel, and when. */
export interface MemberCommand {
  readonly accountId: string;
  readonly channelId: string;
  readonly username: string;
  readonly nowMs: number;
}

const IN_INPUT: MemberFields = { channel: 'channel', username: 'input.username', role: 'input.role' };
const PLAIN: MemberFields = { channel: 'channel', username: 'username', role: 'role' };

/** Who may add members and change their roles. */
export const MEMBER_CHANGE = memberChange(IN_INPUT);
/** Who may remove members. */
export const MEMBER_REMOVAL = memberChange(PLAIN);

/**
 * Makes an account a member and returns the id of the membership. Idempotent.
 * @throws AppError for the channel and the role (see member.policy.ts), RESOURCE_NOT_FOUND for the user name,
 * RESOURCE_ALREADY_EXISTS for
 *   a member with another role, INVALID_INPUT when the channel has too many.
 */
export function addMember(db: Database, command: MemberCommand, role: ChannelRole): Promise<string> {
  return db.transaction(async (tx) => {
    const subject = await authorizedSubject(tx, command, role, IN_INPUT);
    if (subject.memberId && subject.role === role) return subject.memberId;
    if (subject.memberId) throw alreadyMember(subject);
    if ((await countMembers(tx, command.channelId)) >= MAX_MEMBERS) throw tooMany();
    return put(tx, command, subject, role, 'member.added');
  });
}

/**
 * Changes the role of a member and returns the id of the membership. Throws as {@link addMember}; RESOURCE_NOT_FOUND
 * for an account that is not a member.
 */
export function updateMember(db: Database, command: MemberCommand, role: ChannelRole): Promise<string> {
  return db.transaction(async (tx) => {
    const subject = await authorizedSubject(tx, command, role, IN_INPUT);
    if (!subject.memberId) throw noMember(IN_INPUT.username);
    if (subject.role === role) return subject.memberId;
    return put(tx, command, subject, role, 'member.updated');
  });
}

/** Removes a member, or lets one leave; false when the account was not a member. Throws as {@link addMember}. */
export function dropMember(db: Database, command: MemberCommand): Promise<boolean> {
  return db.transaction(async (tx) => {
    const { accountId, username, memberId } = await authorizedSubject(tx, command, null, PLAIN);
    if (!memberId) return false;
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
  { accountId, channelId, username }: MemberCommand,
  to: ChannelRole | null,
  fields: MemberFields,
): Promise<MemberSubject> {
  const channel = await lockChannel(tx, channelId, accountId);
  if (!channel) throw channelNotFound(fields.channel);
  const subject = await findSubject(tx, channelId, username.trim());
  const { actor, test } = channel;
  const change = { actor, subject: subject?.role ?? null, self: subject?.accountId === accountId, to, test };
  const refused = decideMemberChange(to === null ? MEMBER_REMOVAL : MEMBER_CHANGE, change, fields);
  if (refused) throw refused;
  if (!subject) throw noAccount(fields.username);
  return subject;
}

async function put(
  tx: Transaction,
  { channelId, nowMs }: MemberCommand,
  { accountId, username }: MemberSubject,
  role: ChannelRole,
  type: 'member.added' | 'member.updated',
): Promise<string> {
  const id = await putMember(tx, { id: newId<'member'>(nowMs), channelId, accountId, role }, nowMs);
  await appendEvent(tx, { type, channelId, subjectId: accountId, payload: { username, role } });
  return id;
}

/** RESOURCE_NOT_FOUND for an unknown user name. */
export function noAccount(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', 'There is no account with this user name.', {
    field,
    suggestedFix: 'Check the spelling: it is the name the person signed up with, shown as me.username.',
  });
}

function noMember(field: string): AppError {
  return new AppError('RESOURCE_NOT_FOUND', 'This account is not a member of the channel.', {
    field,
    suggestedFix: 'Call addChannelMember; channel.members lists the members.',
  });
}

function alreadyMember({ username, role }: MemberSubject): AppError {
  return new AppError('RESOURCE_ALREADY_EXISTS', `${username} is already a member of this channel, as ${role}.`, {
    field: IN_INPUT.username,
    suggestedFix: 'Call updateChannelMember to change the role.',
  });
}

function tooMany(): AppError {
  return new AppError('INVALID_INPUT', `A channel has at most ${MAX_MEMBERS} members.`, {
    field: IN_INPUT.username,
    suggestedFix: 'Remove members who no longer work on the channel.',
  });
}
