import { planCopyOf, SNIFF_BYTES, sniff } from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import { storedBytes } from '../../assets/index.ts';
import { isOfVideo } from '../sources/is-of-video.ts';
import { uploadedVideo } from './playable.store.ts';
import { type PublishCopyTools, publishCopy, storeCopy } from './publish-copy.ts';

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
    const stored = await storeCopy(tools, { ...video, videoAssetId }, plan, source, run.signal);
    if (!stored) return log.info({ videoAssetId }, 'the sound of the video cannot be decoded by itself');
    await publishCopy(tools, { ...video, videoAssetId, mimeType: sniffed.mimeType, remuxedBytes: 0 }, stored);
  } catch (error) {
    if (!isOfVideo(error)) throw error;
    log.info({ error, videoAssetId }, 'video cannot be played as it is');
  }
}
