import type { CommandContext } from '../../../gql/index.ts';
import { creditsFor } from '../../assets/index.ts';
import { type ProcessingEstimate, requireSpeech } from '../../transcode/index.ts';
import { readCaptionLoad } from './caption-load.store.ts';

/** Of captions: a WebVTT file of somebody who speaks without pauses. */
const BYTES_PER_SECOND = 25;

/**
 * What captions from the speech of the newest video of a content would take if they were ordered now, as measured on
 * this installation.
 * @throws AppError INVALID_INPUT naming `field` where there is no speech to be had, with the reason.
 */
export async function estimateTranscription(
  { services }: Pick<CommandContext, 'services'>,
  contentId: string,
  field: string,
): Promise<ProcessingEstimate> {
  const { db } = services.assets;
  const { durationMs } = await requireSpeech(db, contentId, field);
  const { cpuPerMs, wallPerMs, aheadMs } = await readCaptionLoad(db);
  const readyMs = (aheadMs + durationMs) * wallPerMs;
  return {
    cpuMs: Math.round(durationMs * cpuPerMs),
    sizeBytes: Math.ceil((durationMs / 1000) * BYTES_PER_SECOND),
    readyInMs: Math.ceil(readyMs),
    credits: creditsFor({ kind: 'SPEECH' }, durationMs),
  };
}
