import { t } from '../../../kernel/languages/message.ts';
import { INDEX_PATH } from '../../../media/index.ts';
import { WorkQueue } from '../../../platform/work-queue.ts';
import { ByteCache, COPY_NAME, cutIndexed, readIndex, type SegmentIndex } from '../../assets/index.ts';
import type { FileGenerator, GeneratedFile } from '../files/generated-media.ts';

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
