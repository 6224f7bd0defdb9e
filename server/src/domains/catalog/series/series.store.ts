import { insertion, NumberedPlaceholders, type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { type ChannelPermission, isMember, roleMay, SCOPED } from '../../channels/index.ts';
import type { ContentFacts } from '../contents/content.policy.ts';
import type { NewContent } from '../contents/content-commands.store.ts';
import { CONTENT_FIELDS, type ContentValues } from '../contents/content-fields.ts';
import type { ContentStatus } from '../contents/lifecycle.ts';
import type { Numbered } from './arrange.ts';

/** A content of a series, as needed by the ordering commands. */
export interface SeriesContent extends ContentFacts {
  readonly id: string;
  readonly kind: ContentKind;
  readonly channelId: string;
  readonly parentId: string | null;
  readonly number: number | null;
  readonly status: ContentStatus;
}

const find = (name: string, permission: ChannelPermission, lock: string) =>
  sql(
    name,
    `select c.id, c.kind, c.channel_id as "channelId", c.parent_id as "parentId", c.number, c.status,
       ${isMember(SCOPED, 'c.channel_id', null)} as member,
         ${roleMay(SCOPED, 'c.channel_id', permission)} as may, c.effective_visibility <> 'PRIVATE' as open
     from contents c, ${viewerRow('$2')} where c.id = any($1::uuid[]) and c.deleted_at is null order by c.id ${lock}`,
  );
const FIND = find('find_in_series', 'content:update', '');
const LOCK = {
  'content:create': find('lock_to_fill', 'content:create', 'for update of c'),
  'content:update': find('lock_to_order', 'content:update', 'for update of c'),
} as const;

/** Contents by id as the viewer sees them; missing ones are omitted. */
export function findInSeries(db: Executor, ids: readonly string[], viewer: ViewerScope): Promise<SeriesContent[]> {
  return db.run<SeriesContent>(FIND, [ids, viewer]);
}

/** As `findInSeries`, each locked until the transaction ends, always in the same order. */
export function lockInSeries(
  tx: Executor,
  ids: readonly string[],
  viewer: ViewerScope,
  permission: keyof typeof LOCK,
): Promise<SeriesContent[]> {
  return tx.run<SeriesContent>(LOCK[permission], [ids, viewer]);
}

const CHILDREN = sql(
  'kept_children',
  'select id, number from contents where parent_id = $1 and deleted_at is null order by number',
);

/** The children of a parent that are not in the trash, in order. */
export function keptChildren(tx: Executor, parentId: string): Promise<Numbered[]> {
  return tx.run<Numbered>(CHILDREN, [parentId]);
}

const SIZE = sql(
  'children_size',
  `select counter_value('children:kept', $1)::int as kept, max(number) as last,
  coalesce(bool_or(number = $2), false) as taken from contents where parent_id = $1 and deleted_at is null`,
);

/** The number of children of a parent, the last number (null without children) and whether `number` is taken. */
export async function childrenFacts(
  tx: Executor,
  parentId: string,
  number: number | null,
): Promise<{ readonly kept: number; readonly last: number | null; readonly taken: boolean }> {
  const facts = await tx.first<{ kept: number; last: number | null; taken: boolean }>(SIZE, [parentId, number]);
  return facts ?? { kept: 0, last: null, taken: false };
}

const PLACE = sql(
  'place_children',
  `with changed as (
     update contents c set parent_id = $1, number = p.number, updated_at = $4
     from unnest($2::uuid[], $3::int[]) p (id, number) where c.id = p.id
     returning c.id, c.channel_id
   )
   insert into events (type, channel_id, subject_id) select 'content.updated', channel_id, id from changed`,
);

/** Sets the parent and number of contents, with an event for each. */
export async function setChildNumbers(
  tx: Executor,
  parentId: string,
  places: readonly Numbered[],
  nowMs: number,
): Promise<void> {
  if (places.length === 0) return;
  await tx.run(PLACE, [
    parentId,
    places.map(({ id }) => id),
    places.map(({ number }) => number),
    new Date(nowMs).toISOString(),
  ]);
}

const placeholders = new NumberedPlaceholders<ContentValues>(8);
const inserted = insertion(placeholders, CONTENT_FIELDS, (values) => values);
const INSERT = sql(
  'insert_child',
  `insert into contents (id, channel_id, parent_id, number, kind, status, created_at, updated_at, ${inserted.columns})
   values ($1, $2, $3, $4, $5, $6, $7, $7, ${inserted.values})`,
);

export interface NewChild extends Omit<NewContent, 'channel'> {
  readonly channelId: string;
  readonly parentId: string;
  readonly number: number;
}

/** Inserts a season or an episode. The caller has locked the parent. */
export async function insertChild(tx: Executor, child: NewChild, nowMs: number): Promise<void> {
  const { id, channelId, parentId, number, kind, status, values } = child;
  const row = [id, channelId, parentId, number, kind, status, new Date(nowMs).toISOString()];
  await tx.run(INSERT, [...row, ...placeholders.values(values)]);
}
