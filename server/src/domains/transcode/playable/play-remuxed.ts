import { join } from 'node:path';
import { AppError, StorageFullError } from '../../../kernel/errors.ts';
import {
  expectedPackageBytes,
  mostRemuxedBytes,
  REMUXED_PATH,
  type RemuxableFile,
  readRemuxable,
  remuxFile,
  type StandardPlan,
  withSource,
} from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  copiedSoundPrefix,
  copyPrefix,
  orderObjectPurge,
  rangesOf,
  watchSpace,
  workFolders,
} from '../../assets/index.ts';
import { reserveDerived } from '../jobs/reserve-derived.ts';
import { isOfVideo } from '../sources/is-of-video.ts';
import { type PublishCopyTools, publishCopy, removeUnplayedCopy, storeCopy } from './publish-copy.ts';

export interface PlayRemuxedTools extends PublishCopyTools {
  readonly platform: PublishCopyTools['platform'] & Pick<Platform, 'space'>;
}

/** A video whose job one worker holds. */
export interface UnplayedVideo {
  readonly jobId: string;
  readonly attempt: number;
  readonly contentId: string;
  readonly channelId: string;
  readonly videoAssetId: string;
  /** Of the uploaded file. */
  readonly sizeBytes: number;
}

/**
 * Makes a video playable whose standard streams are in another container than plain MP4: copies them to an MP4 file in
 * its package, without encoding. Other files, and files that seem damaged, are left to be encoded.
 */
export async function playRemuxed(
  tools: PlayRemuxedTools,
  video: UnplayedVideo,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const { config, log, space } = tools.platform;
  const { videoAssetId } = video;
  try {
    const file = await readRemuxable(tools.runner, path, signal);
    if (!file || !(await reserve(tools, video, file))) return;
    await workFolders(config.DATA_DIR, log).use((folder) =>
      watchSpace(space, signal, async (watched) => {
        const workDir = join(folder, 'remuxed');
        const remuxed = await remuxFile(tools.runner, path, file, { workDir, signal: watched });
        if (!remuxed.standard) return log.info({ videoAssetId, reason: remuxed.reason }, 'video has to be encoded');
        await storeAndPublish(tools, { ...video, mimeType: file.mimeType }, remuxed, watched);
      }),
    );
  } catch (error) {
    // Refused minutes fail the job.
    if (error instanceof AppError || !isOfVideo(error)) throw error;
    log.info({ error, videoAssetId }, 'video cannot be played as it is');
  }
}

/** Reserves space for the copy beside the package that is encoded afterwards; false where there is none. */
async function reserve(
  { platform }: PlayRemuxedTools,
  video: UnplayedVideo,
  { facts }: RemuxableFile,
): Promise<boolean> {
  try {
    await reserveDerived(platform, video, mostRemuxedBytes(video.sizeBytes) + expectedPackageBytes({ facts }));
    return true;
  } catch (error) {
    if (!isOfVideo(error) && !(error instanceof StorageFullError)) throw error;
    platform.log.info({ error, videoAssetId: video.videoAssetId }, 'there is no space to copy the video to MP4');
    return false;
  }
}

/** A killed worker leaves a copy that no row names. */
const ABANDONED_MS = 86_400_000;

async function storeAndPublish(
  tools: PlayRemuxedTools,
  video: UnplayedVideo & { readonly mimeType: string },
  remuxed: { readonly path: string; readonly plan: StandardPlan },
  signal: AbortSignal,
): Promise<void> {
  const { db, clock, store } = tools.platform;
  const prefix = copyPrefix(video.contentId, video.videoAssetId);
  const key = prefix + REMUXED_PATH;
  for (const each of [prefix, copiedSoundPrefix(video.contentId, video.videoAssetId)])
    await orderObjectPurge(db, each, clock.now() + ABANDONED_MS);
  const { sizeBytes, etag } = await store.putFile(key, remuxed.path, { contentType: 'video/mp4' });
  const source = { key, sizeBytes, etag };
  const plan = withSource(remuxed.plan, source);
  const stored = await storeCopy(tools, video, plan, rangesOf(store, source), signal);
  if (stored) await publishCopy(tools, { ...video, remuxedBytes: sizeBytes }, stored);
  else await removeUnplayedCopy(tools.platform, video);
}
