import type { Transcript } from '../../../media/index.ts';

/** A piece of the sound of a video. */
export interface SpeechPiece {
  /** Mono, 16 kHz, at most ten minutes. */
  readonly wav: Buffer;
  readonly durationMs: number;
}

export interface RecognizeOptions {
  /** BCP 47; null to detect it. */
  readonly language: string | null;
  readonly signal: AbortSignal;
  /** Called with the part that is done, 0 to 1. */
  readonly onProgress?: (part: number) => void;
}

/** What was said in a piece. */
export interface Recognized extends Transcript {
  /** CPU time on this machine. */
  readonly cpuMs: number;
}

/** What turns speech into text: a port with two adapters. */
export interface SpeechRecognizer {
  /** Name of the model, for receipts. */
  readonly model: string;
  /**
   * The words of a piece, with times from its beginning.
   * @throws AppError that is retryable where it may succeed later, RATE_LIMIT_EXCEEDED with seconds to wait,
   * TRANSCODE_FAILED otherwise; the reason for operators is in the log. An abort by `signal` is thrown unchanged.
   */
  recognize(piece: SpeechPiece, options: RecognizeOptions): Promise<Recognized>;
}
