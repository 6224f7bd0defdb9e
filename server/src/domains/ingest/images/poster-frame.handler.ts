import { join } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { decodableFile, type ImageDecoder, inspectFile, type Runner, takeFrame } from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  completeRequestId,
  endPosterRequest,
  isPosterWanted,
  keepOrDiscard,
  renderImage,
  setThumbnailAside,
  videoSourceFacts,
  workFolders,
} from '../../assets/index.ts';
import type { PosterFrame } from './poster-frame.job.ts';

export interface PosterFrameTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store'>;
  readonly runner: Runner;
  readonly imageDecoder: ImageDecoder;
  /** From `probeTools`. */
  readonly toneMapping: boolean;
}

/**
 * Extracts a frame of the uploaded file and makes it the poster of the content, replacing the previous one, unless
 * another poster was chosen since.
 * @throws AppError TRANSCODE_FAILED when no frame can be decoded.
 */
export async function takePosterFrame(tools: PosterFrameTools, wanted: PosterFrame, { signal }: JobRun): Promise<void> {
  const { platform } = tools;
  const { contentId, requestId } = wanted;
  if (!(await isPosterWanted(platform.db, contentId, requestId))) return;
  await workFolders(platform.config.DATA_DIR, platform.log).use(async (folder) => {
    const path = await takeSourceFrame(tools, wanted, join(folder, 'frame'), signal);
    const rendered = await renderImage(tools, { path, purpose: 'POSTER' });
    await keepOrDiscard(platform, rendered, async (tx) => {
      const content = await endPosterRequest(tx, contentId, requestId, completeRequestId(requestId));
      if (!content?.kept) return null;
      await setThumbnailAside(tx, contentId);
      return { channelId: content.channelId, contentId, playlistId: null, videoAssetId: null, alt: content.title };
    });
  });
}

/** The content keeps its poster. */
export async function giveUpPosterFrame(
  { db, log }: Pick<Platform, 'db' | 'log'>,
  { contentId, requestId }: PosterFrame,
  reason: AppError,
): Promise<void> {
  if (await endPosterRequest(db, contentId, requestId, null))
    log.warn({ error: reason, contentId }, 'no frame could be extracted as poster');
}

async function takeSourceFrame(
  { platform: { db, store }, runner, toneMapping }: PosterFrameTools,
  { videoAssetId, timeMs }: PosterFrame,
  outDir: string,
  signal: AbortSignal,
): Promise<string> {
  const source = await videoSourceFacts(db, videoAssetId);
  if (!source) throw new AppError('RESOURCE_NOT_FOUND', t`The uploaded file no longer exists.`);
  return store.withLocalFile(source.sourceKey, async (inputPath) => {
    const inspection = await inspectFile(runner, inputPath, { toneMapping, signal });
    if (!inspection.ok)
      throw new AppError(inspection.code, inspection.message, { suggestedFix: inspection.suggestedFix });
    const { facts } = inspection;
    const decodable = await decodableFile(runner, inputPath, { workDir: `${outDir}-source`, signal });
    const frame = { inputPath: decodable, outDir, facts, atMs: timeMs, signal };
    const path = facts.video && (await takeFrame(runner, { ...frame, video: facts.video }));
    if (!path) throw new AppError('TRANSCODE_FAILED', t`No frame could be extracted at this time.`);
    return path;
  });
}
