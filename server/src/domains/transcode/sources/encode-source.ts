import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { inspectFile, type MediaFacts, Mp4Error, planCopyOf } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { storedBytes, type VideoSourceFacts, videoSourceFacts } from '../../assets/index.ts';
import type { ClaimedJob } from '../jobs/transcode-jobs.store.ts';
import { type EncodedVideo, encodedVideo } from '../plans/outputs.store.ts';
import {
  type IndexedSource,
  type IndexedSourceTools,
  storeIndexed,
  storeUniform,
  type UploadedFile,
} from './indexed-source.ts';
import { remuxedKey } from './remuxed-key.ts';

/** The file that a video is encoded from. */
export interface EncodeSource {
  /** A copy of the uploaded file; null: the file itself. */
  readonly indexed: IndexedSource | null;
  readonly facts: MediaFacts;
  /** Of the uploaded file. */
  readonly mimeType: string;
  /**
   * When segments begin of the video as it is played without encoding: players switch between it and what is encoded.
   * Null where it is not.
   */
  readonly cuts: readonly number[] | null;
  /** When its keyframes are shown, whether or not segments begin with them. */
  readonly keyframes: readonly number[];
  /** Identifies what is encoded. */
  readonly sourceTag: string;
}

export interface EncodeSourceTools extends IndexedSourceTools {
  /** From `probeTools`. */
  readonly toneMapping: boolean;
}

type Held = ClaimedJob & { readonly videoAssetId: string };
type Uploaded = Pick<VideoSourceFacts, 'sourceKey' | 'sizeBytes'>;

/**
 * Inspects the uploaded file and chooses what is encoded: a copy of it where its moments cannot be found by an index.
 * @throws AppError TRANSCODE_FAILED where the file cannot be encoded.
 */
export async function chooseEncodeSource(
  tools: EncodeSourceTools,
  held: Held,
  source: Uploaded,
  signal: AbortSignal,
): Promise<EncodeSource> {
  const { platform } = tools;
  const { mimeType, ...uploaded } = await inspectUploaded(tools, source, signal);
  if (held.decodesWhole || uploaded.facts.restarts) {
    const indexed = await storeUniform(tools, held, uploaded, signal);
    return { indexed, facts: indexed.facts, sourceTag: indexed.tag, mimeType, ...NO_TIMES };
  }
  const packagePrefix = (await videoSourceFacts(platform.db, held.videoAssetId))?.packagePrefix ?? null;
  const copy = await remuxedKey(platform.store, held, packagePrefix);
  const isPlain = uploaded.facts.demuxer === 'mov' && uploaded.facts.randomAccess;
  const times =
    copy || isPlain
      ? await copiedTimes(platform, copy ?? uploaded.key)
      : earlierTimes(await encodedVideo(platform.db, held.videoAssetId));
  const indexed = await storeIndexed(tools, held, uploaded, signal);
  const { facts, tag: sourceTag } = indexed ?? uploaded;
  return { indexed, facts, sourceTag, mimeType, ...times };
}

/**
 * What there is to know of an uploaded file.
 * @throws AppError TRANSCODE_FAILED where it cannot be encoded.
 */
export async function inspectUploaded(
  { platform, runner, sources, toneMapping }: EncodeSourceTools,
  { sourceKey: key, sizeBytes }: Uploaded,
  signal: AbortSignal,
): Promise<UploadedFile & { readonly mimeType: string }> {
  const inspected = await sources.use(key, (path) => inspectFile(runner, path, { toneMapping, signal }));
  if (!inspected.ok) {
    const { code, message, suggestedFix } = inspected;
    throw new AppError(code, message, { suggestedFix });
  }
  const { facts, mimeType } = inspected;
  return { key, sizeBytes, facts, mimeType, tag: await sourceTagOf(platform.store, key) };
}

type Times = Pick<EncodeSource, 'cuts' | 'keyframes'>;
const NO_TIMES: Times = { cuts: null, keyframes: [] };

/** Those with which a video was encoded before, while it was played from a copy that is gone. */
function earlierTimes(earlier: EncodedVideo | null): Times {
  const { cuts = null, keyframes = [], baseRate } = earlier?.plan.timeline ?? {};
  if (!baseRate) return NO_TIMES;
  const seconds = (frames: readonly number[]) => frames.map((frame) => (frame * baseRate.den) / baseRate.num);
  return { cuts: cuts && seconds(cuts), keyframes: seconds(keyframes) };
}

/** Identifies a stored file. @throws AppError RESOURCE_NOT_FOUND where it is gone. */
export async function sourceTagOf(store: Pick<Platform['store'], 'head'>, key: string): Promise<string> {
  const tag = await findSourceTag(store, key);
  if (tag === null) throw new AppError('RESOURCE_NOT_FOUND', t`The uploaded file no longer exists.`);
  return tag;
}

/** The same; null where it is gone. */
export async function findSourceTag(store: Pick<Platform['store'], 'head'>, key: string): Promise<string | null> {
  const found = await store.head(key);
  return found && `${found.sizeBytes} ${found.etag}`;
}

async function copiedTimes({ store }: Pick<Platform, 'store'>, key: string): Promise<Times> {
  const source = await storedBytes(store, key);
  if (!source) return NO_TIMES;
  try {
    const copy = await planCopyOf(source);
    if (!copy.standard) return NO_TIMES;
    const { cuts, sharesCuts, keyframes } = copy;
    return { cuts: sharesCuts ? cuts : null, keyframes };
  } catch (error) {
    if (error instanceof Mp4Error) return NO_TIMES;
    throw error;
  }
}
