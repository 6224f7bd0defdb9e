import { AppError } from '../../../kernel/errors.ts';
import {
  inspectFile,
  isRemuxComplete,
  type MediaFacts,
  Mp4Error,
  planCopyOf,
  type Runner,
} from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { storedBytes } from '../delivery/stored-bytes.ts';
import type { LocalSources } from '../encoding/local-sources.ts';
import { type EncodedVideo, encodedVideo } from '../encoding/outputs.store.ts';
import { remuxedKey } from '../playable/play-remuxed.ts';
import type { ClaimedJob } from './transcode-jobs.store.ts';
import { videoSourceFacts } from './video-assets.store.ts';

/** The file that a video is encoded from. */
export interface EncodeSource {
  /** Null: the uploaded file. */
  readonly remuxedKey: string | null;
  readonly facts: MediaFacts;
  /** Of the uploaded file. */
  readonly mimeType: string;
  /**
   * When segments begin of the video as it is played without encoding: players switch between it and what is encoded.
   * Null where it is not.
   */
  readonly cuts: readonly number[] | null;
  /** Identifies the file: its size and ETag. */
  readonly sourceTag: string;
}

export interface EncodeSourceTools {
  readonly platform: Pick<Platform, 'db' | 'store'>;
  readonly runner: Runner;
  readonly sources: LocalSources;
  /** From `probeTools`. */
  readonly toneMapping: boolean;
}

/**
 * Inspects the uploaded file and chooses what is encoded: its copy in MP4 in place of a file whose moments cannot be
 * found by an index, if the copy has everything of it.
 * @throws AppError TRANSCODE_FAILED where the file cannot be encoded.
 */
export async function chooseEncodeSource(
  tools: EncodeSourceTools,
  held: ClaimedJob & { readonly videoAssetId: string },
  { sourceKey }: { readonly sourceKey: string },
  signal: AbortSignal,
): Promise<EncodeSource> {
  const { platform, sources } = tools;
  const uploaded = await sources.use(sourceKey, (path) => inspect(tools, path, signal));
  if (!uploaded.ok) {
    const { code, message, suggestedFix } = uploaded;
    throw new AppError(code, message, { suggestedFix });
  }
  const { facts, mimeType } = uploaded;
  const packagePrefix = (await videoSourceFacts(platform.db, held.videoAssetId))?.packagePrefix ?? null;
  const copy = await remuxedKey(platform.store, held, packagePrefix);
  const isPlain = facts.demuxer === 'mov' && facts.randomAccess;
  const cuts =
    copy || isPlain
      ? await keyframeCuts(platform, copy ?? sourceKey)
      : earlierCuts(await encodedVideo(platform.db, held.videoAssetId));
  const found = { mimeType, cuts };
  if (copy && !facts.randomAccess && isRemuxComplete(facts)) {
    const copied = await sources.use(copy, (path) => inspect(tools, path, signal));
    if (copied.ok)
      return { ...found, remuxedKey: copy, facts: copied.facts, sourceTag: await sourceTagOf(platform.store, copy) };
  }
  return { ...found, remuxedKey: null, facts, sourceTag: await sourceTagOf(platform.store, sourceKey) };
}

/** When segments began where a video was encoded before, while it was played from a copy that is gone. */
function earlierCuts(earlier: EncodedVideo | null): readonly number[] | null {
  const { cuts = null, baseRate } = earlier?.plan.timeline ?? {};
  return cuts && baseRate ? cuts.map((frame) => (frame * baseRate.den) / baseRate.num) : null;
}

/** Identifies a stored file. @throws AppError RESOURCE_NOT_FOUND where it is gone. */
export async function sourceTagOf(store: Pick<Platform['store'], 'head'>, key: string): Promise<string> {
  const tag = await findSourceTag(store, key);
  if (tag === null) throw new AppError('RESOURCE_NOT_FOUND', 'The uploaded file no longer exists.');
  return tag;
}

/** The same; null where it is gone. */
export async function findSourceTag(store: Pick<Platform['store'], 'head'>, key: string): Promise<string | null> {
  const found = await store.head(key);
  return found && `${found.sizeBytes} ${found.etag}`;
}

function inspect({ runner, toneMapping }: EncodeSourceTools, path: string, signal: AbortSignal) {
  return inspectFile(runner, path, { toneMapping, signal });
}

async function keyframeCuts({ store }: Pick<Platform, 'store'>, key: string): Promise<readonly number[] | null> {
  const source = await storedBytes(store, key);
  if (!source) return null;
  try {
    const copy = await planCopyOf(source);
    return copy.standard ? copy.cuts : null;
  } catch (error) {
    if (error instanceof Mp4Error) return null;
    throw error;
  }
}
