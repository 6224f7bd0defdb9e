import { VIDEO_TIMESCALE } from '@reelgraph/mp4';
import { isVideo, type Rendition } from '../../../media/index.ts';
import { renditionsOfVideo, storedBytes } from '../../assets/index.ts';
import { type StoredSegmentRow, segmentsOf } from '../broadcasts/broadcast-segments.store.ts';
import type { LiveInits } from '../packaging/live-stream.ts';
import { initName } from '../packaging/live-track.ts';
import type { PictureFacts } from '../packaging/picture-listener.ts';
import type { StoredSegment } from '../packaging/stored-segments.ts';
import { isOfEncoder, livePrefix, trackOf } from './live-renditions.ts';
import { recoverSegments } from './recover-segments.ts';

/** What was stored of a broadcast. */
export interface StoredBroadcast {
  readonly segments: readonly StoredSegment[];
  /** The last ones. */
  readonly inits: LiveInits;
  readonly pictures: PictureFacts;
  /** Names of the tracks of other sizes, and the numbers of their segments. */
  readonly sizes: ReadonlyMap<string, ReadonlySet<number>>;
  readonly rows: readonly StoredSegmentRow[];
  readonly renditions: readonly Rendition[];
}

/**
 * What was stored of a broadcast, for the process that continues it, with what one that was killed had received on this
 * machine; null where that is nothing.
 */
export async function storedBroadcast(
  tools: Parameters<typeof recoverSegments>[0],
  broadcast: { readonly id: string; readonly contentId: string; readonly videoAssetId: string },
): Promise<StoredBroadcast | null> {
  await recoverSegments(tools, broadcast);
  const { db, store } = tools;
  const rows = await segmentsOf(db, broadcast.id);
  const renditions = await renditionsOfVideo(db, broadcast.videoAssetId, broadcast.contentId);
  const sound = renditions.find((rendition) => !isVideo(rendition));
  const segments = rows.map(
    ({ number, init, isDiscontinuity, startTicks, videoDuration, audioDuration, arrivedAt }) => ({
      ...{
        number,
        init,
        isDiscontinuity,
        startSeconds: startTicks / VIDEO_TIMESCALE,
        arrivedAtMs: Date.parse(arrivedAt),
      },
      videoSeconds: videoDuration / VIDEO_TIMESCALE,
      audioSeconds: sound ? audioDuration / sound.timescale : null,
    }),
  );
  const name = initName(segments.at(-1)?.init ?? 0);
  const read = async (track: 'video' | 'audio') => {
    const source = await storedBytes(
      store,
      `${livePrefix(broadcast.contentId, broadcast.videoAssetId)}${track}/${name}`,
    );
    return source?.read(0, source.sizeBytes) ?? null;
  };
  const video = await read('video');
  const picture = renditions.find((rendition) => isVideo(rendition) && isOfEncoder(rendition));
  if (!video || !picture || !isVideo(picture)) return null;
  const { width, height, frameRate } = picture;
  const others = renditions.filter((rendition) => !isOfEncoder(rendition)).map(trackOf);
  return {
    ...{ rows, renditions },
    ...{ segments, inits: { video, audio: sound ? await read('audio') : null } },
    pictures: { width, height, frameRate: frameRate.num / frameRate.den },
    sizes: new Map(
      others.map((name) => [name, new Set(rows.flatMap(({ number, sizes }) => (sizes?.[name] ? [number] : [])))]),
    ),
  };
}
