import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import {
  copiedSoundPrefix,
  discardImage,
  type FoundCaptions,
  type ImagePlatform,
  keepImage,
  type MediaIndex,
  markVideoReady,
  nameOfPackage,
  onDemandPrefix,
  orderObjectPurge,
  type PackagedFacts,
  type RenderedImage,
  removeReplacedVideos,
  replaceFoundCaptions,
  replaceRenditions,
  videoSourceFacts,
} from '../../assets/index.ts';
import { endRebuildsOf } from '../cold/rebuild.store.ts';
import { followEdit } from '../cutting/follow-edit.ts';
import { reportJob } from '../jobs/start-processing.ts';
import { type ClaimedJob, completeTranscodeJob } from '../jobs/transcode-jobs.store.ts';
import { purgeSingles } from '../plans/drop-encoding.ts';
import type { EncodedJob } from '../plans/encode-plans.store.ts';
import { endPlan } from '../plans/end-plan.ts';
import { insertOutputs } from '../plans/outputs.store.ts';
import type { RenditionOutputs } from '../plans/outputs.ts';
import { purgeOmitted } from '../plans/title-sizes.ts';
import { REPLACED_MS } from '../playable/announce-playable.ts';
import type { Additions } from './additions.ts';
import { keepCopy } from './keep-copy.ts';

interface CompletionTools {
  readonly platform: ImagePlatform & Pick<Platform, 'jobs'>;
  readonly additions: Additions;
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

/**
 * Makes the video playable: metadata, states and events in one transaction. Uses the generated poster unless the owner
 * has set one. Removes the previous package of the same video, and earlier videos of the content with their posters.
 * False when the job is no longer this attempt's.
 */
export async function completeProcessing(
  { platform, additions }: CompletionTools,
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
    await additions.dropReplaced(platform, tx, { contentId, channelId, videoAssetId }, nowMs + REPLACED_MS);
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
    await followEdit(tx, { contentId, channelId, videoAssetId }, now);
    await additions.orderForNew(platform, tx, { contentId, channelId, videoAssetId });
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
