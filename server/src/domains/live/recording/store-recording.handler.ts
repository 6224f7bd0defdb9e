import { Readable } from 'node:stream';
import type { ContentId, VideoAssetId } from '../../../kernel/ids.ts';
import { type AssembledPart, type AssembledTrack, assembleMovie, INIT_NAME, isVideo } from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { noteSourceOfLive, renditionsOfVideo, requireAnySpace, sourceKey, storedBytes } from '../../assets/index.ts';
import { startProcessing } from '../../transcode/index.ts';
import { dropSegments, type StoredSegmentRow, segmentsOf } from '../broadcasts/broadcast-segments.store.ts';
import { LIVE_NAME } from '../broadcasts/live-names.ts';
import { type RecordedBroadcast, recordedBroadcast } from './complete-recording.store.ts';
import { isOfEncoder, livePrefix } from './live-renditions.ts';

type Tools = Pick<Platform, 'db' | 'store' | 'clock' | 'jobs' | 'log' | 'space'>;

/** After uploads, whose makers wait. */
const PRIORITY = -1;

/**
 * Copies the segments of a recording into one file, without encoding, and starts processing it: it is played from the
 * segments until that is done. A recording with gaps, or whose picture changed its size, stays as it is.
 */
export async function storeRecording(tools: Tools, broadcastId: string, run: JobRun): Promise<void> {
  const { db, store, space, log } = tools;
  const broadcast = await recordedBroadcast(db, broadcastId);
  if (!broadcast) return;
  await requireAnySpace(space, db);
  const { contentId, videoAssetId } = broadcast;
  const rows = await segmentsOf(db, broadcastId);
  const tracks = await tracksOf(tools, broadcast, rows);
  if (!tracks) {
    log.info({ broadcastId }, 'a recording with gaps is played as it is');
    return;
  }
  const prefix = livePrefix(contentId, videoAssetId).slice(0, -`${LIVE_NAME}/`.length);
  const { head, parts } = await assembleMovie(tracks, async (path, bytes) => {
    const source = await storedBytes(store, prefix + path);
    if (!source) throw new Error(`${path} of a recording is gone`);
    return source.read(0, bytes);
  });
  run.signal.throwIfAborted();
  const body = Readable.from(bytesOf(tools, prefix, head, parts, run.signal), { objectMode: false });
  const { sizeBytes } = await store.put(sourceKey(videoAssetId), body, { contentType: 'video/mp4' });
  await db.transaction(async (tx) => {
    if (!(await noteSourceOfLive(tx, videoAssetId, sizeBytes))) return;
    await dropSegments(tx, broadcastId);
    const ids = { contentId: contentId as ContentId, videoAssetId: videoAssetId as VideoAssetId }; // of the tables
    await startProcessing(tools, tx, { ...ids, priority: PRIORITY });
  });
}

/** Null where they cannot be the tracks of one file. */
async function tracksOf(
  { db, store }: Tools,
  { contentId, videoAssetId }: RecordedBroadcast,
  rows: readonly StoredSegmentRow[],
): Promise<AssembledTrack[] | null> {
  if (rows.length === 0 || rows.some(({ number, init }, index) => number !== index || init !== 0)) return null;
  const tracks: AssembledTrack[] = [];
  for (const rendition of await renditionsOfVideo(db, videoAssetId, contentId)) {
    if (rendition.origin !== 'LIVE') return null;
    if (!isOfEncoder(rendition)) continue;
    const kind = isVideo(rendition) ? 'video' : 'audio';
    const segments = rows.map((row) => ({ sizeBytes: kind === 'video' ? row.videoBytes : row.audioBytes }));
    const init = await storedBytes(store, `${livePrefix(contentId, videoAssetId)}${kind}/${INIT_NAME}`);
    if (!init || segments.some(({ sizeBytes }) => sizeBytes === 0)) return null;
    tracks.push({ kind, folder: rendition.folder, init: await init.read(0, init.sizeBytes), segments });
  }
  return tracks;
}

async function* bytesOf(
  { store }: Tools,
  prefix: string,
  head: Buffer,
  parts: readonly AssembledPart[],
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  yield head;
  for (const { path, start, bytes } of parts) {
    signal.throwIfAborted();
    const found = await store.read(prefix + path, { start, end: start + bytes - 1 });
    if (!found) throw new Error(`${path} of a recording is gone`);
    yield* found.stream as AsyncIterable<Buffer>; // streams carry bytes
  }
}
