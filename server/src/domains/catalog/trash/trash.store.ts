import type { CommandScope, CommandTarget } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { channelFacts } from '../../channels/index.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { type ContentAction, LIFECYCLE } from '../contents/lifecycle.ts';
import { MAX_NUMBER } from '../series/arrange.ts';
import { purgeAt, TEST_DATA_HOURS, TRASH_DAYS } from './trash.policy.ts';

/**
 * The content of an action, in the trash or not, locked. Trashed contents are visible only to those who may act on
 * them; contents that are being purged to no one.
 */
export function trashTarget(action: ContentAction): CommandTarget<ContentTarget> {
  const { permission } = LIFECYCLE[action];
  return {
    field: 'id',
    from: (s) => `
    join contents c on c.id = ${s.value(({ id }) => id, 'uuid')} and c.kind = ${s.value(({ kind }) => kind, 'text')}
      and (c.deleted_at is null or ${purgeAt('c')} > ${s.now})
    for update of c`,
    columns(s) {
      const { member, may } = channelFacts(s, 'c.channel_id', permission);
      return {
        id: 'c.id',
        channel_id: 'c.channel_id',
        kind: 'c.kind',
        status: 'c.status',
        trashed: 'c.deleted_at is not null',
        member: `(c.deleted_at is null and ${member}) or ${may}`,
        may,
        open: `c.effective_visibility <> 'PRIVATE'`,
        parentTrashed: 'exists (select 1 from contents p where p.id = c.parent_id and p.deleted_at is not null)',
      };
    },
  };
}

/** The ids of `root` and of everything below it for which `condition` over `c` holds. */
function tree(root: string, condition: string): string {
  return `
    with recursive tree as (
      select t.id from ${root}
      union all
      select c.id from contents c join tree on c.parent_id = tree.id where ${condition}
    )
    select id from tree`;
}

/**
 * Moves a content and its children to the trash, hidden from everyone. Their state is kept, scheduled publication ends.
 */
export function deleteContentWrites(s: CommandScope<ContentTarget>) {
  return {
    tree: tree('permitted t where not t.trashed', 'c.deleted_at is null'),
    changed: `
    update contents c set deleted_at = ${s.now}, trashed_with = case when c.id <> t.id then t.id end,
      release_at = null, publish_when_ready = false, updated_at = ${s.now}
    from tree, permitted t where c.id = tree.id and c.deleted_at is null
    returning c.id, c.channel_id`,
    event:
      `insert into events (type, channel_id, subject_id) select 'content.deleted', channel_id, id from changed ` +
      'order by id',
  };
}

/** Whether a sibling outside the trash now has the number of `row`. */
const numberTaken = (row: string): string =>
  `exists (select 1 from contents k where k.parent_id = ${row}.parent_id and k.number = ${row}.number and ` +
  'k.deleted_at is null)';

/**
 * The next number after the siblings of `row` outside the trash; MAX_NUMBER when none is left, which is then refused as
 * taken.
 */
const nextNumber = (row: string): string =>
  `(select least(max(k.number) + 1, ${MAX_NUMBER}) from contents k ` +
  `where k.parent_id = ${row}.parent_id and k.deleted_at is null)`;

/**
 * Restores a content from the trash, with everything deleted together with it. When its number is taken, it gets the
 * next one at the end.
 */
export function restoreContentWrites(s: CommandScope<ContentTarget>) {
  return {
    restored: `
    update contents c set deleted_at = null, trashed_with = null, updated_at = ${s.now},
      number = case when c.id = t.id and ${numberTaken('c')} then ${nextNumber('c')} else c.number end
    from permitted t where t.trashed and (c.id = t.id or c.trashed_with = t.id)
    returning c.*`,
    changed: 'select r.* from restored r join permitted t on t.id = r.id',
    event:
      `insert into events (type, channel_id, subject_id) select 'content.restored', channel_id, id from restored ` +
      'order by id',
  };
}

/** Marks a trashed content and its children as due for purging, hidden from everyone. */
export function expireContentWrites(s: CommandScope<ContentTarget>) {
  return {
    tree: tree('permitted t', 'true'),
    changed: `
    update contents c set deleted_at = ${s.now} - interval '${TRASH_DAYS} days', trashed_with = case
      when c.id <> t.id then c.trashed_with end
    from tree, permitted t where c.id = tree.id returning c.id`,
  };
}

const EXPIRE_TEST_DATA = sql(
  'expire_test_data',
  `select expire_test_data($1::timestamptz - interval '${TEST_DATA_HOURS} hours',
     $1::timestamptz - interval '${TRASH_DAYS} days', $2) as more`,
);

/**
 * Deletes playlists of test channels that are due, and marks their contents as due for purging: at most `rows` of both.
 * Returns whether there may be more.
 */
export async function expireTestData(db: Executor, nowMs: number, rows: number): Promise<boolean> {
  return (await db.first<{ more: boolean }>(EXPIRE_TEST_DATA, [new Date(nowMs).toISOString(), rows]))?.more ?? false;
}

/** Which of the contents due for purging: the oldest, or one. */
export type Due = { readonly limit: number } | { readonly id: string };

/** A statement about the contents `tree` that are due: `$1` is the present instant, `$2` the limit or the id. */
function onDue(name: string, rest: string) {
  const text = (which: string) => `with due as (
     select c.id from contents c
     where c.deleted_at <= $1::timestamptz - interval '${TRASH_DAYS} days'
       and c.trashed_with is null ${which} for update skip locked
   ),
   tree as (${tree('due t', 'true')}) ${rest}`;
  const [oldest, one] = [
    sql(name, text('order by c.deleted_at, c.id limit $2')),
    sql(`${name}_one`, text('and c.id = $2')),
  ];
  return <Row extends object>(db: Executor, nowMs: number, due: Due, more: readonly unknown[] = []) =>
    db.run<Row>('id' in due ? one : oldest, [new Date(nowMs).toISOString(), 'id' in due ? due.id : due.limit, ...more]);
}

const clear = onDue('clear_due', 'select purge_contents_batch(array(select id from tree), $3)::int as cleared');

/**
 * Deletes the comments and likes of contents that `purgeDueContents` would delete: at most `rows`, so that a content
 * with a million comments is deleted in batches. Returns whether there may be more.
 */
export async function clearDueContents(db: Executor, nowMs: number, due: Due, rows: number): Promise<boolean> {
  const [found] = await clear<{ cleared: number }>(db, nowMs, due, [rows]);
  return (found?.cleared ?? 0) > 0;
}

const purge = onDue(
  'purge_due',
  `, changed as (delete from contents c using (select distinct id from tree) gone where c.id = gone.id returning c.id,
    c.channel_id, c.kind),
   event as (
     insert into events (type, channel_id, subject_id, payload)
     select 'content.purged', channel_id, id, jsonb_build_object('kind', kind) from changed order by id
   )
   select id from changed`,
);

/**
 * Permanently deletes contents that are due, with their children; triggers schedule the deletion of their objects.
 * Returns all their ids.
 */
export async function purgeDueContents(db: Executor, nowMs: number, due: Due): Promise<string[]> {
  return (await purge<{ id: string }>(db, nowMs, due)).map(({ id }) => id);
}
