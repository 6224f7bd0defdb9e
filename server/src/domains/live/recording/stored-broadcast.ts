import { VIDEO_TIMESCALE } from '@reelgraph/mp4';
import { isVideo } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { renditionsOfVideo, storedBytes } from '../../assets/index.ts';
import { segmentsOf } from '../broadcasts/broadcast-segments.store.ts';
import type { LiveInits, StoredSegment } from '../packaging/live-stream.ts';
import { initName } from '../packaging/live-track.ts';
import { livePrefix } from './live-renditions.ts';

/** What was stored of a broadcast. */
export interface StoredBroadcast {
  readonly segments: readonly StoredSegment[];
  /** The last ones. */
  readonly inits: LiveInits;
}

/** What was stored of a broadcast, for the process that continues it; null where that is nothing. */
export async function storedBroadcast(
  { db, store }: Pick<Platform, 'db' | 'store'>,
  broadcast: { readonly id: string; readonly contentId: string; readonly videoAssetId: string },
): Promise<StoredBroadcast | null> {
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
  return video && { segments, inits: { video, audio: sound ? await read('audio') : null } };
}
