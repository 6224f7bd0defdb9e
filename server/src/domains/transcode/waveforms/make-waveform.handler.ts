import { join } from 'node:path';
import type { AppError } from '../../../kernel/errors.ts';
import { extractWaveform, type Runner } from '../../../media/index.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { workFolders } from '../../assets/index.ts';
import type { WaveformOrder } from './make-waveform.job.ts';
import { fetchSpeech, requireSpeech } from './video-speech.ts';
import { failWaveform, keepWaveform } from './waveforms.store.ts';

export interface WaveformTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store'>;
  readonly runner: Runner;
}

/**
 * Makes and stores the waveform of a video's sound, unless another video has replaced it.
 * @throws AppError TRANSCODE_FAILED where the sound cannot be decoded.
 */
export async function makeWaveform(
  { platform, runner }: WaveformTools,
  { contentId, videoAssetId }: WaveformOrder,
  { signal }: JobRun,
): Promise<void> {
  const { config, db, log, store } = platform;
  const speech = await requireSpeech(db, contentId, 'id');
  if (speech.videoAssetId !== videoAssetId) return;
  await workFolders(config.DATA_DIR, log).use(async (folder) => {
    const inputPath = await fetchSpeech(store, speech, folder, signal);
    const workDir = join(folder, 'waveform');
    await runner.prepareWorkDir(workDir);
    const { durationMs } = speech;
    await keepWaveform(db, videoAssetId, await extractWaveform(runner, { inputPath, workDir, durationMs, signal }));
  });
}

/** Notes that there is none; it can be requested again. */
export async function giveUpWaveform(
  { db, clock, log }: Pick<Platform, 'db' | 'clock' | 'log'>,
  { contentId, videoAssetId }: WaveformOrder,
  reason: AppError,
): Promise<void> {
  await failWaveform(db, videoAssetId, new Date(clock.now()).toISOString());
  log.warn({ error: reason, contentId }, 'the waveform could not be made');
}
