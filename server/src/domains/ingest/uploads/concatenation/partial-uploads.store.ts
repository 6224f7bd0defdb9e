import { type ViewerScope, viewerRow } from '../../../../gql/index.ts';
import type { IngestionId } from '../../../../kernel/ids.ts';
import type { Executor } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/statement.ts';
import { roleMay, SCOPED } from '../../../channels/index.ts';
import type { IngestionState } from '../ingestions.store.ts';

/** An upload that is to be joined with others. */
export interface NamedPartial {
  readonly id: IngestionId;
  readonly isPartial: boolean;
  readonly state: IngestionState;
  /** Null while it is not known. */
  readonly sizeBytes: number | null;
  readonly receivedBytes: number;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** The upload that it was joined to. */
  readonly finalId: IngestionId | null;
  /** Its position there, from 1. */
  readonly finalPosition: number | null;
}

const FIND = sql(
  'find_partial_uploads',
  `select i.id, i.is_partial as "isPartial", i.state,
     case when not i.size_deferred then i.size_bytes end as "sizeBytes", i.received_bytes as "receivedBytes",
     i.expires_at as "expiresAt", i.final_id as "finalId", i.final_position as "finalPosition"
   from ingestions i left join contents k on k.id = i.content_id, ${viewerRow('$2')}
   where i.id = any($1::uuid[]) and k.deleted_at is null and ${roleMay(SCOPED, 'i.channel_id', 'asset:upload')}`,
);

/** Those of these uploads in whose channel the viewer may upload. */
export function findNamedPartials(
  db: Executor,
  ids: readonly IngestionId[],
  viewer: ViewerScope,
): Promise<NamedPartial[]> {
  return db.run<NamedPartial>(FIND, [ids, viewer]);
}

const TAKE = sql(
  'take_partial_uploads',
  `with locked as (select id from ingestions where id = any($1::uuid[]) order by id for update)
   update ingestions i set state = 'FINISHED', finished_at = $2 from locked
   where i.id = locked.id and i.is_partial and i.state = 'OPEN' and not i.size_deferred
     and i.received_bytes = i.size_bytes and i.expires_at > $2
   returning i.id`,
);

/** Ends complete partial uploads, so that they no longer count; returns how many of these there were. */
export async function takePartials(tx: Executor, ids: readonly IngestionId[], now: string): Promise<number> {
  return (await tx.run<{ id: string }>(TAKE, [ids, now])).length;
}

const ATTACH = sql(
  'attach_partial_uploads',
  `update ingestions i set final_id = f.id, final_position = p.position, channel_id = f.channel_id
   from ingestions f, unnest($1::uuid[]) with ordinality p (id, position) where f.id = $2 and i.id = p.id`,
);

/** Makes partial uploads, in this order, the parts of an upload and moves them to its channel. */
export async function attachPartials(tx: Executor, ids: readonly IngestionId[], finalId: IngestionId): Promise<void> {
  await tx.run(ATTACH, [ids, finalId]);
}

/** A part of an upload that joins several. */
export interface JoinedPartial {
  readonly position: number;
  readonly sizeBytes: number;
  readonly objectKey: string;
}

const OF = sql(
  'partials_of_upload',
  `select final_position as position, size_bytes as "sizeBytes", object_key as "objectKey" from ingestions
   where final_id = $1 order by final_position`,
);

/** The parts of an upload in their order. */
export function partialsOf(db: Executor, finalId: IngestionId): Promise<JoinedPartial[]> {
  return db.run<JoinedPartial>(OF, [finalId]);
}

const IS_UNJOINED = `state = 'OPEN' and upload_concat is not null and expires_at > $1
     and (locked_until is null or locked_until < now())`;
const UNJOINED = sql('unjoined_uploads', `select id from ingestions where ${IS_UNJOINED} order by id limit 100`);
const UNJOINED_ONE = sql('unjoined_upload', `select id from ingestions where ${IS_UNJOINED} and id = $2`);

/** Final uploads whose parts are not joined yet, and that no process is joining. */
export function unjoinedUploads(db: Executor, now: string): Promise<{ id: IngestionId }[]> {
  return db.run<{ id: IngestionId }>(UNJOINED, [now]);
}

/** Whether this is one of them. */
export async function isUnjoined(db: Executor, id: IngestionId, now: string): Promise<boolean> {
  return (await db.first(UNJOINED_ONE, [now, id])) !== null;
}

const ENDED = sql(
  'ended_partial_uploads',
  `select p.id, p.object_key as "objectKey" from ingestions p left join ingestions f on f.id = p.final_id
   where p.is_partial and p.state <> 'OPEN' and p.expires_at < $1 and f.state is distinct from 'OPEN'
   order by p.expires_at limit 100`,
);
const FORGET = sql('forget_partial_upload', `delete from ingestions where id = $1 and is_partial and state <> 'OPEN'`);

/** Partial uploads that were joined, or ended otherwise, and would have expired before `before`. */
export function endedPartials(db: Executor, before: string): Promise<{ id: IngestionId; objectKey: string }[]> {
  return db.run<{ id: IngestionId; objectKey: string }>(ENDED, [before]);
}

/** Deletes the row of a partial upload that has ended. */
export async function forgetPartial(db: Executor, id: IngestionId): Promise<void> {
  await db.run(FORGET, [id]);
}
