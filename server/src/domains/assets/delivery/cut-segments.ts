import { t } from '../../../kernel/languages/message.ts';
import {
  cutSegment,
  directoryBytes,
  HEAD_BYTES,
  INDEX_PATH,
  readBlock,
  readDirectory,
  type SampleIndex,
  type SegmentDirectory,
  type StoredSource,
} from '../../../media/index.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { WorkQueue } from '../../../platform/work-queue.ts';
import { ByteCache, type Sized } from './byte-cache.ts';
import type { FileGenerator, GeneratedFile } from './generated-media.ts';
import { COPY_NAME } from './media-address.ts';
import { rangesOf, storedBytes } from './stored-bytes.ts';

const UUID = '[0-9a-f-]{36}';
const SEGMENT = new RegExp(`^(media/${UUID}/${UUID}/${COPY_NAME}/)(video|audio)/([1-9]\\d{0,5})\\.m4s$`);
/** Segments that several viewers ask for within seconds. */
const MAX_SEGMENTS_BYTES = 128 * 1024 ** 2;
/** Directories: six hours take 150 KiB. */
const MAX_DIRECTORIES_BYTES = 32 * 1024 ** 2;

/** Segments that are cut at the same time: each is in memory twice meanwhile. */
const CUT_AT_ONCE = 8;
/** Requests for segments that wait; a player repeats one that is refused. */
const MAX_WAITING = 1_000;

/** The index of a video. */
export interface SegmentIndex {
  readonly source: StoredSource;
  readonly directory: SegmentDirectory;
  /** Position of the first block. */
  readonly blocks: number;
}

/** Cuts the media segments of videos that are played without encoding from their uploaded files. */
export function segmentCutter(): FileGenerator {
  const segments = new ByteCache<GeneratedFile | 'missing'>(MAX_SEGMENTS_BYTES);
  const cuts = new WorkQueue({
    concurrency: CUT_AT_ONCE,
    maxWaiting: MAX_WAITING,
    refusal: t`Too many viewers request uploaded videos at the moment.`,
  });
  const indexes = new ByteCache<SegmentIndex | null>(MAX_DIRECTORIES_BYTES);
  return async ({ store }, key) => {
    const match = SEGMENT.exec(key);
    if (!match) return null;
    const [, prefix = '', track = '', number = ''] = match;
    return segments.get(key, async () => {
      const indexKey = prefix + INDEX_PATH;
      const index = await indexes.get(indexKey, () => readIndex(store, indexKey));
      const body = index && (await cuts.run(() => cutIndexed(store, index, track, Number(number))));
      if (!index || !body) return { value: 'missing', bytes: 0 };
      const etag = `"${index.directory.source.etag.replaceAll('"', '')}-${track}-${number}"`;
      return { value: { body, contentType: 'video/iso.segment', lifetime: 'IMMUTABLE', etag }, bytes: body.length };
    });
  };
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
