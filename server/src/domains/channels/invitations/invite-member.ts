import { createHash, randomBytes } from 'node:crypto';
import type { CommandContext, Viewer } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { ChannelRole } from '../../../kernel/permissions.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { checkEmail } from '../../accounts/index.ts';
import { channelNotFound } from '../channel.policy.ts';
import { alreadyMember, MAX_MEMBERS, noAccount, tooManyMembers } from '../members/change-members.ts';
import { decideMemberChange, MEMBER_ARGUMENTS } from '../members/member.policy.ts';
import { countMembers, findSubject, lockChannel, type MemberSubject } from '../members/members.store.ts';
import { requireAccount } from '../require-account.ts';
import { invitationMail } from './invitation-mail.ts';
import { countInvitations, putInvitation, type Recipient, readMessageFacts } from './invitations.store.ts';

/** Days until an invitation expires. */
export const INVITATION_DAYS = 7;
/** Invitations that a channel sends within a day, in all and to the same person. */
export const MAX_PER_DAY = 50;
export const MAX_TO_ONE = 3;

const DAY_MS = 86_400_000;
const TOKEN_BYTES = 32;

export interface InviteInput {
  readonly username?: Maybe<string>;
  readonly email?: Maybe<string>;
  readonly role: ChannelRole;
}

/** What is stored of the token of a link. */
export const tokenHashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/**
 * Invites an account by its name, or whoever has an address: the response is the same for an address without an
 * account. Takes the place of an open invitation to the same person. Returns the id of the invitation.
 * @throws AppError for the channel and the role (see member.policy.ts); INVALID_INPUT for both or neither of username
 *   and email, an address that is none, or a full channel; RESOURCE_NOT_FOUND for an unknown username;
 *   RESOURCE_ALREADY_EXISTS for a member; RATE_LIMIT_EXCEEDED for too many in a day.
 */
export async function inviteMember(context: CommandContext, channelId: string, input: InviteInput): Promise<string> {
  const { accountId } = requireAccount(context);
  const { nowIso, nowMs } = context;
  const address = addressOf(input);
  return context.services.channels.db.transaction(async (tx) => {
    const subject = await authorizedSubject(tx, requireAccount(context), channelId, input);
    const to = recipient(subject, address);
    await requireRoom(tx, channelId, to, nowIso);
    const id = newId<'channelInvitation'>(nowMs);
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(nowMs + INVITATION_DAYS * DAY_MS).toISOString();
    const { role } = input;
    const tokenHash = tokenHashOf(token);
    await putInvitation(tx, { id, channelId, to, role, tokenHash, invitedBy: accountId, nowIso, expiresAt });
    await appendEvent(tx, { type: 'member.invited', channelId, subjectId: id, payload: { role } });
    const facts = await readMessageFacts(tx, channelId, accountId, subject?.accountId ?? null);
    const recipientAddress = address ?? facts?.email ?? null;
    if (facts && recipientAddress !== null) {
      const url = `${context.baseUrl}/invitations#token=${token}`;
      const mail = invitationMail({ ...facts, email: recipientAddress, role, url });
      const { language } = context;
      await context.services.channels.queueMail(tx, { ...mail, language }, nowMs + INVITATION_DAYS * DAY_MS);
    }
    return id;
  });
}

/** The address to invite; null for a username. */
function addressOf({ username, email }: InviteInput): string | null {
  if ((username == null) === (email == null))
    throw new AppError('INVALID_INPUT', t`Give either a username or an email address.`, {
      field: email == null ? MEMBER_ARGUMENTS.username : 'input.email',
      suggestedFix: t`Send input.username for an account of this server, or input.email for anyone.`,
    });
  return email == null ? null : checkEmail(email, 'input.email');
}

/** The named account, once the policy permits to invite; null for an address. */
async function authorizedSubject(
  tx: Transaction,
  { accountId, scope }: Pick<Viewer, 'accountId' | 'scope'>,
  channelId: string,
  { username, role }: InviteInput,
): Promise<MemberSubject | null> {
  const channel = await lockChannel(tx, channelId, scope);
  if (!channel) throw channelNotFound(MEMBER_ARGUMENTS.channel);
  const subject = username == null ? null : await findSubject(tx, channelId, username.trim().replace(/^@/, ''));
  const self = subject?.accountId === accountId;
  const { actor, test } = channel;
  const change = { actor, subject: subject?.role ?? null, self, to: role, test };
  const refused = decideMemberChange(change);
  if (refused) throw refused;
  if (username != null && !subject) throw noAccount();
  if (subject?.memberId) throw alreadyMember(subject, MEMBER_ARGUMENTS.username);
  return subject;
}

function recipient(subject: MemberSubject | null, address: string | null): Recipient {
  if (subject) return { accountId: subject.accountId, email: null };
  if (address === null) throw noAccount();
  return { email: address };
}

async function requireRoom(tx: Transaction, channelId: string, to: Recipient, nowIso: string): Promise<void> {
  const { open, today, same } = await countInvitations(tx, channelId, to, nowIso);
  if (same >= MAX_TO_ONE)
    throw new AppError('RATE_LIMIT_EXCEEDED', t`A person is invited to a channel at most ${MAX_TO_ONE} times a day.`, {
      field: 'email' in to && to.email !== null ? 'input.email' : MEMBER_ARGUMENTS.username,
      suggestedFix: t`Ask the person to look for the message, also among spam, or try again tomorrow.`,
    });
  if (today >= MAX_PER_DAY)
    throw new AppError('RATE_LIMIT_EXCEEDED', t`A channel sends at most ${MAX_PER_DAY} invitations a day.`, {
      field: MEMBER_ARGUMENTS.channel,
      suggestedFix: t`Try again tomorrow.`,
    });
  if ((await countMembers(tx, channelId)) + open >= MAX_MEMBERS) throw tooManyMembers(MEMBER_ARGUMENTS.channel);
}
