import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { makeWaveformJob } from './make-waveform.job.ts';
import { requireSpeech } from './video-speech.ts';
import { requestWaveform } from './waveforms.store.ts';

/**
 * Has the waveform of the newest video of a content made, unless it is there or being made. The caller has locked the
 * content and checks ownership.
 * @throws AppError INVALID_INPUT naming `field` where there is no sound, with the reason.
 */
export async function orderWaveform(
  { jobs, clock }: { readonly jobs: Pick<Jobs, 'send'>; readonly clock: Clock },
  tx: Transaction,
  contentId: string,
  field: string,
): Promise<void> {
  const { videoAssetId } = await requireSpeech(tx, contentId, field);
  if (await requestWaveform(tx, videoAssetId, new Date(clock.now()).toISOString()))
    await jobs.send(tx, makeWaveformJob, { contentId, videoAssetId });
}
