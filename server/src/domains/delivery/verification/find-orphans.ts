import type { Database } from '../../../platform/db/database.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import type { MediaProblem } from './media-problems.ts';
import { type GroupOwner, groupObjects, type ObjectGroup } from './object-groups.ts';
import { groupStates, purgeOrphans } from './orphans.store.ts';

export interface OrphanOptions {
  /** Objects written later than this (Unix milliseconds) are not reported: something may be about to name them. */
  readonly before: number;
  /** Schedules the deletion of orphans. */
  readonly repair: boolean;
  readonly nowMs: number;
}

/** What the objects are, besides exports; orphans that are too young count as unnamed. */
export interface ObjectCounts {
  objects: number;
  bytes: number;
  /** Of an upload or a job that has not ended. */
  inUse: number;
  /** With a scheduled deletion. */
  toBeDeleted: number;
  /** Without a row, but too young to be an orphan. */
  recent: number;
  /** Whose deletion this run has scheduled. */
  repaired: number;
}

const BATCH = 200;

/** Below these prefixes lie exports and archives, and what health checks write; their sweeps delete them. */
const OTHER_PREFIXES = ['exports/', 'health/'];

/** Lists everything in the store and reports media that no row names, and what Reelgraph does not write. */
export async function findOrphans(
  { db, store }: { readonly db: Database; readonly store: Pick<ObjectStore, 'entries'> },
  options: OrphanOptions,
  report: (problem: MediaProblem) => void,
): Promise<ObjectCounts> {
  const counts = { objects: 0, bytes: 0, inUse: 0, toBeDeleted: 0, recent: 0, repaired: 0 };
  let batch: ObjectGroup[] = [];
  for await (const group of groupObjects(store.entries())) {
    if (OTHER_PREFIXES.some((prefix) => group.prefix.startsWith(prefix))) continue;
    counts.objects += group.objects;
    counts.bytes += group.bytes;
    batch.push(group);
    if (batch.length < BATCH) continue;
    await checkGroups(db, batch, options, counts, report);
    batch = [];
  }
  await checkGroups(db, batch, options, counts, report);
  return counts;
}

type Owned = ObjectGroup & { readonly owner: GroupOwner };

async function checkGroups(
  db: Database,
  groups: readonly ObjectGroup[],
  { before, repair, nowMs }: OrphanOptions,
  counts: ObjectCounts,
  report: (problem: MediaProblem) => void,
): Promise<void> {
  for (const group of groups) if (group.owner === null) report(unknownObject(group.prefix));
  const owned = groups.filter((group): group is Owned => group.owner !== null);
  const states = await groupStates(db, owned);
  const orphans: Owned[] = [];
  for (const group of owned) {
    const state = states.get(group.prefix);
    if (state === 'inUse') counts.inUse += group.objects;
    else if (state === 'purged') counts.toBeDeleted += group.objects;
    else if (state === 'orphan' && group.modifiedAtMs >= before) counts.recent += group.objects;
    else if (state === 'orphan') orphans.push(group);
  }
  const purged = repair ? await purgeOrphans(db, orphans, nowMs) : new Set<string>();
  for (const orphan of orphans) {
    const repaired = purged.has(orphan.prefix);
    if (repaired) counts.repaired += orphan.objects;
    report(orphanProblem(orphan, repaired));
  }
}

function unknownObject(key: string): MediaProblem {
  const message = 'Reelgraph writes no object with this name.';
  const fix = 'Move the object elsewhere if you need it, or delete it.';
  return { kind: 'UNKNOWN_OBJECT', row: null, key, message, fix };
}

function orphanProblem({ prefix, objects, bytes }: ObjectGroup, repaired: boolean): MediaProblem {
  const message = `No row names ${objects === 1 ? 'this object' : `these ${objects} objects`} (${bytes} bytes).`;
  const fix = repaired ? 'Its deletion is scheduled: a worker does it.' : 'Run verify-media --repair to delete it.';
  return { kind: 'ORPHAN', row: null, key: prefix, message, fix };
}
