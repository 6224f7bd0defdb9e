import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import { isFileError, Mp4Error, planCopyOf, SNIFF_BYTES, sniff } from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import { storedBytes } from '../delivery/stored-bytes.ts';
import { chargeMinutes } from '../quota/charge-minutes.ts';
import { uploadedVideo } from './playable.store.ts';
import { type PublishCopyTools, publishCopy, requireDecodable } from './publish-copy.ts';

/**
 * Makes a standard MP4 playable: reads its movie box, stores playlists and an index of its segments, and marks the
 * video playable. Other files, and files that seem damaged, are left to `process-video`, which says what is wrong.
 */
export async function makePlayable(tools: PublishCopyTools, videoAssetId: string, run: JobRun): Promise<void> {
  const { config, db, store, log } = tools.platform;
  if (config.INSTANT_PLAYBACK === 'off') return;
  const video = await uploadedVideo(db, videoAssetId);
  const source = video && (await storedBytes(store, video.sourceKey));
  if (!video || !source) return;
  try {
    const sniffed = sniff(await source.read(0, SNIFF_BYTES));
    if (!sniffed.ok || sniffed.container !== 'mov') return;
    const plan = await planCopyOf(source);
    if (!plan.standard) return log.debug({ videoAssetId, reason: plan.reason }, 'video has to be encoded');
    await requireDecodable(tools, plan, source, run.signal);
    await chargeMinutes(tools.platform, { ...video, videoAssetId, durationMs: plan.durationMs });
    await publishCopy(tools, { ...video, videoAssetId, mimeType: sniffed.mimeType, remuxedBytes: 0 }, plan);
  } catch (error) {
    const refused = error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable;
    if (!refused && !(error instanceof Mp4Error) && !isFileError(error)) throw error;
    log.info({ error, videoAssetId }, 'video cannot be played as it is');
  }
}
