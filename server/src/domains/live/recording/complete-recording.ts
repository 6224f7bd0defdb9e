import { averageBps, LivePlaylist, peakSegmentBps } from '@reelgraph/manifests';
import { VIDEO_TIMESCALE } from '@reelgraph/mp4';
import { PLAYLIST_NAME, type Rendition, segmentName } from '../../../media/index.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import { completeLiveVideo, completeRenditions, removeVideoAsset, renditionsOfVideo } from '../../assets/index.ts';
import { withdrawContent } from '../../catalog/index.ts';
import { type StoredSegmentRow, segmentsOf } from '../broadcasts/broadcast-segments.store.ts';
import { LIVE_MANIFEST } from '../broadcasts/live-names.ts';
import { placeMessages } from '../chat/chats.store.ts';
import type { LiveJournals } from '../journal/live-journals.ts';
import { initName } from '../packaging/live-track.ts';
import {
  type EndedBroadcast,
  endedBroadcast,
  forgetBroadcast,
  lockEnded,
  markRecorded,
} from './complete-recording.store.ts';
import { recordedManifest } from './live-dash.ts';
import { isOfEncoder, livePrefix, trackOf } from './live-renditions.ts';
import { recoverSegments } from './recover-segments.ts';
import { storeRecordingJob } from './store-recording.job.ts';

export type RecordingTools = Pick<Platform, 'db' | 'clock' | 'store' | 'jobs' | 'log'> & {
  readonly journals: LiveJournals;
};
/** A segment of a track. */
interface Piece {
  readonly row: StoredSegmentRow;
  /** 0 where there is nothing. */
  readonly duration: number;
  readonly durationSeconds: number;
  readonly sizeBytes: number;
}

/**
 * Makes a video of what was stored of a broadcast that has ended: its playlists, its length and its bit rates. The
 * segments stay where they are. Of one whose input keeps nothing, the stream becomes a draft. Nothing happens where the
 * recording is complete.
 */
export async function completeRecording(tools: RecordingTools, broadcastId: string): Promise<void> {
  const { db } = tools;
  const broadcast = await endedBroadcast(db, broadcastId);
  if (!broadcast) return;
  if (broadcast.recording === 'NONE') {
    await tools.journals.recover(broadcastId, async () => {});
    return keepNothing(tools, broadcast);
  }
  await recoverSegments(tools, broadcast);
  const rows = await segmentsOf(db, broadcastId);
  const renditions = await renditionsOfVideo(db, broadcast.videoAssetId, broadcast.contentId);
  const tracks = renditions.map((rendition) => ({ rendition, pieces: piecesOf(rendition, rows) }));
  for (const track of tracks) await storePlaylist(tools, broadcast, track);
  await storeManifest(tools, broadcast, renditions, rows);
  // Of the other sizes, those that were encoded from the beginning to the end are kept until the recording is encoded.
  await keep(
    tools,
    broadcast,
    tracks.filter(({ rendition, pieces }) => isOfEncoder(rendition) || pieces.every(({ sizeBytes }) => sizeBytes > 0)),
    rows,
  );
}

function piecesOf(rendition: Rendition, rows: readonly StoredSegmentRow[]): Piece[] {
  const { timescale } = rendition;
  return rows.map((row) => {
    const [duration, sizeBytes] = ofTrack(row, trackOf(rendition));
    const durationSeconds = duration > 0 ? duration / timescale : row.videoDuration / VIDEO_TIMESCALE;
    return { row, duration, durationSeconds, sizeBytes };
  });
}

/** Duration, in units of the track, and bytes of a segment in a track; 0 where there is nothing. */
function ofTrack(row: StoredSegmentRow, track: string): readonly [duration: number, bytes: number] {
  if (track === 'audio') return [row.audioDuration, row.audioBytes];
  if (track === 'video') return [row.videoDuration, row.videoBytes];
  const bytes = row.sizes?.[track] ?? 0;
  return [bytes > 0 ? row.videoDuration : 0, bytes];
}

interface RecordedTrack {
  readonly rendition: Rendition;
  readonly pieces: readonly Piece[];
}

async function storePlaylist(
  { store }: RecordingTools,
  { contentId, videoAssetId }: EndedBroadcast,
  { rendition, pieces }: RecordedTrack,
): Promise<void> {
  const key = `${livePrefix(contentId, videoAssetId)}${trackOf(rendition)}/${PLAYLIST_NAME}`;
  await store.put(key, Buffer.from(playlistOf(pieces)), { contentType: contentTypeOf(key) });
}

/** For players that play the broadcast by DASH. */
async function storeManifest(
  { store }: RecordingTools,
  { contentId, videoAssetId, startedAt }: EndedBroadcast,
  renditions: readonly Rendition[],
  rows: readonly StoredSegmentRow[],
): Promise<void> {
  const key = livePrefix(contentId, videoAssetId) + LIVE_MANIFEST;
  const manifest = recordedManifest(rows, renditions, Date.parse(startedAt));
  if (manifest !== null) await store.put(key, Buffer.from(manifest), { contentType: contentTypeOf(key) });
}

/** The playlist of what was recorded. What is missing between two segments is a discontinuity. */
export function playlistOf(pieces: readonly Piece[]): string {
  const longest = Math.max(1, ...pieces.map(({ durationSeconds }) => durationSeconds));
  const playlist = new LivePlaylist({
    ...{ targetSeconds: Math.round(longest), partSeconds: null, windowSeconds: Number.POSITIVE_INFINITY },
    initUri: initName(pieces[0]?.row.init ?? 0),
  });
  for (const [index, { row, durationSeconds, sizeBytes }] of pieces.entries()) {
    const before = pieces[index - 1]?.row;
    if (before && isApart(before, row)) playlist.discontinue(initName(row.init));
    playlist.startsAt(Date.parse(row.arrivedAt));
    playlist.addSegment({ uri: segmentName(row.number), durationSeconds, isGap: sizeBytes === 0 });
  }
  playlist.end();
  return playlist.text();
}

/** Whether a segment does not continue the one that is stored before it. */
function isApart(before: StoredSegmentRow, row: StoredSegmentRow): boolean {
  return row.isDiscontinuity || row.init !== before.init || row.number !== before.number + 1;
}

/** DASH numbers segments without gaps, and has one initialization segment. */
function isWhole({ pieces }: RecordedTrack): boolean {
  return pieces.every(
    ({ row, duration }, index) => row.number === index && row.init === pieces[0]?.row.init && duration > 0,
  );
}

async function keep(
  { db, clock, store, jobs }: RecordingTools,
  broadcast: EndedBroadcast,
  tracks: readonly RecordedTrack[],
  rows: readonly StoredSegmentRow[],
): Promise<void> {
  const { id, channelId, contentId, videoAssetId, missingMs } = broadcast;
  const now = new Date(clock.now()).toISOString();
  const measured = tracks.map((track) => ({
    folder: track.rendition.folder,
    ...ratesOf(track.pieces),
    durations: tracks.every(isWhole) ? track.pieces.map(({ duration }) => duration) : [],
  }));
  const durationMs = Math.round(rows.reduce((sum, row) => sum + row.videoDuration, 0) / (VIDEO_TIMESCALE / 1_000));
  let [derivedBytes, derivedFiles] = [0, 0];
  for await (const { sizeBytes } of store.list(livePrefix(contentId, videoAssetId))) {
    derivedBytes += sizeBytes;
    derivedFiles += 1;
  }
  await db.transaction(async (tx) => {
    if (!(await lockEnded(tx, id))) return;
    await completeRenditions(tx, videoAssetId, measured);
    await completeLiveVideo(tx, videoAssetId, { durationMs, derivedBytes, derivedFiles, missingMs }, now);
    await placeMessages(tx, contentId, id);
    await markRecorded(tx, id, now);
    await jobs.send(tx, storeRecordingJob, { broadcastId: id });
    const payload = { durationMs, missingMs };
    await appendEvent(tx, { type: 'stream.recorded', channelId, subjectId: contentId, payload });
  });
}

function ratesOf(pieces: readonly Piece[]): { readonly peakBps: number; readonly averageBps: number } {
  const sized = pieces.filter(({ sizeBytes }) => sizeBytes > 0);
  const longest = Math.max(1, ...sized.map(({ durationSeconds }) => durationSeconds));
  return {
    peakBps: Math.max(1, peakSegmentBps(sized, Math.round(longest))),
    averageBps: Math.max(1, averageBps(sized)),
  };
}

async function keepNothing(
  { db, clock }: RecordingTools,
  { id, contentId, videoAssetId }: EndedBroadcast,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await lockEnded(tx, id))) return;
    await removeVideoAsset(tx, videoAssetId);
    await withdrawContent(tx, contentId, clock.now());
    await forgetBroadcast(tx, id);
  });
}
