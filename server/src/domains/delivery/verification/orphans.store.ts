import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { GroupOwner } from './object-groups.ts';

/** `used`: a row names it; `inUse`: an upload or a job may be writing it; `purged`: its deletion is scheduled. */
export type GroupState = 'used' | 'inUse' | 'purged' | 'orphan';

export interface OwnedGroup {
  readonly prefix: string;
  readonly owner: GroupOwner;
}

/**
 * SQL: `found` with the state of each group of objects. Anything below a video that a job works on, and anything of an
 * open upload or of its parts, is in use.
 */
const FOUND = `
  found as (
    select g.prefix, case
      when g.area = 'media' and exists (select from video_assets v where v.id = g.id and v.package_prefix = g.prefix)
        or g.area = 'media' and exists (select from media_indexes i where i.video_asset_id = g.id
          and i.key_prefix = g.prefix)
        or g.area = 'media' and exists (select from renditions r where r.video_asset_id = g.id
          and starts_with('media/' || g.content_id || '/' || g.id || '/' || r.folder, g.prefix))
        or g.area in ('uploads', 'sources') and exists (select from video_assets v where v.source_key = g.prefix
          and v.original_deleted_at is null)
        or g.area in ('uploads', 'sources') and exists (select from video_assets v where v.original_key = g.prefix)
        or g.area = 'images' and exists (select from image_assets i where i.id = g.id and i.object_prefix = g.prefix)
        then 'used'
      when g.area = 'media' and exists (select from transcode_jobs j where j.video_asset_id = g.id
          and j.status in ('QUEUED', 'TRANSCODING', 'CANCELLING'))
        or g.area = 'sources' and exists (select from transcode_jobs j where j.id = g.id
          and j.status in ('IDLE', 'QUEUED', 'TRANSCODING', 'CANCELLING'))
        or g.area = 'uploads' and exists (select from ingestions i left join ingestions f on f.id = i.final_id
          where i.id = g.id and 'OPEN' in (i.state, f.state))
        then 'inUse'
      when exists (select from object_purges p where p.key_prefix in (g.prefix, 'media/' || g.content_id || '/',
        'media/' || g.content_id || '/' || g.id || '/'))
        then 'purged'
      else 'orphan' end as state
    from unnest($1::text[], $2::text[], $3::uuid[], $4::uuid[]) g (prefix, area, id, content_id)
  )`;

const STATES = sql('object_group_states', `with ${FOUND} select prefix, state from found`);

/** The state of each group, by prefix. */
export async function groupStates(
  db: Executor,
  groups: readonly OwnedGroup[],
): Promise<ReadonlyMap<string, GroupState>> {
  const rows = await db.run<{ prefix: string; state: GroupState }>(STATES, columnsOf(groups));
  return new Map(rows.map(({ prefix, state }) => [prefix, state]));
}

const PURGE = sql(
  'purge_orphans',
  `with ${FOUND}
   insert into object_purges (key_prefix, due_at, created_at)
   select prefix, $5::timestamptz, $5::timestamptz from found where state = 'orphan'
   returning key_prefix as prefix`,
);

/** Schedules the deletion of those groups that are orphans at this moment; returns their prefixes. */
export async function purgeOrphans(
  db: Executor,
  groups: readonly OwnedGroup[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  if (groups.length === 0) return new Set();
  const rows = await db.run<{ prefix: string }>(PURGE, [...columnsOf(groups), new Date(nowMs).toISOString()]);
  return new Set(rows.map(({ prefix }) => prefix));
}

function columnsOf(groups: readonly OwnedGroup[]): unknown[] {
  return [
    groups.map(({ prefix }) => prefix),
    groups.map(({ owner }) => owner.area),
    groups.map(({ owner }) => owner.id),
    groups.map(({ owner }) => owner.contentId),
  ];
}
