import { AppError } from '../../../kernel/errors.ts';
import {
  ADDED_CODECS,
  type AddedCodec,
  chunkCostsMs,
  expectedPackageBytes,
  isVideo,
  planCodec,
  type Rendition,
  type Stage,
  type VideoRendition,
} from '../../../media/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { insertEncodePlan } from '../encoding/encode-plans.store.ts';
import { encodedVideo } from '../encoding/outputs.store.ts';
import { derivedLimitOfVideo } from '../processing/derived.policy.ts';
import { type EncodeSourceTools, inspectUploaded, sourceTagOf } from '../processing/encode-source.ts';
import { type IndexedSource, indexedTag, keepIndexed, storeIndexed } from '../processing/indexed-source.ts';
import { reserveDerived } from '../processing/reserve-derived.ts';
import type { ClaimedJob } from '../processing/transcode-jobs.store.ts';
import { type VideoSourceFacts, videoSourceFacts } from '../processing/video-assets.store.ts';
import { renditionsOfVideo } from '../renditions/renditions.store.ts';

interface Tools extends EncodeSourceTools {
  readonly stages?: readonly Stage[];
  /** That ffmpeg encodes; default all. */
  readonly codecs?: readonly AddedCodec[];
}

type Claimed = ClaimedJob & { readonly videoAssetId: string };

/** Of the playlists and rows of a package. */
const FINISH_COST_MS = 100;

/**
 * Plans the encoding of a complete video in another codec, with the segments that it has.
 * @throws AppError TRANSCODE_FAILED where that is not possible.
 */
export async function planCodecJob(tools: Tools, held: Claimed, codec: AddedCodec, signal: AbortSignal): Promise<void> {
  const { platform, stages, codecs = ADDED_CODECS } = tools;
  const { db } = platform;
  const { jobId, attempt, videoAssetId } = held;
  if (!codecs.includes(codec)) throw unsuitable(`This build of ffmpeg has no encoder of ${codec}.`);
  const source = await videoSourceFacts(db, videoAssetId);
  const encoded = await encodedVideo(db, videoAssetId);
  const beside = await sizeBeside(db, held);
  if (!source?.mimeType || !encoded || !beside) throw unsuitable('The video has not been encoded.');
  const sourceTag = await sourceTagOf(platform.store, source.sourceKey);
  const isIndexed = encoded.sourceTag === indexedTag(sourceTag);
  if (!isIndexed && encoded.sourceTag !== sourceTag)
    throw unsuitable('The file that the video was encoded from is not kept.');
  const planned = planCodec(encoded.plan.facts, codec, beside, stages);
  if (!planned) throw unsuitable(`The video is too small for ${codec}, or its segments cannot be found in the file.`);
  const { ffmpeg } = encoded.plan;
  const plan = { ...planned, ...(ffmpeg === undefined ? {} : { ffmpeg }) };
  const maxBytes = derivedLimitOfVideo(source.sizeBytes);
  const indexed = isIndexed ? await indexAgain(tools, held, source, signal) : null;
  const copiedBytes = indexed?.sizeBytes ?? 0;
  await reserveDerived(platform, held, copiedBytes + Math.min(maxBytes, expectedPackageBytes(plan)));
  signal.throwIfAborted();
  const costs = { costsMs: chunkCostsMs(plan, stages), finishCostMs: FINISH_COST_MS };
  const remuxedKey = indexed?.key ?? null;
  const row = { jobId, attempt, plan, mimeType: source.mimeType, remuxedKey, sourceTag: encoded.sourceTag };
  await db.transaction(async (tx) => {
    if (!(await insertEncodePlan(tx, { ...row, ...costs, maxBytes })))
      throw new Error('the job was taken over or cancelled before it could be planned');
    if (indexed) await keepIndexed(tx, indexed);
  });
}

/** Copies the uploaded file as before it was encoded. @throws AppError TRANSCODE_FAILED where there is no space. */
async function indexAgain(
  tools: Tools,
  held: Claimed,
  source: VideoSourceFacts,
  signal: AbortSignal,
): Promise<IndexedSource> {
  const indexed = await storeIndexed(tools, held, await inspectUploaded(tools, source, signal), signal);
  if (!indexed) throw unsuitable('There is no space for a copy of the file in which segments are found.');
  return indexed;
}

/** The largest encoded size of a video, whose segments others have, too; null where it has none. */
export async function sizeBeside(
  db: Executor,
  { videoAssetId, contentId }: { readonly videoAssetId: string; readonly contentId: string },
): Promise<VideoRendition | null> {
  const renditions: readonly Rendition[] = await renditionsOfVideo(db, videoAssetId, contentId);
  return renditions.filter(isVideo).find(({ origin }) => origin === 'ENCODE') ?? null;
}

function unsuitable(message: string): AppError {
  return new AppError('TRANSCODE_FAILED', message);
}
