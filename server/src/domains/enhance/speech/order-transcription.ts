import { AppError } from '../../../kernel/errors.ts';
import { type ContentId, type JobId, newId } from '../../../kernel/ids.ts';
import { readLanguageTag } from '../../../kernel/language-tags.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { recognizerCode } from '../../../media/index.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { chargeCredits, creditsFor, lockContentOfVideo } from '../../assets/index.ts';
import { reportJob, requireSpeech } from '../../transcode/index.ts';
import { speechNotSetUp } from '../recognizers/not-set-up.ts';
import { type SpeechConfig, speechEngine } from '../recognizers/speech-engine.ts';
import {
  type CaptionJob,
  captionJobsOfContent,
  insertCaptionJob,
  leaveReplacedSpeech,
  type NewCaptionJob,
} from './caption-jobs.store.ts';
import { makeCaptionsJob } from './make-captions.job.ts';

export interface CaptionOrderTools {
  readonly jobs: Pick<Jobs, 'send'>;
  readonly clock: Clock;
}

export interface TranscriptionRequest {
  readonly contentId: ContentId;
  /** From `readTranscription`. */
  readonly language: string | null;
  readonly again: boolean;
  /** The caller's argument name for the content, for errors. */
  readonly field: string;
}

/**
 * The language of an order, null to detect it.
 * @throws AppError INVALID_INPUT where nothing is set up, or the language is not known to it.
 */
export function readTranscription(config: SpeechConfig, language: Maybe<string>): string | null {
  const engine = speechEngine(config);
  if (engine === null) throw speechNotSetUp(config);
  if (language == null) return null;
  const tag = readLanguageTag(language, 'input.language');
  if (engine !== 'openai' && recognizerCode(tag) === null)
    throw new AppError('INVALID_INPUT', t`Speech in this language (${tag}) is not recognized.`, {
      field: 'input.language',
      suggestedFix: t`Write captions with createContentCaptions.`,
    });
  return tag;
}

/**
 * Has captions made from the speech of the newest video of a content, in the caller's transaction. Idempotent: returns
 * the job that waits, runs or has made those that are there, unless they are to be made again.
 * @throws AppError INVALID_INPUT naming `field` where there is no speech to be had, with the reason, or too few credits
 * are left.
 */
export async function startTranscription(
  tools: CaptionOrderTools,
  tx: Transaction,
  { contentId, language, again, field }: TranscriptionRequest,
): Promise<JobId> {
  const content = await lockContentOfVideo(tx, contentId);
  if (!content) throw new AppError('RESOURCE_NOT_FOUND', undefined, { field });
  const { videoAssetId, durationMs } = await requireSpeech(tx, contentId, field);
  const jobs = (await captionJobsOfContent(tx, contentId)).filter(
    (job) => job.kind === 'SPEECH' && job.videoAssetId === videoAssetId,
  );
  const open = jobs.find(isUnderWay);
  if (open && open.language !== language)
    throw new AppError('INVALID_INPUT', t`Captions are being made from this speech in another language.`, {
      field: 'input.language',
      suggestedFix: t`Wait until that job has ended, or cancel it with cancelJob.`,
    });
  const present = open ?? (again ? undefined : jobs.find((job) => job.isKept && job.language === language));
  if (present) return present.jobId as JobId;
  const job = { videoAssetId, kind: 'SPEECH', language, sourceId: null } as const;
  const credits = creditsFor(job, durationMs);
  return orderCaptions(tools, tx, { contentId, channelId: content.channelId, credits, field }, job);
}

/** Of the order of a job that makes captions. */
interface CaptionsOrder {
  readonly contentId: string;
  readonly channelId: string;
  readonly credits: number;
  /** The caller's argument name for the content, for errors. */
  readonly field: string;
}

/**
 * Inserts and queues a job that makes captions. The caller has locked the content.
 * @throws AppError INVALID_INPUT naming `field` when too few credits are left.
 */
export async function orderCaptions(
  { jobs, clock }: CaptionOrderTools,
  tx: Transaction,
  { contentId, channelId, credits, field }: CaptionsOrder,
  job: Omit<NewCaptionJob, 'jobId'>,
): Promise<JobId> {
  const jobId = newId<'job'>();
  await chargeCredits({ clock }, tx, { jobId, channelId, credits, field });
  await insertCaptionJob(tx, { ...job, jobId }, new Date(clock.now()).toISOString());
  await jobs.send(tx, makeCaptionsJob, { jobId });
  await reportJob(tx, jobId, contentId, channelId, 'QUEUED');
  return jobId;
}

/** Whether a job waits or runs. */
export function isUnderWay({ status }: Pick<CaptionJob, 'status'>): boolean {
  return status === 'QUEUED' || status === 'TRANSCODING' || status === 'CANCELLING';
}

/** Removes automatic captions of the speech of earlier videos of a content, which a new one replaces. */
export async function dropReplacedSpeech(
  { clock }: Pick<CaptionOrderTools, 'clock'>,
  tx: Transaction,
  { contentId, channelId, videoAssetId }: { contentId: string; channelId: string; videoAssetId: string },
): Promise<void> {
  const cancelled = await leaveReplacedSpeech(tx, contentId, videoAssetId, new Date(clock.now()).toISOString());
  for (const jobId of cancelled) await reportJob(tx, jobId, contentId, channelId, 'CANCELLED');
}
