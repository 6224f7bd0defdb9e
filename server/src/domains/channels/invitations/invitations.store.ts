import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { ChannelRole } from '../../../kernel/permissions.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { roleOfViewer, rolesFor, SCOPED, tokenAllows } from '../members/membership.sql.ts';
import type { AnsweredInvitation, InvitationState, ManagedInvitation } from './invitation.policy.ts';
import { isOpenInvitation } from './invitations.sql.ts';

/** Days for which an ended invitation is kept. */
const KEPT_DAYS = 30;

/** An account by its name, or whoever has the address. */
export type Recipient = { readonly accountId: string; readonly email: null } | { readonly email: string };

const LOAD = sql(
  'channel_invitation_load',
  `select count(*) filter (where ${isOpenInvitation('i', '$2')})::int as open,
     count(*) filter (where i.created_at > $2::timestamptz - interval '1 day')::int as today,
     count(*) filter (where i.created_at > $2::timestamptz - interval '1 day'
       and (i.account_id = $3 or i.email = $4))::int as same
   from channel_invitations i where i.channel_id = $1`,
);

/** How many invitations of a channel are open, how many it sent within a day, and how many of them to this one. */
export async function countInvitations(
  tx: Executor,
  channelId: string,
  to: Recipient,
  nowIso: string,
): Promise<{ open: number; today: number; same: number }> {
  const row = await tx.first<{ open: number; today: number; same: number }>(LOAD, [channelId, nowIso, ...columns(to)]);
  return row ?? { open: 0, today: 0, same: 0 };
}

const REPLACE = sql(
  'replace_channel_invitation',
  `update channel_invitations set state = 'WITHDRAWN', ended_at = $2
   where channel_id = $1 and state = 'PENDING' and (account_id = $3 or email = $4)`,
);
const INSERT = sql(
  'insert_channel_invitation',
  `insert into channel_invitations (id, channel_id, account_id, email, role, token_hash, invited_by, created_at,
     expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

export interface NewChannelInvitation {
  readonly id: string;
  readonly channelId: string;
  readonly to: Recipient;
  readonly role: ChannelRole;
  readonly tokenHash: Buffer;
  readonly invitedBy: string;
  readonly nowIso: string;
  readonly expiresAt: string;
}

/** Writes an invitation in the place of an open one to the same person. */
export async function putInvitation(tx: Executor, invitation: NewChannelInvitation): Promise<void> {
  const { id, channelId, to, role, tokenHash, invitedBy, nowIso, expiresAt } = invitation;
  await tx.run(REPLACE, [channelId, nowIso, ...columns(to)]);
  await tx.run(INSERT, [id, channelId, ...columns(to), role, tokenHash, invitedBy, nowIso, expiresAt]);
}

const columns = (to: Recipient) => ['accountId' in to ? to.accountId : null, to.email];

const MESSAGE = sql(
  'channel_invitation_message',
  `select h.title as channel, h.handle::text as handle, by.name as "invitedBy",
     (select a.email::text from accounts a where a.id = $3 and a.suspended_at is null and a.closed_at is null) as email
   from channels h join accounts by on by.id = $2 where h.id = $1`,
);

/** What the message says; `email` is null without an account, and for one that cannot sign in. */
export interface MessageFacts {
  readonly channel: string;
  readonly handle: string;
  readonly invitedBy: string;
  readonly email: string | null;
}

export function readMessageFacts(
  tx: Executor,
  channelId: string,
  invitedBy: string,
  accountId: string | null,
): Promise<MessageFacts | null> {
  return tx.first<MessageFacts>(MESSAGE, [channelId, invitedBy, accountId]);
}

const CHANNEL = sql('channel_of_invitation', 'select channel_id as "channelId" from channel_invitations where id = $1');

/** The channel that an invitation is to; null when there is no such invitation. */
export async function channelOfInvitation(tx: Executor, id: string): Promise<string | null> {
  return (await tx.first<{ channelId: string }>(CHANNEL, [id]))?.channelId ?? null;
}

const ANSWERED = sql(
  'answered_channel_invitation',
  `select i.role, i.state, ${isOpenInvitation('i', '$4')} as open, m.id as "memberId", a.username::text as username,
     i.account_id is not distinct from a.id or (i.email = a.email and (a.email_verified or i.token_hash = $3)) as mine,
     i.state = 'ACCEPTED' and m.id is not null as accepted
   from ${viewerRow('$2')}
   join channel_invitations i on i.id = $1${tokenAllows(SCOPED, null, 'i')}
   join channels h on h.id = i.channel_id and not h.is_hidden
   join accounts a on a.id = v.account_id
   left join channel_members m on m.channel_id = i.channel_id and m.account_id = a.id`,
);

export interface AnsweredRow extends AnsweredInvitation {
  readonly role: ChannelRole;
  /** Null for a non-member. */
  readonly memberId: string | null;
  readonly username: string;
}

/** The invitation as a viewer sees it that answers it, with the token of a link or without. */
export function findAnswered(
  tx: Executor,
  id: string,
  viewer: ViewerScope,
  tokenHash: Buffer | null,
  nowIso: string,
): Promise<AnsweredRow | null> {
  return tx.first<AnsweredRow>(ANSWERED, [id, viewer, tokenHash, nowIso]);
}

const MANAGED = sql(
  'managed_channel_invitation',
  `select ${isOpenInvitation('i', '$3')} as open, m.role is not null as member,
     coalesce(m.role in (${rolesFor('member:manage')}), false) as may
   from ${viewerRow('$2')} join channel_invitations i on i.id = $1
   cross join lateral (select ${roleOfViewer(SCOPED, 'i.channel_id')} as role) m`,
);

/** The invitation as a member of its channel sees it. */
export function findManaged(
  tx: Executor,
  id: string,
  viewer: ViewerScope,
  nowIso: string,
): Promise<(ManagedInvitation & { readonly open: boolean }) | null> {
  return tx.first<ManagedInvitation & { readonly open: boolean }>(MANAGED, [id, viewer, nowIso]);
}

const END = sql('end_channel_invitation', 'update channel_invitations set state = $2, ended_at = $3 where id = $1');

export async function endInvitation(tx: Executor, id: string, state: InvitationState, nowIso: string): Promise<void> {
  await tx.run(END, [id, state, nowIso]);
}

const FORGET = sql(
  'forget_channel_invitations',
  `delete from channel_invitations where id = any(array(
     select id from channel_invitations where expires_at < $1::timestamptz - make_interval(days => ${KEPT_DAYS})
     order by expires_at limit 1000))`,
);

/** Deletes invitations that ended long ago. */
export async function forgetChannelInvitations(db: Executor, nowMs: number): Promise<void> {
  await db.run(FORGET, [new Date(nowMs).toISOString()]);
}
