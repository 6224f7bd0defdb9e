import type { CoreClient } from '../core.ts';
import { type DID, type WaitForProcessingResult, waitForProcessingMutation } from '../generated/operations.gen.ts';

/** Progress of processing. */
export interface ProcessingProgress {
  readonly phase: 'processing';
  readonly contentId: DID;
  readonly status: WaitForProcessingResult['status'];
  /** 0 to 100. */
  readonly percent: number;
}

export interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ProcessingProgress) => void) | undefined;
  /** Gives up after this long (default: never). */
  readonly giveUpMs?: number | undefined;
}

/** The video could not be processed, or its processing was cancelled. The message says why. */
export class ProcessingError extends Error {
  override readonly name = 'ProcessingError';
  readonly contentId: DID;
  readonly status: WaitForProcessingResult['status'];

  constructor(contentId: DID, { status, error }: Pick<WaitForProcessingResult, 'status' | 'error'>) {
    super(
      error ??
        (status === 'NONE'
          ? 'No video was uploaded for this content.'
          : `The processing of the video ended with ${status}.`),
    );
    this.contentId = contentId;
    this.status = status;
  }
}

/** Longest wait of one call; shorter when progress is reported. */
const CALL_SECONDS = 60;
const PROGRESS_SECONDS = 3;

/**
 * Waits until a content's video is playable, and published if that was requested, in calls that are short enough for
 * any proxy. Throws ProcessingError when processing fails, or after `giveUpMs`.
 */
export async function waitUntilProcessed(
  client: CoreClient,
  contentId: DID,
  options: WaitOptions = {},
): Promise<WaitForProcessingResult> {
  const { signal, onProgress, giveUpMs = Number.POSITIVE_INFINITY } = options;
  const untilMs = Date.now() + giveUpMs;
  for (;;) {
    const left = Math.max(0, Math.ceil((untilMs - Date.now()) / 1_000));
    const timeoutSeconds = Math.min(onProgress ? PROGRESS_SECONDS : CALL_SECONDS, left);
    const timeoutMs = (timeoutSeconds + 30) * 1_000;
    // Waiting changes nothing: it can be retried without a key, and the timeout of other calls does not apply.
    const call = { signal, repeatable: true, timeoutMs, deadlineMs: 2 * timeoutMs };
    const { waitForProcessing } = await client.request(
      waitForProcessingMutation,
      { input: { contentId, timeoutSeconds } },
      call,
    );
    const { status, job } = waitForProcessing;
    onProgress?.({ phase: 'processing', contentId, status, percent: job?.progress ?? 0 });
    if (status === 'COMPLETE') return waitForProcessing;
    if (status === 'ERROR' || status === 'CANCELLED' || status === 'NONE')
      throw new ProcessingError(contentId, waitForProcessing);
    if (Date.now() >= untilMs)
      throw new ProcessingError(contentId, { status, error: `The video was not ready within ${giveUpMs} ms.` });
  }
}
