import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { languageName, type Message, phrase, plural, t } from '../../../kernel/languages/message.ts';
import { type Cue, captionsText, escapedCues, type Runner, setCaptions } from '../../../media/index.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { JobRun } from '../../../platform/jobs/job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { giveUpOriginal, lockContentOfVideo, type WatchedProgress, watchProgress } from '../../assets/index.ts';
import {
  type ClaimedJob,
  cancelProcessing,
  claimTranscodeJob,
  completeTranscodeJob,
  failProcessing,
  recordSpeed,
  releaseTranscodeJob,
  reportJob,
  reportProgress,
  requireSpeech,
} from '../../transcode/index.ts';
import { speechNotSetUp } from '../recognizers/not-set-up.ts';
import type { SpeechRecognizer } from '../recognizers/speech-recognizer.ts';
import {
  type CaptionJob,
  captionJob,
  completeCaptionJob,
  type MadeCaptions,
  replaceAutomaticCaptions,
} from './caption-jobs.store.ts';
import type { CaptionsReceipt } from './captions-receipt.ts';
import type { CaptionsTranslator } from './captions-translator.ts';
import { autonymOf, inLanguage } from './language-names.ts';
import { makeCaptionsJob } from './make-captions.job.ts';
import { TRANSLATION_COST_MS, translationNotSetUp } from './order-translation.ts';
import { type Transcribing, transcribe } from './transcribe.ts';
import { translate } from './translate.ts';

export interface CaptionTools {
  readonly platform: Pick<Platform, 'config' | 'clock' | 'log' | 'db' | 'store' | 'jobs'>;
  readonly runner: Runner;
  /** Null where none is set up. */
  readonly recognizer: SpeechRecognizer | null;
  readonly translator: CaptionsTranslator | null;
  /** Of a piece of sound; default ten minutes. */
  readonly longestPieceMs?: number;
}

type Held = ClaimedJob & { readonly videoAssetId: string };

/** What a job has made; no captions without speech. */
interface Made {
  readonly captions: MadeCaptions | null;
  readonly receipt: CaptionsReceipt;
}

/** A service that is busy for this long is given up. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * Makes captions. What cannot be done fails the job with a message for the member of the channel; any other error is
 * thrown and retried, from the parts that are done. While a service is busy the job waits.
 */
export async function makeCaptions(tools: CaptionTools, jobId: string, run: JobRun): Promise<void> {
  const { db, clock, log } = tools.platform;
  const claimed = await claimTranscodeJob(db, jobId, 'TRANSCODING', new Date(clock.now()).toISOString());
  const job = await captionJob(db, jobId);
  if (!claimed?.videoAssetId || !job) {
    await cancelProcessing(tools.platform, jobId);
    return;
  }
  const held: Held = { ...claimed, videoAssetId: claimed.videoAssetId };
  const progress = watchProgress((percent) => reportProgress(db, jobId, held.attempt, percent));
  try {
    const made = await work(tools, held, job, progress, run.signal);
    await complete(tools, held, made);
  } catch (error) {
    if (run.signal.aborted) {
      await releaseTranscodeJob(db, jobId, held.attempt);
      throw error;
    }
    if (await cancelProcessing(tools.platform, jobId)) return;
    if (error instanceof AppError && error.code === 'RATE_LIMIT_EXCEEDED') return await wait(tools, held, job, error);
    if (error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable) {
      log.info({ error, jobId }, 'captions could not be made');
      await failProcessing(tools.platform, jobId, held.attempt, error);
      return;
    }
    await releaseTranscodeJob(db, jobId, held.attempt);
    throw error;
  } finally {
    await progress.stop();
  }
}

/** Fails a job that will not be retried. */
export async function giveUpCaptions(
  platform: Pick<Platform, 'db' | 'clock'>,
  jobId: string,
  reason: AppError,
): Promise<void> {
  if (!(await cancelProcessing(platform, jobId))) await failProcessing(platform, jobId, null, reason);
}

async function work(
  tools: CaptionTools,
  held: Held,
  job: CaptionJob,
  progress: WatchedProgress,
  stopping: AbortSignal,
): Promise<Made> {
  const signal = AbortSignal.any([stopping, progress.signal]);
  const { jobId, attempt } = held;
  const shared = { jobId, attempt, signal, onPercent: progress.set };
  return job.kind === 'SPEECH' ? recognize(tools, held, job, shared) : translateSource(tools, held, job, shared);
}

type Shared = Pick<Transcribing, 'jobId' | 'attempt' | 'signal' | 'onPercent'>;

async function recognize(tools: CaptionTools, held: Held, job: CaptionJob, shared: Shared): Promise<Made> {
  const { recognizer, platform } = tools;
  if (recognizer === null) throw speechNotSetUp(platform.config);
  const speech = await requireSpeech(platform.db, held.contentId, 'id');
  const found = await transcribe(tools, recognizer, { ...shared, speech, language: job.language });
  const { audioMs: costMs, ...spent } = found.spent;
  await recordSpeed(platform.db, { kind: 'speech', costMs, ...spent, peakBytes: 0, bytes: 0 });
  const cues = setCaptions(found.spoken, speech.durationMs);
  const facts = { model: recognizer.model, words: found.spoken.length, cues: cues.length };
  if (cues.length === 0) {
    const receipt = { ...facts, language: null, decision: t`No speech was found, so there are no captions.` };
    return { captions: null, receipt };
  }
  const language = found.language ?? UNKNOWN_LANGUAGE;
  const decision =
    job.language === null
      ? t`Speech ${inLanguage(language)} was detected and recognized, and set in ${counted(cues.length)}.`
      : t`Speech ${inLanguage(language)} was recognized, and set in ${counted(cues.length)}.`;
  const captions = captionsOf(tools, held, job, { cues, language, spokenIn: held.videoAssetId });
  return { captions, receipt: { ...facts, language, decision } };
}

async function translateSource(tools: CaptionTools, held: Held, job: CaptionJob, shared: Shared): Promise<Made> {
  const { translator, platform } = tools;
  const { language, sourceId } = job;
  if (translator === null || language === null) throw translationNotSetUp();
  const { contentId } = held;
  const found = await translate(platform.db, translator, { ...shared, contentId, sourceId, to: language });
  const { cues, source, spent } = found;
  const costMs = spent.cues * TRANSLATION_COST_MS;
  await recordSpeed(platform.db, {
    ...{ kind: 'translation', costMs, cpuMs: 0, wallMs: spent.wallMs, peakBytes: 0, bytes: 0 },
  });
  const words = cues.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  const decision = t`Captions ${inLanguage(source.language)} were translated into ${languageName(language)}, and set
    in ${counted(cues.length)}.`;
  const receipt = { model: translator.model, language, words, cues: cues.length, decision };
  return { captions: captionsOf(tools, held, job, { cues, language, spokenIn: source.spokenIn }), receipt };
}

function captionsOf(
  { platform }: CaptionTools,
  { contentId, channelId }: Held,
  { kind }: CaptionJob,
  { cues, language, spokenIn }: { cues: readonly Cue[]; language: string; spokenIn: string | null },
): MadeCaptions {
  const vtt = captionsText(escapedCues(cues));
  const id = newId(platform.clock.now());
  return { id, contentId, channelId, kind, language, label: autonymOf(language), vtt, spokenIn };
}

const counted = (cues: number): Message => phrase`${plural(cues, { one: '# cue', other: '# cues' })}`;

/** BCP 47: undetermined. */
const UNKNOWN_LANGUAGE = 'und';

async function complete({ platform }: CaptionTools, held: Held, { captions, receipt }: Made): Promise<void> {
  const { jobId, attempt, contentId, channelId, videoAssetId } = held;
  const nowMs = platform.clock.now();
  const now = new Date(nowMs).toISOString();
  const completed = await platform.db.transaction(async (tx) => {
    await lockContentOfVideo(tx, contentId);
    if (!(await completeTranscodeJob(tx, jobId, attempt, now))) return false;
    if (captions) {
      await replaceAutomaticCaptions(tx, captions, now);
      const payload = { captionsId: captions.id };
      await appendEvent(tx, { type: 'captions.updated', channelId, subjectId: contentId, payload });
    }
    await completeCaptionJob(tx, jobId, captions?.id ?? null, receipt);
    await reportJob(tx, jobId, contentId, channelId, 'COMPLETE');
    await giveUpOriginal(tx, { contentId, videoAssetId }, nowMs);
    return true;
  });
  if (!completed) throw new Error('the job was taken over or cancelled before it could be completed');
}

/** Queues the job again for when the service takes requests, without using up an attempt. */
async function wait({ platform }: CaptionTools, held: Held, job: CaptionJob, reason: AppError): Promise<void> {
  const { jobId, attempt } = held;
  if (platform.clock.now() - job.createdMs > LONGEST_WAIT_MS) {
    await failProcessing(platform, jobId, attempt, reason);
    return;
  }
  const startAfterSeconds = Math.ceil(reason.retryAfterSeconds ?? 30);
  await platform.db.transaction(async (tx) => {
    if (await releaseTranscodeJob(tx, jobId, attempt))
      await platform.jobs.send(tx, makeCaptionsJob, { jobId }, { startAfterSeconds });
  });
}
