import { formatDid } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Platform } from '../../../platform/platform.ts';
import { checkImage } from './check-image.ts';
import { checkVideo } from './check-video.ts';
import { type ChecksumCounts, compareChecksums, ownerOf } from './compare-checksums.ts';
import { findOrphans, type ObjectCounts } from './find-orphans.ts';
import { type MediaProblem, MediaProblems, type RowProblem } from './media-problems.ts';
import { IMAGE_ROWS, type MediaTable, VIDEO_ROWS } from './media-rows.store.ts';

export type VerifyMediaPlatform = Pick<Platform, 'db' | 'clock' | 'store' | 'config'>;

export interface VerifyMediaOptions {
  /** Schedules the deletion of orphans. */
  readonly repair: boolean;
  /** How long ago an orphan was written at least. */
  readonly graceMs: number;
  /** Also reads every object and compares its checksum. */
  readonly deep?: boolean;
}

export interface MediaReport {
  readonly videos: number;
  readonly images: number;
  readonly objects: ObjectCounts;
  /** Null without `deep`. */
  readonly checksums: ChecksumCounts | null;
  /** All problems, by kind. */
  readonly problemCounts: MediaProblems['counts'];
  /** The first ones. */
  readonly problems: readonly MediaProblem[];
}

/** More problems than these are only counted. */
const MAX_LISTED = 1_000;
/** Rows whose objects are read at the same time. */
const AT_ONCE = 8;

/**
 * Compares rows and objects: every object that a row, a playlist or a manifest names exists with its size, and every
 * object has a row. Reads both page by page, while the platform is running or stopped.
 */
export async function verifyMedia(platform: VerifyMediaPlatform, options: VerifyMediaOptions): Promise<MediaReport> {
  const { db, clock, store, config } = platform;
  const problems = new MediaProblems(MAX_LISTED);
  const report = (problem: MediaProblem) => problems.add(problem);
  const did = (kind: 'videoAsset' | 'imageAsset') => (id: string) => formatDid(config.DID_NAMESPACE, kind, id);
  const videos = await checkRows(
    { platform, table: VIDEO_ROWS, did: did('videoAsset'), check: (row) => checkVideo(store, row) },
    report,
  );
  const images = await checkRows(
    { platform, table: IMAGE_ROWS, did: did('imageAsset'), check: (row) => checkImage(store, row) },
    report,
  );
  const nowMs = clock.now();
  const { repair, graceMs, deep = false } = options;
  const objects = await findOrphans({ db, store }, { before: nowMs - graceMs, repair, nowMs }, report);
  const rowOf = (key: string) => {
    const owner = ownerOf(key);
    return owner && did(owner.kind)(owner.id);
  };
  const checksums = deep ? await compareChecksums(store, rowOf, report) : null;
  return { videos, images, objects, checksums, problemCounts: problems.counts, problems: problems.first };
}

interface RowCheck<Row extends { readonly id: string }> {
  readonly platform: Pick<Platform, 'db'>;
  readonly table: MediaTable<Row>;
  readonly did: (id: string) => string;
  readonly check: (row: Row) => Promise<RowProblem[]>;
}

/** Checks every row of a table, some at a time; returns how many there are. */
async function checkRows<Row extends { readonly id: string }>(
  rows: RowCheck<Row>,
  report: (problem: MediaProblem) => void,
): Promise<number> {
  let count = 0;
  const pages = rows.table.pages(rows.platform.db)[Symbol.asyncIterator]();
  const lane = async () => {
    for (let next = await pages.next(); !next.done; next = await pages.next()) {
      count += 1;
      for (const problem of await settledProblems(rows, next.value))
        report({ ...problem, row: rows.did(next.value.id) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return count;
}

/** A row that changes this often is in progress. */
const MAX_ATTEMPTS = 3;

/** The problems of a row that was the same after its objects were read; a row that was deleted has none. */
async function settledProblems<Row extends { readonly id: string }>(
  { platform, table, check }: RowCheck<Row>,
  first: Row,
): Promise<RowProblem[]> {
  let row = first;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const problems = await check(row).catch((error: unknown) => {
      // An object was deleted or replaced while it was read.
      if (error instanceof AppError && error.code === 'RESOURCE_NOT_FOUND') return null;
      throw error;
    });
    if (problems?.length === 0) return [];
    const now = await table.read(platform.db, row.id);
    if (!now) return [];
    if (problems && JSON.stringify(now) === JSON.stringify(row)) return problems;
    row = now;
  }
  return [];
}
