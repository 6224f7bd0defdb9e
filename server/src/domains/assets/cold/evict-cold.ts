import { dispensableSizes, type OutputKey, outputKeys, type Stage } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { nameOfPackage, videoPrefix } from '../delivery/media-address.ts';
import { encodedVideo, outputKeysOf } from '../encoding/outputs.store.ts';
import { findSourceTag } from '../processing/encode-source.ts';
import { orderSegmentPurge } from '../quota/object-purges.store.ts';
import { type ColdVideo, coldVideos, evictRendition, lockColdVideo } from './cold-renditions.store.ts';
import { planAgainAs } from './rebuild-plan.ts';

export interface EvictTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'db' | 'store' | 'log'>;
  readonly ffmpegVersion?: string;
  /** That there are; default all of this version. */
  readonly stages?: readonly Stage[];
}

const DAY_MS = 86_400_000;
/** Segments are deleted so much later: players may still use them. */
const EVICTED_MS = DAY_MS;
const PAGE = 50;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Evicts the larger sizes of videos that nobody has watched for COLD_RENDITIONS_AFTER days: all but those that cannot
 * be encoded again with the same bytes. Returns how many sizes were evicted.
 */
export async function evictCold(tools: EvictTools): Promise<number> {
  const { config, clock, db } = tools.platform;
  const days = config.COLD_RENDITIONS_AFTER;
  if (days === undefined) return 0;
  const before = new Date(clock.now() - days * DAY_MS).toISOString();
  let evicted = 0;
  for (let after = FIRST_ID; ; ) {
    const videos = await coldVideos(db, after, before, PAGE);
    for (const video of videos) evicted += await evict(tools, video, before);
    const last = videos.at(-1);
    if (!last || videos.length < PAGE) return evicted;
    after = last.videoAssetId;
  }
}

async function evict(tools: EvictTools, video: ColdVideo, before: string): Promise<number> {
  const { db, clock, log } = tools.platform;
  const { videoAssetId, contentId } = video;
  const evictable = await evictableSizes(tools, video);
  if (evictable.size === 0) return 0;
  const sizes = video.sizes.filter(({ folder }) => evictable.has(folder));
  const evicted = await db.transaction(async (tx) => {
    if (!(await lockColdVideo(tx, video, before))) return 0;
    for (const size of sizes) {
      await evictRendition(tx, videoAssetId, size, Math.max(size.peakBps, evictable.get(size.folder) ?? 0));
      await orderSegmentPurge(tx, `${videoPrefix(contentId, videoAssetId)}${size.folder}/`, clock.now() + EVICTED_MS);
    }
    return sizes.length;
  });
  if (evicted > 0) log.info({ videoAssetId, folders: sizes.map(({ folder }) => folder) }, 'cold sizes evicted');
  return evicted;
}

/** The folders of sizes that can be encoded again, with their highest bit rates segment by segment. */
async function evictableSizes(
  { platform, ffmpegVersion, stages }: EvictTools,
  { videoAssetId, sourceKey, packagePrefix }: ColdVideo,
): Promise<ReadonlyMap<string, number>> {
  const none = new Map<string, number>();
  const encoded = await encodedVideo(platform.db, videoAssetId);
  const plan = encoded && planAgainAs(encoded, stages);
  if (!encoded || !plan || (plan.ffmpeg !== undefined && plan.ffmpeg !== ffmpegVersion)) return none;
  // The file may be gone, or a copy of it in MP4 was encoded.
  if ((await findSourceTag(platform.store, sourceKey)) !== encoded.sourceTag) return none;
  const known = await outputKeysOf(platform.db, videoAssetId);
  const keys = plan.chunks.flatMap((chunk) => outputKeys(plan, chunk, encoded.sourceTag, stages));
  const isSame = (folder: string) => ofFolder(keys, folder).every(({ key }) => known.has(key));
  const name = nameOfPackage(packagePrefix);
  const sizes = dispensableSizes(plan).filter(({ folder }) => isSame(folder));
  return new Map(sizes.map(({ folder, peakBps }) => [`${name}/${folder}`, peakBps]));
}

function ofFolder(keys: readonly OutputKey[], folder: string): OutputKey[] {
  return keys.filter((each) => each.folder === folder);
}
