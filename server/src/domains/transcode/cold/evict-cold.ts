import { dispensableSizes, type OutputKey, outputKeys, type Stage } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { nameOfPackage, orderObjectPurge, orderSegmentPurge, packagePrefix, videoPrefix } from '../../assets/index.ts';
import { type EncodedVideo, encodedVideo, outputKeysOf } from '../plans/outputs.store.ts';
import { findSourceTag } from '../sources/encode-source.ts';
import { isEncodedFrom } from '../sources/indexed-source.ts';
import { coldBefore } from './cold-before.ts';
import {
  type AddedPackage,
  type ColdVideo,
  coldVideos,
  evictRendition,
  lockColdVideo,
  removeAdded,
  type StoredPackage,
} from './cold-renditions.store.ts';
import { planAgainAs } from './rebuild-plan.ts';

export interface EvictTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'db' | 'store' | 'log'>;
  readonly ffmpegVersion?: string;
  /** That there are; default all of this version. */
  readonly stages?: readonly Stage[];
}

/** Segments are deleted so much later: players may still use them. */
const EVICTED_MS = 86_400_000;
const PAGE = 50;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Evicts the larger sizes of videos that nobody has watched for COLD_RENDITIONS_AFTER days, all but those that cannot
 * be encoded again with the same bytes, and removes their sizes in other codecs. Returns how many sizes these were.
 */
export async function evictCold(tools: EvictTools): Promise<number> {
  const { db } = tools.platform;
  const before = coldBefore(tools.platform);
  if (before === null) return 0;
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
  const { db, store, clock, log } = tools.platform;
  const { videoAssetId, contentId } = video;
  const encoded = await encodedVideo(db, videoAssetId);
  const tag = await findSourceTag(store, video.sourceKey);
  // The file may be gone, or another one.
  if (!encoded || tag === null || !isEncodedFrom(encoded, tag)) return 0;
  const evictable = await evictableSizes(tools, video, encoded);
  const sizes = video.sizes.filter(({ folder }) => evictable.has(folder));
  const added = await Promise.all(video.codecJobs.map((job) => storedPackage(store, video, job)));
  if (sizes.length + added.length === 0) return 0;
  const nowMs = clock.now();
  const evicted = await db.transaction(async (tx) => {
    if (!(await lockColdVideo(tx, video, before))) return 0;
    for (const size of sizes) {
      await evictRendition(tx, videoAssetId, size, Math.max(size.peakBps, evictable.get(size.folder) ?? 0));
      await orderSegmentPurge(tx, `${videoPrefix(contentId, videoAssetId)}${size.folder}/`, nowMs + EVICTED_MS);
    }
    let removed = 0;
    for (const each of added) {
      removed += await removeAdded(tx, each, new Date(nowMs).toISOString());
      await orderObjectPurge(tx, `${videoPrefix(contentId, videoAssetId)}${each.folder}/`, nowMs + EVICTED_MS);
    }
    return sizes.length + removed;
  });
  const folders = [...sizes, ...added].map(({ folder }) => folder);
  if (evicted > 0) log.info({ videoAssetId, folders }, 'cold sizes evicted');
  return evicted;
}

/** The folders of sizes that can be encoded again, with their highest bit rates segment by segment. */
async function evictableSizes(
  { platform, ffmpegVersion, stages }: EvictTools,
  { videoAssetId, packagePrefix: prefix }: ColdVideo,
  encoded: EncodedVideo,
): Promise<ReadonlyMap<string, number>> {
  const plan = planAgainAs(encoded, stages);
  if (!plan || (plan.ffmpeg !== undefined && plan.ffmpeg !== ffmpegVersion)) return new Map();
  const known = await outputKeysOf(platform.db, videoAssetId);
  const keys = plan.chunks.flatMap((chunk) => outputKeys(plan, chunk, encoded.sourceTag, stages));
  const isSame = (folder: string) => ofFolder(keys, folder).every(({ key }) => known.has(key));
  const name = nameOfPackage(prefix);
  const sizes = dispensableSizes(plan).filter(({ folder }) => isSame(folder));
  return new Map(sizes.map(({ folder, peakBps }) => [`${name}/${folder}`, peakBps]));
}

/** The folder of what a job added, and how much is stored in it. */
async function storedPackage(
  store: Pick<Platform['store'], 'list'>,
  { contentId, videoAssetId }: ColdVideo,
  { jobId, attempt }: AddedPackage,
): Promise<StoredPackage> {
  const prefix = packagePrefix(contentId, videoAssetId, jobId, attempt);
  const stored = { jobId, folder: nameOfPackage(prefix), bytes: 0, files: 0 };
  for await (const { sizeBytes } of store.list(prefix)) {
    stored.bytes += sizeBytes;
    stored.files += 1;
  }
  return stored;
}

function ofFolder(keys: readonly OutputKey[], folder: string): OutputKey[] {
  return keys.filter((each) => each.folder === folder);
}
