import {
  cutSegment,
  directoryBytes,
  HEAD_BYTES,
  readBlock,
  readDirectory,
  type SampleIndex,
  type SegmentDirectory,
  type StoredSource,
} from '../../../media/index.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import type { Sized } from './byte-cache.ts';
import { rangesOf, storedBytes } from './stored-bytes.ts';

/** The index of a video. */
export interface SegmentIndex {
  readonly source: StoredSource;
  readonly directory: SegmentDirectory;
  /** Position of the first block. */
  readonly blocks: number;
}

/** The index at a key, with the memory that it takes; null where there is none. */
export async function readIndex(store: ObjectStore, key: string): Promise<Sized<SegmentIndex | null>> {
  const source = await storedBytes(store, key);
  if (!source) return { value: null, bytes: 0 };
  const length = directoryBytes(await source.read(0, HEAD_BYTES));
  const directory = readDirectory(await source.read(HEAD_BYTES, length));
  // Parsed, it takes some times its text.
  return { value: { source, directory, blocks: HEAD_BYTES + length }, bytes: 4 * length };
}

/** The samples of a segment, whose `number` counts from 1; null where there is none. */
export async function indexedSamples(
  { source, directory, blocks }: SegmentIndex,
  track: string,
  number: number,
): Promise<SampleIndex | null> {
  const place = directory.tracks[track]?.[number - 1];
  if (!place) return null;
  const [position, length] = place;
  return readBlock(await source.read(blocks + position, length));
}

/** A media segment, whose `number` counts from 1; null where there is none. */
export async function cutIndexed(
  store: ObjectStore,
  index: SegmentIndex,
  track: string,
  number: number,
): Promise<Buffer | null> {
  const samples = await indexedSamples(index, track, number);
  const kind = track === 'video' ? 'video' : 'audio';
  return samples && cutSegment(rangesOf(store, index.directory.source), samples, kind, number);
}
