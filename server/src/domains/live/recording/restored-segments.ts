import { VIDEO_TIMESCALE } from '@reelgraph/mp4';
import { isVideo } from '../../../media/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import { renditionsOfVideo } from '../../assets/index.ts';
import { segmentsOf } from '../broadcasts/broadcast-segments.store.ts';
import type { StoredSegment } from '../packaging/live-stream.ts';

/** What was stored of a broadcast, for the process that continues it; and how many initialization segments. */
export async function restoredSegments(
  db: Database,
  broadcast: { readonly id: string; readonly contentId: string; readonly videoAssetId: string },
): Promise<{ readonly segments: readonly StoredSegment[]; readonly inits: number }> {
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
  return { segments, inits: 1 + Math.max(-1, ...rows.map(({ init }) => init)) };
}
