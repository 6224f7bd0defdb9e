import { buffer } from 'node:stream/consumers';
import { type EncodedChunk, type OutputKey, segmentName } from '../../../media/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { videoPrefix } from '../../assets/index.ts';
import type { ClaimedChunk } from './encode-chunks.store.ts';
import { type FoundOutput, findOutputs } from './outputs.store.ts';

interface Target {
  /** Takes a segment by its path, relative to the package. */
  readonly write: (path: string, bytes: Buffer) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Copies those outputs of a chunk into its package that the video has from an earlier time with the same keys. Outputs
 * whose segments are not stored any more are left out.
 */
export async function reuseOutputs(
  { db, store }: Pick<Platform, 'db' | 'store'>,
  claimed: ClaimedChunk,
  keys: readonly OutputKey[],
  target: Target,
): Promise<EncodedChunk[]> {
  const wanted = new Map(keys.map(({ key, folder }) => [key, folder]));
  const found = await findOutputs(db, claimed.videoAssetId, [...wanted.keys()]);
  const reused: EncodedChunk[] = [];
  for (const output of found) {
    const folder = wanted.get(output.key);
    if (folder === undefined) continue;
    wanted.delete(output.key);
    if (!(await copySegments(store, videoPrefix(claimed.contentId, claimed.videoAssetId), output, folder, target)))
      continue;
    const { init, part, firstSegment, loudness } = output;
    const measured = loudness === undefined ? {} : { loudness };
    reused.push({ firstSegment, parts: [{ ...part, folder, init }], cpuMs: 0, ...measured });
  }
  return reused;
}

/** False where a segment is missing or has another size. */
async function copySegments(
  store: Pick<Platform['store'], 'read'>,
  prefix: string,
  { folder, firstSegment, part }: FoundOutput,
  target: string,
  { write, signal }: Target,
): Promise<boolean> {
  for (const [index, [, sizeBytes]] of part.segments.entries()) {
    signal.throwIfAborted();
    const name = segmentName(firstSegment + index);
    const stored = await store.read(`${prefix}${folder}/${name}`);
    const bytes = stored && (await buffer(stored.stream));
    if (bytes?.length !== sizeBytes) return false;
    await write(`${target}/${name}`, bytes);
  }
  return true;
}
