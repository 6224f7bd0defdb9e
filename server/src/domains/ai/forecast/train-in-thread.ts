import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ForecastParameters, KnownVideo } from '@reelgraph/forecast';

/** What the thread receives. */
export interface TrainingRequest {
  readonly videos: readonly KnownVideo[];
  /** The parameters in use; null without any. */
  readonly champion: ForecastParameters | null;
}

/** What the thread returns: losses for held-out videos are null without any. */
export interface TrainingResult {
  readonly parameters: ForecastParameters;
  readonly loss: number | null;
  readonly championLoss: number | null;
}

const MAX_HEAP_MB = 1_024;
/** Six thousand videos take 73 s of one core. */
const MAX_MS = 1_200_000;

/**
 * Trains in a thread of its own, so that requests do not wait. Throws what the thread throws, and where it is aborted
 * or takes more than 20 minutes.
 */
export async function trainInThread(request: TrainingRequest, signal: AbortSignal): Promise<TrainingResult> {
  const worker = new Worker(new URL('./train-forecast.worker.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  try {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
    const [result] = (await once(worker, 'message', { signal: ended })) as [TrainingResult];
    return result;
  } finally {
    await worker.terminate();
  }
}
