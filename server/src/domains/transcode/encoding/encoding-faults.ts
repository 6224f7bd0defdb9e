import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { sentences, t } from '../../../kernel/languages/message.ts';
import {
  type EncodePlan,
  FaultyEncodingError,
  faultText,
  isAnimation,
  StageError,
  UnexpectedMediaError,
  UniformCopyError,
} from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { planAgain } from '../plans/plan-again.ts';
import { copyKindOf } from '../sources/indexed-source.ts';

/** A job whose streams are not as planned. */
export interface FaultyJob {
  readonly jobId: string;
  /** Of the job, when it was planned. */
  readonly attempt: number;
  readonly contentId: string;
  readonly videoAssetId: string;
  readonly plan: Pick<EncodePlan, 'facts' | 'codec' | 'upmix' | 'upscale'>;
  readonly sourceTag: string | null;
  readonly folder: string | null;
}

export type EncodingFault = FaultyEncodingError | StageError | UnexpectedMediaError;

/** Whether what was decoded or encoded is not as it was planned: the file may be the reason, or this server. */
export function isEncodingFault(error: unknown): error is EncodingFault {
  return error instanceof FaultyEncodingError || error instanceof StageError || error instanceof UnexpectedMediaError;
}

/** Whether the file is not to blame: a program of a stage failed, or what could be decoded could not be encoded. */
export function isOwnFault(error: unknown): error is StageError | UniformCopyError {
  return error instanceof StageError || error instanceof UniformCopyError;
}

/**
 * Has the file of a job decoded whole and measured, and encoded once more (transcode/README.md).
 * @returns Null; or the error of the job where that was done before, or is in vain: a program is at fault, or what is
 *   added to a video that has other renditions. Under the id in its message, the log says what was found.
 */
export async function decodeWhole(
  platform: Pick<Platform, 'db' | 'jobs' | 'clock' | 'log'>,
  job: FaultyJob,
  error: EncodingFault,
): Promise<AppError | null> {
  const { plan, folder, sourceTag, jobId } = job;
  const isAdded = folder !== null || [plan.codec, plan.upmix, plan.upscale].some((each) => each !== undefined);
  const isWhole = sourceTag !== null && copyKindOf(sourceTag) === 'uniform';
  if (isAdded || isWhole || isOwnFault(error)) return ownFault(platform, job, error);
  // Animated images have no other size or clock than their headers say.
  if (sourceTag === null || isAnimation(plan.facts.demuxer))
    return error instanceof UnexpectedMediaError ? error : ownFault(platform, job, error);
  platform.log.warn({ error, jobId }, 'the file is decoded whole and encoded once more');
  await planAgain(platform, job, { decodesWhole: true });
  return null;
}

/** The error of a job that ends with a fault of this server. */
export function ownFault(
  { log }: Pick<Platform, 'log'>,
  { jobId, contentId, videoAssetId }: Pick<FaultyJob, 'jobId' | 'contentId' | 'videoAssetId'>,
  error: EncodingFault,
): AppError {
  const faultId = newId();
  log.error({ error, faultId, jobId, contentId, videoAssetId }, 'fault of the encoding');
  const found = error instanceof UnexpectedMediaError ? error.text : faultText(error);
  const ours = t`The fault is that of this server, not of your file, which is kept. The log has it under ${faultId}.`;
  return new AppError('PROCESSING_FAULT', sentences(found, ours), { cause: error });
}
