import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { chunkCostsMs, type EncodePlan, expectedPackageBytes } from '../../../media/index.ts';
import { derivedLimitOfVideo, type VideoSourceFacts, videoSourceFacts } from '../../assets/index.ts';
import {
  type CopyKind,
  copyKindOf,
  type EncodedVideo,
  encodedVideo,
  type HeldJob,
  type IndexedSource,
  insertEncodePlan,
  inspectUploaded,
  isEncodedFrom,
  keepIndexed,
  type PlanningTools,
  reserveDerived,
  sourceTagOf,
  storeIndexed,
  storeUniform,
} from '../../transcode/index.ts';

/** A processed video whose uploaded file is what it was encoded from. */
export interface ExtendableVideo {
  readonly source: VideoSourceFacts;
  readonly mimeType: string;
  readonly encoded: EncodedVideo;
  /** The copy that it was encoded from (transcode/README.md); null: the file itself. */
  readonly copy: CopyKind | null;
}

/** Of the playlists and rows of what is added. */
export const ADDITION_FINISH_COST_MS = 100;

/**
 * The video that a job adds renditions to.
 * @throws AppError TRANSCODE_FAILED where it was not encoded, or its uploaded file is another one.
 * @throws AppError RESOURCE_NOT_FOUND where the file is gone.
 */
export async function requireExtendable(
  { platform: { db, store } }: PlanningTools,
  { videoAssetId }: HeldJob,
): Promise<ExtendableVideo> {
  const source = await videoSourceFacts(db, videoAssetId);
  const encoded = await encodedVideo(db, videoAssetId);
  if (!source?.mimeType || !encoded) throw unsuitable(t`The video has not been encoded.`);
  const uploadedTag = await sourceTagOf(store, source.sourceKey);
  if (!isEncodedFrom(encoded, uploadedTag)) throw unsuitable(t`The file that the video was encoded from is not kept.`);
  return { source, mimeType: source.mimeType, encoded, copy: copyKindOf(encoded.sourceTag) };
}

/**
 * Stores the plan of what a job adds to a video. `planFrom` makes it from the key of the file that is encoded: a new
 * copy of the uploaded one if the video was encoded from such a copy.
 * @throws AppError TRANSCODE_FAILED where there is no space for that copy, and what `planFrom` throws.
 */
export async function planAddition(
  tools: PlanningTools,
  held: HeldJob,
  { source, mimeType, encoded, copy }: ExtendableVideo,
  planFrom: (key: string) => EncodePlan | Promise<EncodePlan>,
  signal: AbortSignal,
): Promise<void> {
  const { platform, stages } = tools;
  const { jobId, attempt } = held;
  const indexed = copy && (await copyAgain(tools, held, source, copy, signal));
  const plan = await planFrom(indexed?.key ?? source.sourceKey);
  const maxBytes = derivedLimitOfVideo(source.sizeBytes);
  const copiedBytes = indexed?.sizeBytes ?? 0;
  await reserveDerived(platform, held, copiedBytes + Math.min(maxBytes, expectedPackageBytes(plan)));
  signal.throwIfAborted();
  const costs = { costsMs: chunkCostsMs(plan, stages), finishCostMs: ADDITION_FINISH_COST_MS };
  const { sourceTag } = encoded;
  const row = { jobId, attempt, plan, mimeType, remuxedKey: indexed?.key ?? null, sourceTag, ...costs, maxBytes };
  await platform.db.transaction(async (tx) => {
    if (!(await insertEncodePlan(tx, row)))
      throw new Error('the job was taken over or cancelled before it could be planned');
    if (indexed) await keepIndexed(tx, indexed);
  });
}

/** Copies the uploaded file as before it was encoded. @throws AppError TRANSCODE_FAILED where there is no space. */
async function copyAgain(
  tools: PlanningTools,
  held: HeldJob,
  source: VideoSourceFacts,
  kind: CopyKind,
  signal: AbortSignal,
): Promise<IndexedSource> {
  const uploaded = await inspectUploaded(tools, source, signal);
  if (kind === 'uniform') return storeUniform(tools, held, uploaded, signal);
  const indexed = await storeIndexed(tools, held, uploaded, signal);
  if (!indexed) throw unsuitable(t`There is no space for a copy of the file in which segments are found.`);
  return indexed;
}

function unsuitable(message: string): AppError {
  return new AppError('TRANSCODE_FAILED', message, { suggestedFix: t`Upload the video again.` });
}
