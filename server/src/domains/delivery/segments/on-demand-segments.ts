import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import { planOnDemand } from '../../../media/index.ts';
import { contentTypeOf } from '../../../platform/storage/content-types.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { ON_DEMAND_SUFFIX, storedBytes } from '../../assets/index.ts';
import {
  evictedRendition,
  isSegmentEncoded,
  planOfPackage,
  restoreEvicted,
  type SegmentState,
  segmentState,
  wantEvicted,
  wantSegment,
} from '../../transcode/index.ts';
import type { FileGenerator, GeneratedFile } from '../files/generated-media.ts';

const UUID = '[0-9a-f-]{36}';
/** Files of an evicted rendition that are kept, with the encoded package. */
const KEPT = 'index\\.m3u8|init\\.mp4';
const PACKAGE = `media/(${UUID})/(${UUID})/([0-9a-f]{12})-(0|[1-9]\\d{0,4})`;
const FILE = new RegExp(`^(${PACKAGE})${ON_DEMAND_SUFFIX}/([a-z0-9]+)/(?:seg-(\\d{5})\\.m4s|${KEPT})$`);
/** hls.js gives up a request after ten seconds, and repeats one that was refused. */
export const LONGEST_WAIT_MS = 8_000;
const POLL_MS = 100;
/** Requests that wait at a time. */
const MAX_WAITING = 500;

type Tools = Parameters<FileGenerator>[0];

interface Wanted {
  /** Of the segment. */
  readonly key: string;
  /** Of the same segment in the package that is encoded meanwhile. */
  readonly encodedKey: string;
  readonly contentId: string;
  readonly videoAssetId: string;
  readonly jobEnd: string;
  readonly attempt: number;
  readonly folder: string;
  /** Null for a file that is not a segment. */
  readonly number: number | null;
}

/**
 * Requests the encoding of segments that viewers request while the video is encoded, and waits for them. Where the
 * chunk with the same segment is encoded already, its segment is sent.
 */
export function onDemandSegments({ longestWaitMs = LONGEST_WAIT_MS } = {}): FileGenerator {
  const waiting = new Map<string, Promise<GeneratedFile | 'missing' | null>>();
  return async (tools, key) => {
    const wanted = parse(key);
    // What was encoded for a viewer is sent from the store.
    if (!wanted || (await tools.store.head(key))) return null;
    const known = waiting.get(key);
    if (known) return known;
    if (waiting.size >= MAX_WAITING) throw tryAgain();
    const found = provide(tools, wanted, longestWaitMs).finally(() => waiting.delete(key));
    waiting.set(key, found);
    return found;
  };
}

function parse(key: string): Wanted | null {
  const match = FILE.exec(key);
  if (!match) return null;
  const [, packageFolder = '', contentId = '', videoAssetId = '', jobEnd = '', attempt, folder = '', number] = match;
  const encodedKey = `${packageFolder}/${folder}/${key.slice(key.lastIndexOf('/') + 1)}`;
  const place = { jobEnd, attempt: Number(attempt), folder, number: number === undefined ? null : Number(number) };
  return { key, encodedKey, contentId, videoAssetId, ...place };
}

async function provide(tools: Tools, wanted: Wanted, longestWaitMs: number): Promise<GeneratedFile | 'missing' | null> {
  const { db, store } = tools;
  const planned = await planOfPackage(db, wanted.videoAssetId, wanted.jobEnd, wanted.attempt);
  const { number } = wanted;
  if (number === null) return encodedFile(store, wanted.encodedKey);
  if (!planned) return provideEncoded(tools, wanted, number, longestWaitMs);
  const demand = planOnDemand(planned.plan);
  if (!demand || number >= demand.segments) return 'missing';
  if (![demand.video.folder, demand.audio?.folder].includes(wanted.folder)) return 'missing';
  const state = (await isSegmentEncoded(db, planned.jobId, wanted.folder, number))
    ? 'gone'
    : await waitFor(
        await wantSegment(db, planned.jobId, number),
        () => segmentState(db, planned.jobId, number),
        longestWaitMs,
      );
  return fileIn(state, store, wanted);
}

/**
 * A segment of the package that was encoded meanwhile; of an evicted rendition also one that is encoded for the viewer.
 */
async function provideEncoded(
  tools: Tools,
  wanted: Wanted,
  number: number,
  longestWaitMs: number,
): Promise<GeneratedFile | 'missing' | null> {
  const { db, store } = tools;
  const { videoAssetId, jobEnd, attempt, folder } = wanted;
  const stored = await encodedFile(store, wanted.encodedKey);
  const evicted = await evictedRendition(db, videoAssetId, `${jobEnd}-${attempt}/${folder}`);
  if (!evicted) return stored;
  if (stored !== 'missing') {
    await restoreEvicted(tools, wanted, evicted.folder);
    return stored;
  }
  const single = await wantEvicted(tools, videoAssetId, evicted, { segment: number, whole: false });
  if (!single) return 'missing';
  return fileIn(
    await waitFor(single.state, () => segmentState(db, single.jobId, single.number), longestWaitMs),
    store,
    wanted,
  );
}

async function fileIn(
  state: SegmentState,
  store: ObjectStore,
  wanted: Wanted,
): Promise<GeneratedFile | 'missing' | null> {
  switch (state) {
    case 'encoded':
      return null;
    case 'failed':
      return 'missing';
    case 'gone':
      return encodedFile(store, wanted.encodedKey);
    case 'wanted':
      throw tryAgain();
  }
}

/** Waits until the segment is encoded, its plan has ended, or the time is over. */
export async function waitFor(
  first: SegmentState,
  read: () => Promise<SegmentState>,
  longestWaitMs: number,
): Promise<SegmentState> {
  const startedMs = performance.now();
  let state = first;
  while (state === 'wanted' && performance.now() - startedMs < longestWaitMs) {
    await pause(POLL_MS);
    state = await read();
  }
  return state;
}

async function encodedFile(store: ObjectStore, key: string): Promise<GeneratedFile | 'missing'> {
  const source = await storedBytes(store, key);
  if (!source) return 'missing';
  const body = await source.read(0, source.sizeBytes);
  const isPlaylist = key.endsWith('.m3u8');
  return { body, contentType: contentTypeOf(key), lifetime: isPlaylist ? 'SHORT' : 'IMMUTABLE', etag: source.etag };
}

/** The answer where encoding takes long. */
export function tryAgain(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', t`This part of the video is still being encoded.`, {
    suggestedFix: t`Repeat the request.`,
    retryAfterSeconds: 1,
  });
}
