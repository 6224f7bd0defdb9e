import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type ByteSource, Mp4Error, readTopLevelBox, type SegmentDirectory } from '@reelgraph/mp4';
import type { CopyOptions, CopyPlan } from './copy-package.ts';

/** What the thread receives. */
export interface PlanCopyRequest {
  /** The content of the movie box. */
  readonly movie: Uint8Array;
  readonly source: SegmentDirectory['source'];
  readonly options: CopyOptions;
}

/** An object of a store. */
export interface StoredSource extends ByteSource {
  readonly key: string;
  /** Changes when the object does. */
  readonly etag: string;
}

/** Heap of the thread. Tables are in buffers, which do not count: at most 128 MiB are read. */
const MAX_HEAP_MB = 512;
/** Six hours take half a second. */
const MAX_MS = 20_000;

/**
 * Reads the movie box of a file and plans how to play it without encoding. Files are parsed in a thread of their own:
 * tables of long videos take longer than the event loop may wait.
 * @throws Mp4Error where the file is malformed, takes too long or too much memory; errors of `source`.
 */
export async function planCopyOf(source: StoredSource, options: CopyOptions = {}): Promise<CopyPlan> {
  // It starts while the box is read.
  const worker = new Worker(new URL('./plan-copy.worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  try {
    const movie = await readTopLevelBox(source, 'moov');
    if (movie === null) return { standard: false, reason: 'there is no movie box' };
    const { key, sizeBytes, etag } = source;
    return await planIn(worker, movie, { source: { key, sizeBytes, etag }, options });
  } finally {
    await worker.terminate();
  }
}

async function planIn(worker: Worker, box: Buffer, request: Omit<PlanCopyRequest, 'movie'>): Promise<CopyPlan> {
  // Small buffers share their memory with others, which must not move to the thread.
  const movie = box.byteLength === box.buffer.byteLength ? box : new Uint8Array(box);
  // The thread posts what `planCopy` returns; its errors reject.
  const answered = once(worker, 'message', { signal: AbortSignal.timeout(MAX_MS) });
  try {
    worker.postMessage({ movie, ...request } satisfies PlanCopyRequest, [movie.buffer as ArrayBuffer]);
    const [plan] = (await answered) as [CopyPlan];
    return plan;
  } catch (error) {
    throw new Mp4Error(error instanceof Error ? error.message : String(error));
  }
}
