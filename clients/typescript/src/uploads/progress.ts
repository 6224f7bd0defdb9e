/** Progress of an upload. */
export interface UploadProgress {
  readonly phase: 'uploading';
  /** Bytes confirmed by the platform; they are never sent again. */
  readonly sentBytes: number;
  readonly totalBytes: number;
  /** Recent rate; 0 when unknown. */
  readonly bytesPerSecond: number;
  /** Until the last byte, at this rate; null when unknown. */
  readonly remainingSeconds: number | null;
}

/** Weight of the newest part in the rate. */
const NEWEST = 0.4;

/** Computes progress from confirmed offsets. */
export class Pace {
  #bytesPerSecond = 0;

  /** Records that `bytes` took `ms`. */
  note(bytes: number, ms: number): void {
    if (bytes <= 0) return;
    const latest = (bytes / Math.max(1, ms)) * 1_000;
    this.#bytesPerSecond = this.#bytesPerSecond === 0 ? latest : NEWEST * latest + (1 - NEWEST) * this.#bytesPerSecond;
  }

  at(sentBytes: number, totalBytes: number): UploadProgress {
    const bytesPerSecond = Math.round(this.#bytesPerSecond);
    const remainingSeconds = bytesPerSecond === 0 ? null : Math.ceil((totalBytes - sentBytes) / bytesPerSecond);
    return { phase: 'uploading', sentBytes, totalBytes, bytesPerSecond, remainingSeconds };
  }
}

const MIN_CHUNK = 256 * 1024;
const AIM_MS = 2_000;

/**
 * Size of the next part: about two seconds' worth, so that progress is smooth and little is resent; at most twice the
 * last one.
 */
export function nextChunkBytes(lastBytes: number, tookMs: number, maxBytes: number): number {
  const aimed = Math.round((lastBytes / Math.max(1, tookMs)) * AIM_MS);
  return Math.min(maxBytes, Math.max(Math.min(MIN_CHUNK, maxBytes), Math.min(aimed, lastBytes * 2)));
}
