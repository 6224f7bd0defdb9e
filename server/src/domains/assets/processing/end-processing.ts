import type { AppError } from '../../../kernel/errors.ts';
import { sentences, type Text, t } from '../../../kernel/languages/message.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import { renewEnhancements } from '../additions/order-enhancement.ts';
import { type FoundCaptions, replaceFoundCaptions } from '../captions/captions.store.ts';
import { dropCodecs, orderCodecs } from '../codecs/order-codecs.ts';
import { endRebuildsOf } from '../cold/rebuild.store.ts';
import { purgeSingles } from '../cold/rebuild.ts';
import { followEdit } from '../cutting/follow-edit.ts';
import { copiedSoundPrefix, nameOfPackage, onDemandPrefix } from '../delivery/media-address.ts';
import { dropEncoding } from '../encoding/drop-encoding.ts';
import type { EncodedJob } from '../encoding/encode-plans.store.ts';
import { endPlan } from '../encoding/end-plan.ts';
import { insertOutputs } from '../encoding/outputs.store.ts';
import type { RenditionOutputs } from '../encoding/outputs.ts';
import { purgeOmitted } from '../encoding/title-sizes.ts';
import { discardImage, type ImagePlatform, keepImage, type RenderedImage } from '../images/process-image.ts';
import { giveUpOriginal } from '../originals/drop-originals.ts';
import { orderObjectPurge } from '../quota/object-purges.store.ts';
import { keepCopy } from '../renditions/keep-copy.ts';
import type { MediaIndex } from '../renditions/media-indexes.store.ts';
import { replaceRenditions } from '../renditions/renditions.store.ts';
import { dropReplacedSpeech } from '../speech/order-transcription.ts';
import { reportJob } from './start-processing.ts';
import {
  type ClaimedJob,
  cancelTranscodeJob,
  completeTranscodeJob,
  type EndedJob,
  failTranscodeJob,
  newestTranscodeJob,
} from './transcode-jobs.store.ts';
import {
  lockContentOfVideo,
  markVideoReady,
  type PackagedFacts,
  removeReplacedVideos,
  videoSourceFacts,
} from './video-assets.store.ts';

interface Tools {
  readonly db: Database;
  readonly clock: Clock;
}

/** The result of processing a video. */
export interface ProcessedVideo {
  readonly facts: PackagedFacts;
  readonly captions: readonly FoundCaptions[];
  /** Null when there is none. */
  readonly poster: RenderedImage | null;
  /** What its renditions consist of. */
  readonly outputs: readonly RenditionOutputs[];
}

/** Replaced packages are deleted a day later, because players may still use them. */
const REPLACED_MS = 86_400_000;

/**
 * Makes the video playable: metadata, states and events in one transaction. Uses the generated poster unless the owner
 * has set one. Removes the previous package of the same video, and earlier videos of the content with their posters.
 * False when the job is no longer this attempt's.
 */
export async function completeProcessing(
  platform: ImagePlatform & Pick<Platform, 'jobs'>,
  claimed: Omit<ClaimedJob, 'codec' | 'purpose' | 'decodesWhole'> &
    Pick<EncodedJob, 'videoAssetId' | 'plan' | 'sourceTag'>,
  { facts, captions, poster, outputs }: ProcessedVideo,
): Promise<boolean> {
  const { jobId, attempt, contentId, channelId, videoAssetId, sourceTag } = claimed;
  const nowMs = platform.clock.now();
  const now = new Date(nowMs).toISOString();
  let afterCommit = async () => {};
  const completed = await platform.db.transaction(async (tx) => {
    if (!(await completeTranscodeJob(tx, jobId, attempt, now))) return false;
    await dropCodecs(tx, contentId, nowMs + REPLACED_MS);
    await renewEnhancements(platform, tx, { contentId, videoAssetId });
    const earlier = await videoSourceFacts(tx, videoAssetId);
    for (const rebuilt of await endRebuildsOf(tx, contentId)) await purgeSingles(tx, rebuilt, nowMs + REPLACED_MS);
    const plan = await endPlan(tx, jobId, facts.packagePrefix, nowMs);
    await purgeOmitted(tx, claimed.plan, facts.packagePrefix, nowMs);
    const onDemand = plan?.onDemand ? onDemandPrefix(contentId, videoAssetId, jobId, plan.attempt) : null;
    const streams = await keepCopy(tx, { videoAssetId, contentId, channelId }, facts.renditions);
    for (const prefix of new Set([earlier?.packagePrefix, onDemand, streams.dropped]))
      if (prefix && prefix !== streams.index?.keyPrefix) await orderObjectPurge(tx, prefix, nowMs + REPLACED_MS);
    if (streams.index ?? streams.dropped)
      await orderObjectPurge(tx, copiedSoundPrefix(contentId, videoAssetId), nowMs + REPLACED_MS);
    await markVideoReady(tx, videoAssetId, withIndex(facts, streams.index), now);
    await replaceRenditions(tx, videoAssetId, streams.renditions);
    if (sourceTag !== null) {
      const folder = nameOfPackage(facts.packagePrefix);
      await insertOutputs(tx, videoAssetId, { plan: claimed.plan, sourceTag, folder }, outputs);
    }
    await orderCodecs(platform, tx, { channelId, videoAssetId });
    await followEdit(tx, { contentId, channelId, videoAssetId }, now);
    await dropReplacedSpeech(platform, tx, { contentId, channelId, videoAssetId });
    await removeReplacedVideos(tx, videoAssetId);
    // Those that were found in the original have moved.
    if (earlier?.edit !== 'TRIM') await replaceFoundCaptions(tx, { channelId, contentId, videoAssetId }, captions, now);
    await reportJob(tx, jobId, contentId, channelId, 'COMPLETE');
    await appendEvent(tx, { type: 'asset.ready', channelId, subjectId: contentId, payload: { videoAssetId, jobId } });
    if (poster) afterCommit = await keepPoster(platform, tx, poster, { contentId, channelId, videoAssetId });
    return true;
  });
  if (completed) await afterCommit();
  return completed;
}

/**
 * Uses a generated poster unless there is one: asked when the content is locked, so that none set meanwhile is
 * replaced. Returns what removes unused files after the commit.
 */
async function keepPoster(
  platform: ImagePlatform,
  tx: Transaction,
  poster: RenderedImage,
  { contentId, channelId, videoAssetId }: Pick<EncodedJob, 'contentId' | 'channelId' | 'videoAssetId'>,
): Promise<() => Promise<void>> {
  const video = await videoSourceFacts(tx, videoAssetId);
  if (!video || video.hasPoster) return () => discardImage(platform, poster);
  const owner = { channelId, contentId, playlistId: null, videoAssetId, alt: video.title };
  return (await keepImage(platform, tx, poster, owner)).forgetReplaced;
}

/** Counts what is stored to cut segments from the uploaded file, too. */
function withIndex(facts: PackagedFacts, index: MediaIndex | null): PackagedFacts {
  const { storedBytes = 0, storedFiles = 0 } = index ?? {};
  return { ...facts, derivedBytes: facts.derivedBytes + storedBytes, derivedFiles: facts.derivedFiles + storedFiles };
}

/**
 * Fails a job with a message for the uploader; null when it had already ended. With `attempt`, only when the job is
 * still that attempt's.
 */
export function failProcessing(
  { db, clock }: Tools,
  jobId: string,
  attempt: number | null,
  reason: AppError,
): Promise<EndedJob | null> {
  const error = { code: reason.code, text: sentences(reason.text, reason.fix) };
  return db.transaction((tx) => fail(clock, tx, jobId, attempt, error));
}

/**
 * Ends the job of a content that waits (IDLE) for a failed upload, in the transaction that ends the upload. The content
 * stays a draft, for which another upload can be opened.
 */
export async function failAwaitingProcessing(
  { clock }: Pick<Tools, 'clock'>,
  tx: Transaction,
  contentId: string,
  upload: { readonly code: string; readonly text: Text },
): Promise<void> {
  const content = await lockContentOfVideo(tx, contentId);
  const job = await newestTranscodeJob(tx, contentId);
  if (job?.status !== 'IDLE') return;
  const fix =
    content?.status === 'PUBLISHED'
      ? t`The video is as it was. To replace it, call replaceContentVideo again.`
      : t`To continue, open another upload with createContentAsset, send the file, and call
        submitContentForProcessing.`;
  await fail(clock, tx, job.id, null, { code: upload.code, text: sentences(upload.text, fix) });
}

async function fail(
  clock: Clock,
  tx: Transaction,
  jobId: string,
  attempt: number | null,
  error: { readonly code: string; readonly text: Text },
): Promise<EndedJob | null> {
  const ended = await failTranscodeJob(tx, jobId, attempt, error, new Date(clock.now()).toISOString());
  if (!ended) return null;
  const { contentId, channelId, videoAssetId, purpose } = ended;
  await dropEncoding(tx, { jobId, contentId, videoAssetId, status: 'FAILED' }, clock.now());
  if (purpose !== 'RENDITIONS') await reportJob(tx, jobId, contentId, channelId, 'ERROR');
  if (purpose !== 'PROCESS') {
    // The video is played as before.
    if (purpose !== 'REPEAT' && videoAssetId !== null)
      await giveUpOriginal(tx, { contentId, videoAssetId }, clock.now());
    return ended;
  }
  await appendEvent(tx, {
    type: 'asset.failed',
    channelId,
    subjectId: contentId,
    payload: { videoAssetId, jobId, code: error.code },
  });
  return ended;
}

/** Ends a job that was cancelled, or whose content was deleted; does nothing and returns null for others. */
export function cancelProcessing({ db, clock }: Tools, jobId: string): Promise<EndedJob | null> {
  return db.transaction(async (tx) => {
    const ended = await cancelTranscodeJob(tx, jobId, new Date(clock.now()).toISOString());
    if (!ended) return null;
    await dropEncoding(tx, { jobId, ...ended, status: 'DRAFT' }, clock.now());
    const { contentId, channelId, purpose } = ended;
    if (purpose !== 'RENDITIONS') await reportJob(tx, jobId, contentId, channelId, 'CANCELLED');
    return ended;
  });
}
