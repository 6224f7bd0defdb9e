import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  firstSegmentOf,
  inFolder,
  inputArg,
  isVideo,
  type Rendition,
  type Runner,
  type StandardPlan,
  type StoredSource,
} from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  COPIED_SOUND_NAME,
  COPY_NAME,
  chargeMinutes,
  copiedSoundPrefix,
  copyPrefix,
  insertMediaIndex,
  mediaIndexOf,
  withdrawObjectPurge,
  workFolders,
} from '../../assets/index.ts';
import { isOfVideo } from '../sources/is-of-video.ts';
import { announcePlayable } from './announce-playable.ts';
import { storeFirstSound } from './copied-sound.ts';

export interface PublishCopyTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store' | 'jobs'>;
  readonly runner: Runner;
}

const DECODE_LIMITS = { cpuSeconds: 20, memoryBytes: 1024 ** 3, outputBytes: 1024 ** 2, wallMs: 20_000 };

/** Decodes the first pictures of a planned copy in the sandbox. @throws RunError where there are none. */
async function requireDecodable(
  { platform, runner }: PublishCopyTools,
  plan: StandardPlan,
  source: Parameters<typeof firstSegmentOf>[1],
  signal: AbortSignal,
): Promise<void> {
  const segment = await firstSegmentOf(plan, source);
  const init = plan.files.find(({ path }) => path === 'video/init.mp4');
  if (!init) throw new Error('The plan has no initialization segment.');
  await workFolders(platform.config.DATA_DIR, platform.log).use(async (folder) => {
    const path = join(folder, 'first.mp4');
    await writeFile(path, Buffer.concat([init.bytes, segment]));
    const args = ['-xerror', '-f', 'mov', '-i', inputArg(0), '-frames:v', '2', '-f', 'null', '-'];
    await runner.run('ffmpeg', args, { inputs: [path], limits: DECODE_LIMITS, signal, interactive: true });
  });
}

/** A video that is played without encoding. */
export interface CopiedVideo {
  readonly videoAssetId: string;
  readonly contentId: string;
  /** Of the uploaded file. */
  readonly mimeType: string;
  /** Size of the file in its package that segments are cut from; 0 where they are cut from the uploaded one. */
  readonly remuxedBytes: number;
}

/** A copy whose files are stored, and how it is played. */
export interface StoredCopy extends Pick<StandardPlan, 'files' | 'durationMs'> {
  /** Folders are below that of the video. */
  readonly renditions: readonly Rendition[];
}

/**
 * Stores the files of a planned copy while its first pictures are decoded and its first sound is encoded, and charges
 * its minutes. Removes them where the video is the reason that it cannot be played. Null where its sound cannot be.
 * @throws RunError where there are no pictures, AppError TRANSCODE_FAILED when too few minutes are left.
 */
export async function storeCopy(
  tools: PublishCopyTools,
  video: { readonly videoAssetId: string; readonly contentId: string; readonly channelId: string },
  plan: StandardPlan,
  source: StoredSource,
  signal: AbortSignal,
): Promise<StoredCopy | null> {
  const { store } = tools.platform;
  const prefix = copyPrefix(video.contentId, video.videoAssetId);
  const put = ({ path, bytes, contentType }: StandardPlan['files'][number]) =>
    store.put(prefix + path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), { contentType });
  const { sound } = plan;
  const encoded = sound ? storeFirstSound(tools, video, { ...plan, sound }, source, signal) : null;
  const work = [requireDecodable(tools, plan, source, signal), encoded, ...plan.files.map(put)];
  const results = await Promise.allSettled(work);
  try {
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    const first = await encoded;
    if (sound && !first) {
      await removeStored(store, video);
      return null;
    }
    if (first) await put(first.description);
    await chargeMinutes(tools.platform, { ...video, durationMs: plan.durationMs });
    const renditions = inFolder(COPY_NAME, plan.renditions);
    if (!first) return { ...plan, renditions };
    const files = [...plan.files, first.description];
    return { ...plan, files, renditions: [...renditions, ...inFolder(COPIED_SOUND_NAME, [first.rendition])] };
  } catch (error) {
    // After other errors another worker may be about to publish the same files.
    if (isOfVideo(error)) await removeStored(store, video);
    throw error;
  }
}

async function removeStored(
  store: Platform['store'],
  { contentId, videoAssetId }: { readonly contentId: string; readonly videoAssetId: string },
): Promise<void> {
  await store.deletePrefix(copyPrefix(contentId, videoAssetId));
  await store.deletePrefix(copiedSoundPrefix(contentId, videoAssetId));
}

/** Makes a video playable whose copy was stored. Removes its package where that is no longer wanted. */
export async function publishCopy(
  { platform }: PublishCopyTools,
  video: CopiedVideo,
  { files, renditions, durationMs }: StoredCopy,
): Promise<void> {
  const { videoAssetId, contentId, mimeType, remuxedBytes } = video;
  const { db } = platform;
  const packagePrefix = copyPrefix(contentId, videoAssetId);
  const picture = renditions.find(isVideo);
  if (!picture) throw new Error('The plan has no picture.');
  const { width, height } = picture;
  const facts = {
    ...{ mimeType, width, height, durationMs, packagePrefix },
    derivedBytes: files.reduce((sum, { bytes }) => sum + bytes.length, remuxedBytes),
    derivedFiles: files.length + (remuxedBytes > 0 ? 1 : 0),
  };
  const isPlayable = await db.transaction(async (tx) => {
    if (!(await announcePlayable(platform, tx, videoAssetId, facts, renditions))) return false;
    await insertMediaIndex(tx, videoAssetId, {
      keyPrefix: packagePrefix,
      isRemuxed: remuxedBytes > 0,
      storedBytes: facts.derivedBytes,
      storedFiles: facts.derivedFiles,
    });
    await withdrawObjectPurge(tx, packagePrefix);
    await withdrawObjectPurge(tx, copiedSoundPrefix(contentId, videoAssetId));
    return true;
  });
  if (!isPlayable) await removeUnplayedCopy(platform, video);
}

/** Removes what was stored of the copy of a video, unless the video is played from it. */
export async function removeUnplayedCopy(
  { db, store }: Pick<Platform, 'db' | 'store'>,
  { contentId, videoAssetId }: { readonly contentId: string; readonly videoAssetId: string },
): Promise<void> {
  if (!(await mediaIndexOf(db, videoAssetId))) await removeStored(store, { contentId, videoAssetId });
}
