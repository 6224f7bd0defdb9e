import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { isMember, isTestChannel, roleMay, SCOPED } from '../../channels/index.ts';
import type { ContentStatus } from '../contents/lifecycle.ts';
import { isContainer, MAX_SHARE_LINKS, MAX_SHARES, type SharedContentFacts } from './sharing.policy.ts';

/** A content that is about to be shared. */
export interface SharedContent extends SharedContentFacts {
  readonly channelId: string;
}

const LOCK = sql('lock_shared_content', 'select 1 from contents where id = $1 for no key update');
const CONTENT = sql(
  'shared_content',
  `select c.kind, c.status, c.channel_id as "channelId",
     c.effective_visibility <> 'PRIVATE' as open, ${isMember(SCOPED, 'c.channel_id', null)} as member,
     ${roleMay(SCOPED, 'c.channel_id', 'content:publish')} as may, ${isTestChannel('c.channel_id')} as test
   from contents c, ${viewerRow('$3')} where c.id = $1 and c.kind = $2 and c.deleted_at is null`,
);

/** The content, locked until the transaction ends, as the viewer sees it; null when there is none. */
export async function lockSharedContent(
  tx: Executor,
  { id, kind }: { readonly id: string; readonly kind: ContentKind },
  viewer: ViewerScope,
): Promise<SharedContent | null> {
  await tx.first(LOCK, [id]);
  type Row = Omit<SharedContent, 'container'> & { readonly status: ContentStatus };
  const row = await tx.first<Row>(CONTENT, [id, kind, viewer]);
  return row && { ...row, container: isContainer(row.kind) };
}

const ACCOUNT = sql('account_to_share_with', 'select id from accounts where username = $1::citext');

/** The id of the account with this name; null when there is none. */
export async function accountNamed(tx: Executor, username: string): Promise<string | null> {
  return (await tx.first<{ id: string }>(ACCOUNT, [username]))?.id ?? null;
}

/** Whom a content is shared with: an account, or whoever has the address. */
export interface SharePerson {
  readonly accountId: string | null;
  readonly email: string | null;
}

const FIND_SHARE = sql(
  'find_content_share',
  'select id from content_shares where content_id = $1 and (account_id = $2 or email = $3)',
);

/** The id of the share of a content with this person; null when there is none. */
export async function findShare(tx: Executor, contentId: string, to: SharePerson): Promise<string | null> {
  return (await tx.first<{ id: string }>(FIND_SHARE, [contentId, to.accountId, to.email]))?.id ?? null;
}

const INSERT_SHARE = sql(
  'insert_content_share',
  `insert into content_shares (id, content_id, channel_id, account_id, email, created_by, created_at)
   select $1, $2, $3, $4, $5, $6, $7
   where (select count(*) from content_shares where content_id = $2) < ${MAX_SHARES} returning id`,
);

interface NewRow {
  readonly id: string;
  readonly contentId: string;
  readonly channelId: string;
  readonly createdBy: string;
  readonly nowIso: string;
}

/** Adds a person; false when the content has reached the limit. The content is locked. */
export async function insertShare(tx: Executor, row: NewRow, to: SharePerson): Promise<boolean> {
  const { id, contentId, channelId, createdBy, nowIso } = row;
  const values = [id, contentId, channelId, to.accountId, to.email, createdBy, nowIso];
  return (await tx.run(INSERT_SHARE, values)).length > 0;
}

export interface NewShareLink {
  readonly name: string;
  readonly tokenHash: Buffer;
  readonly passwordHash: string | null;
  readonly expiresAt: string | null;
  readonly maxUses: number | null;
}

const INSERT_LINK = sql(
  'insert_share_link',
  `insert into share_links (id, content_id, channel_id, name, token_hash, password_hash, expires_at, max_uses,
     created_by, created_at)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
   where (select count(*) from share_links where content_id = $2) < ${MAX_SHARE_LINKS} returning id`,
);

/** Adds a link; false when the content has reached the limit. The content is locked. */
export async function insertShareLink(tx: Executor, row: NewRow, link: NewShareLink): Promise<boolean> {
  const { id, contentId, channelId, createdBy, nowIso } = row;
  const { name, tokenHash, passwordHash, expiresAt, maxUses } = link;
  const values = [id, contentId, channelId, name, tokenHash, passwordHash, expiresAt, maxUses, createdBy, nowIso];
  return (await tx.run(INSERT_LINK, values)).length > 0;
}

/** A share or link that is about to be deleted. */
export interface SharingRow {
  readonly contentId: string;
  readonly channelId: string;
  readonly member: boolean;
  readonly may: boolean;
}

type SharingTable = 'content_shares' | 'share_links';

const find = (table: SharingTable) =>
  sql(
    `find_${table}`,
    `select g.content_id as "contentId", g.channel_id as "channelId",
       ${isMember(SCOPED, 'g.channel_id', null)} as member,
       ${roleMay(SCOPED, 'g.channel_id', 'content:publish')} as may
     from ${table} g, ${viewerRow('$2')} where g.id = $1 for update of g`,
  );
const FIND = { content_shares: find('content_shares'), share_links: find('share_links') } as const;
const DELETE = {
  content_shares: sql('delete_content_share', 'delete from content_shares where id = $1'),
  share_links: sql('delete_share_link', 'delete from share_links where id = $1'),
} as const;

/** The row, locked until the transaction ends, as the viewer sees it; null when there is none. */
export function lockSharing(
  tx: Executor,
  table: SharingTable,
  id: string,
  viewer: ViewerScope,
): Promise<SharingRow | null> {
  return tx.first(FIND[table], [id, viewer]);
}

export async function deleteSharing(tx: Executor, table: SharingTable, id: string): Promise<void> {
  await tx.run(DELETE[table], [id]);
}
