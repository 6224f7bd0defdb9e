import type { ChannelRole } from '../../kernel/permissions.ts';
import { type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';

const CREATE =
  'mutation ($contentId: DID!, $body: String!, $parent: DID) { createComment(contentId: $contentId, body: $body, ' +
  'parent: $parent) { id } }';

/** Writes a comment like the API, a minute later each time to stay below the limit; returns its DID. */
export async function comment(
  api: TestCatalog,
  who: Person,
  contentId: string,
  body = 'A comment',
  parent?: string,
): Promise<string> {
  api.clock.advance(60_000);
  return (await api.ok(who, CREATE, { contentId, body, parent })).createComment.id;
}

/** Makes `who` a member of the channel of `owner`. */
export async function member(api: TestCatalog, owner: Person, who: Person, role: ChannelRole): Promise<void> {
  await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
    owner.channelId,
    who.accountId,
    role,
  ]);
}

/** Types of the events on an object, in order. */
export async function eventsOf(api: TestCatalog, did: string): Promise<string[]> {
  return (
    await api.rows<{ type: string }>('select type from events where subject_id = $1 order by id', [uuidOf(did)])
  ).map(({ type }) => type);
}

/**
 * Counters of the social domain beside counts of their tables, which must be equal: `scope key` to count, without
 * zeros.
 */
export async function countsAndRecount(api: TestCatalog): Promise<[Record<string, number>, Record<string, number>]> {
  const scopes = [
    'content:likes',
    'content:comments',
    'content:threads',
    'comment:%',
    'channel:followers',
    'channel:held',
    'channel:blocks',
    'channel:reports:%',
    'account:follows',
    'account:comments',
  ];
  const kept = await api.rows<{ name: string; n: number }>(
    `select scope || ' ' || key as name, sum(value)::int8 as n from counters
     where scope like any($1) group by scope, key having sum(value) <> 0`,
    [scopes],
  );
  const counted = await api.rows<{ name: string; n: number }>(`
    select scope || ' ' || key as name, count(*) as n from (
      select 'content:likes' as scope, content_id as key from likes
      union all select 'channel:followers', channel_id from follows
      union all select 'account:follows', account_id from follows
      union all select 'content:comments', content_id from comments where status = 'PUBLISHED' and deleted_at is null
      union all select 'content:threads', content_id from comments where listed and parent_id is null
      union all select 'comment:replies', parent_id from comments where listed and parent_id is not null
      union all select 'comment:thread', root_id from comments where listed and root_id is not null
      union all select 'channel:held', channel_id from comments where status = 'HELD'
      union all select 'account:comments', account_id from comments where account_id is not null
      union all select 'channel:blocks', channel_id from channel_blocks
      union all select 'channel:reports:' || status, channel_id from reports) t group by scope, key`);
  const table = (rows: { name: string; n: number }[]) =>
    Object.fromEntries(
      rows.map(({ name, n }) => [name, Number(n)]).sort(([a], [b]) => String(a).localeCompare(String(b))),
    );
  return [table(kept), table(counted)];
}
