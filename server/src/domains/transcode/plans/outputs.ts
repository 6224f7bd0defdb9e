import { type EncodedChunk, type EncodedPart, type OutputKey, outputKeys, type Stage } from '../../../media/index.ts';
import type { EncodedJob } from './encode-plans.store.ts';

/** What one chunk contributed to a rendition. Stored as JSON. */
export interface StoredOutput {
  readonly key: string;
  readonly firstSegment: number;
  readonly part: Omit<EncodedPart, 'init' | 'folder'>;
  /** With the default audio track. */
  readonly loudness?: EncodedChunk['loudness'];
}

/** The outputs of a rendition, in the order of the chunks. */
export interface RenditionOutputs {
  /** Below that of the package. */
  readonly folder: string;
  readonly init: string;
  readonly outputs: readonly StoredOutput[];
}

/** The outputs of an encoded job by rendition, with their keys; none where its source was not identified. Pure. */
export function outputsOf(
  { plan, chunks, sourceTag }: Pick<EncodedJob, 'plan' | 'chunks' | 'sourceTag'>,
  stages?: readonly Stage[],
): RenditionOutputs[] {
  if (sourceTag === null) return [];
  const found = new Map<string, { init: string; outputs: StoredOutput[] }>();
  for (const [index, chunk] of plan.chunks.entries()) {
    const encoded = chunks[index];
    for (const { folder, key } of outputKeys(plan, chunk, sourceTag, stages)) {
      const part = encoded?.parts.find((each) => each.folder === folder);
      if (!encoded || !part) continue;
      const rendition = found.get(folder) ?? { init: part.init, outputs: [] };
      found.set(folder, rendition);
      rendition.outputs.push(outputOf(key, encoded, part));
    }
  }
  return [...found].map(([folder, rendition]) => ({ folder, ...rendition }));
}

function outputOf(
  key: string,
  { firstSegment, loudness }: EncodedChunk,
  { init, folder, ...part }: EncodedPart,
): StoredOutput {
  return { key, firstSegment, part, ...(loudness === undefined ? {} : { loudness }) };
}

/** What a chunk consists of: outputs that were taken over, and those that were encoded. Pure. */
export function joinOutputs(
  keys: readonly OutputKey[],
  reused: readonly EncodedChunk[],
  encoded: EncodedChunk | null,
  firstSegment: number,
): EncodedChunk {
  const all = [...reused, ...(encoded ? [encoded] : [])];
  const parts = keys.flatMap(({ folder }) =>
    all.flatMap((each) => each.parts.filter((part) => part.folder === folder)),
  );
  const loudness = all.find((each) => each.loudness !== undefined)?.loudness;
  const measured = loudness === undefined ? {} : { loudness };
  return { firstSegment, parts, cpuMs: encoded?.cpuMs ?? 0, ...measured };
}
