import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { ChannelRole } from '../../../kernel/permissions.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isVisibleChannel } from '../channel-visibility.sql.ts';
import { roleOfViewer, SCOPED } from './membership.sql.ts';

/** A channel whose members or owner are about to change. */
export interface LockedChannel {
  readonly ownerId: string;
  /** Whether it is the primary channel of its owner. */
  readonly primary: boolean;
  /** Whether it is the test channel of its owner. */
  readonly test: boolean;
  /** Role of the requester; null for a non-member. */
  readonly actor: ChannelRole | null;
  /** Whether the requester is a member, in any role. */
  readonly member: boolean;
  /** Whether the requester is its owner. */
  readonly may: boolean;
}

const LOCK = sql('lock_channel', 'select 1 from channels where id = $1 for no key update');
const FACTS = sql(
  'locked_channel',
  `select ch.account_id as "ownerId", a.primary_channel_id = ch.id as "primary", ch.is_test as test, m.role as actor,
     m.role is not null as member, coalesce(m.role = 'OWNER', false) as may
   from ${viewerRow('$2')} join channels ch on ch.id = $1 and ${isVisibleChannel('ch', SCOPED)}
   join accounts a on a.id = ch.account_id
   cross join lateral (select ${roleOfViewer(SCOPED, 'ch.id')} as role) m`,
);

/** The channel, locked until the transaction ends, as the viewer sees it; null when there is none. */
export async function lockChannel(tx: Executor, channelId: string, viewer: ViewerScope): Promise<LockedChannel | null> {
  await tx.first(LOCK, [channelId]);
  return tx.first<LockedChannel>(FACTS, [channelId, viewer]);
}

const SUBJECT = sql(
  'member_by_username',
  `select a.id as "accountId", a.username, m.id as "memberId", m.role
   from accounts a left join channel_members m on m.account_id = a.id and m.channel_id = $1
     where a.username = $2::citext`,
);

/** An account and its role in a channel. */
export interface MemberSubject {
  readonly accountId: string;
  readonly username: string;
  /** Null for a non-member. */
  readonly memberId: string | null;
  readonly role: ChannelRole | null;
}

export function findSubject(tx: Executor, channelId: string, username: string): Promise<MemberSubject | null> {
  return tx.first<MemberSubject>(SUBJECT, [channelId, username]);
}

const COUNT = sql('count_members', `select counter_value('channel:members', $1) as count`);

export async function countMembers(tx: Executor, channelId: string): Promise<number> {
  return (await tx.first<{ count: number }>(COUNT, [channelId]))?.count ?? 0;
}

const PUT = sql(
  'put_member',
  `insert into channel_members (id, channel_id, account_id, role, created_at, updated_at) values ($1, $2, $3, $4, $5,
    $5)
   on conflict (channel_id, account_id) do update set role = excluded.role, updated_at = excluded.updated_at
     returning id`,
);

/** Makes the account a member with this role; returns the id of the membership, which is `id` for a new one. */
export async function putMember(
  tx: Executor,
  member: { readonly id: string; readonly channelId: string; readonly accountId: string; readonly role: ChannelRole },
  nowMs: number,
): Promise<string> {
  const values = [member.id, member.channelId, member.accountId, member.role, new Date(nowMs).toISOString()];
  return (await tx.first<{ id: string }>(PUT, values))?.id ?? member.id;
}

const REMOVE = sql('remove_member', 'delete from channel_members where channel_id = $1 and account_id = $2');

export async function removeMember(tx: Executor, channelId: string, accountId: string): Promise<void> {
  await tx.run(REMOVE, [channelId, accountId]);
}

const OWN = sql('set_channel_owner', 'update channels set account_id = $2, updated_at = $3 where id = $1');

/** Writes whose quota the channel counts against; the caller changes the members' roles. */
export async function setOwner(tx: Executor, channelId: string, accountId: string, nowMs: number): Promise<void> {
  await tx.run(OWN, [channelId, accountId, new Date(nowMs).toISOString()]);
}

const STORED = sql('channel_stored_bytes', `select counter_value('channel:storage', $1) as bytes`);

/** Bytes that the channel stores, open uploads included. */
export async function channelStoredBytes(tx: Executor, channelId: string): Promise<number> {
  return (await tx.first<{ bytes: number }>(STORED, [channelId]))?.bytes ?? 0;
}

const WITHDRAW_BY = sql(
  'withdraw_channel_invitations',
  `update channel_invitations set state = 'WITHDRAWN', ended_at = $3
   where channel_id = $1 and invited_by = $2 and state = 'PENDING'`,
);

/** Withdraws what an account invited to a channel. */
export async function withdrawInvitationsBy(
  tx: Executor,
  channelId: string,
  accountId: string,
  nowIso: string,
): Promise<void> {
  await tx.run(WITHDRAW_BY, [channelId, accountId, nowIso]);
}
