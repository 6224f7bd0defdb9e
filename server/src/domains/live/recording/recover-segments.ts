import { joinParts } from '@reelgraph/mp4';
import type { Platform } from '../../../platform/platform.ts';
import { segmentsOf } from '../broadcasts/broadcast-segments.store.ts';
import type { JournalRecord } from '../journal/journal-records.ts';
import type { LiveJournals } from '../journal/live-journals.ts';
import type { ArrivedPart } from '../packaging/arrived-part.ts';
import type { LiveInits, LiveSegment } from '../packaging/live-stream.ts';
import { livePrefix } from './live-renditions.ts';
import { SegmentRecorder } from './segment-recorder.ts';

type Tools = Pick<Platform, 'db' | 'store' | 'log'> & { readonly journals: LiveJournals };

/**
 * Stores what a process of this machine that was killed had received of a broadcast and not stored: its last segment is
 * as long as the parts that had arrived. Nothing happens where there is no journal.
 */
export async function recoverSegments(
  tools: Tools,
  { id, contentId, videoAssetId }: { readonly id: string; readonly contentId: string; readonly videoAssetId: string },
): Promise<void> {
  const { db, log, journals } = tools;
  await journals.recover(id, async (records) => {
    const last = (await segmentsOf(db, id)).at(-1)?.number ?? -1;
    const segments = segmentsIn(records).filter(({ number }) => number > last);
    if (segments.length === 0) return;
    const prefix = livePrefix(contentId, videoAssetId);
    const recorder = new SegmentRecorder(tools, {
      ...{ broadcastId: id, prefix },
      onStored: async ({ number }) => log.info({ broadcastId: id, number }, 'a segment of a broadcast was recovered'),
      onSettled: () => {},
    });
    for (const [number, inits] of initsIn(records)) recorder.addInit(number, inits);
    for (const segment of segments) recorder.add(segment);
    await recorder.idle();
  });
}

function initsIn(records: readonly JournalRecord[]): Map<number, LiveInits> {
  const inits = new Map<number, LiveInits>();
  for (const record of records) {
    if (record.kind !== 'init') continue;
    const { init, track, bytes } = record;
    if (track === 'video') inits.set(init, { video: bytes, audio: null });
    const known = inits.get(init);
    if (track === 'audio' && known) inits.set(init, { ...known, audio: bytes });
  }
  return inits;
}

/** The segments of which pictures have arrived, in their order. */
function segmentsIn(records: readonly JournalRecord[]): LiveSegment[] {
  const parts = Map.groupBy(
    records.filter((record) => record.kind === 'part'),
    ({ number }) => number,
  );
  return [...parts.values()].flatMap((each) => segmentOf(each) ?? []);
}

function segmentOf(parts: readonly ArrivedPart[]): LiveSegment | null {
  const [first, ...others] = parts.filter(({ track }) => track === 'video');
  if (!first) return null;
  const { number, init, isDiscontinuity, arrivedAtMs } = first;
  const join = (all: readonly ArrivedPart[]) =>
    joinParts(
      all.map(({ bytes }) => bytes),
      all[0]?.timescale ?? 1,
      number + 1,
    );
  const video = join([first, ...others]);
  const sound = parts.filter(({ track }) => track === 'audio');
  const audio = sound.length > 0 ? join(sound) : null;
  return { number, init, isDiscontinuity, arrivedAtMs, startSeconds: video.startSeconds, video, audio };
}
