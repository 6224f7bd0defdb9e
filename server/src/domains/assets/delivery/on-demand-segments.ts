import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import { planOnDemand } from '../../../media/index.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import {
  isSegmentEncoded,
  planOfPackage,
  type SegmentState,
  segmentState,
  wantSegment,
} from '../encoding/on-demand.store.ts';
import type { FileGenerator, GeneratedFile } from './generated-media.ts';
import { ON_DEMAND_SUFFIX } from './media-address.ts';
import { storedBytes } from './stored-bytes.ts';

const UUID = '[0-9a-f-]{36}';
const SEGMENT = new RegExp(
  `^(media/${UUID}/(${UUID})/([0-9a-f]{12})-(\\d{1,5}))${ON_DEMAND_SUFFIX}/([a-z0-9]+)/seg-(\\d{5})\\.m4s$`,
);
/** hls.js gives up a request after ten seconds, and repeats one that was refused. */
const LONGEST_WAIT_MS = 8_000;
const POLL_MS = 100;
/** Requests that wait at a time. */
const MAX_WAITING = 500;

type Tools = Parameters<FileGenerator>[0];

interface Wanted {
  /** Of the segment. */
  readonly key: string;
  /** Of the same segment in the package that is encoded meanwhile. */
  readonly encodedKey: string;
  readonly videoAssetId: string;
  readonly jobEnd: string;
  readonly attempt: number;
  readonly folder: string;
  readonly number: number;
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
  const match = SEGMENT.exec(key);
  if (!match) return null;
  const [, packageFolder = '', videoAssetId = '', jobEnd = '', attempt, folder = '', number = ''] = match;
  const encodedKey = `${packageFolder}/${folder}/seg-${number}.m4s`;
  return { key, encodedKey, videoAssetId, jobEnd, attempt: Number(attempt), folder, number: Number(number) };
}

async function provide(tools: Tools, wanted: Wanted, longestWaitMs: number): Promise<GeneratedFile | 'missing' | null> {
  const { db, store } = tools;
  const planned = await planOfPackage(db, wanted.videoAssetId, wanted.jobEnd, wanted.attempt);
  if (!planned) return encodedFile(store, wanted.encodedKey);
  const demand = planOnDemand(planned.plan);
  if (!demand || wanted.number >= demand.segments) return 'missing';
  if (![demand.video.folder, demand.audio?.folder].includes(wanted.folder)) return 'missing';
  const state = (await isSegmentEncoded(db, planned.jobId, wanted.folder, wanted.number))
    ? 'gone'
    : await waitFor(db, planned.jobId, wanted.number, longestWaitMs);
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
async function waitFor(db: Database, jobId: string, number: number, longestWaitMs: number): Promise<SegmentState> {
  const startedMs = performance.now();
  let state = await wantSegment(db, jobId, number);
  while (state === 'wanted' && performance.now() - startedMs < longestWaitMs) {
    await pause(POLL_MS);
    state = await segmentState(db, jobId, number);
  }
  return state;
}

async function encodedFile(store: ObjectStore, key: string): Promise<GeneratedFile | 'missing'> {
  const source = await storedBytes(store, key);
  if (!source) return 'missing';
  const body = await source.read(0, source.sizeBytes);
  return { body, contentType: 'video/iso.segment', lifetime: 'IMMUTABLE', etag: source.etag };
}

function tryAgain(): AppError {
  return new AppError('SERVICE_UNAVAILABLE', 'This part of the video is still being encoded.', {
    suggestedFix: 'Repeat the request.',
    retryAfterSeconds: 1,
  });
}
