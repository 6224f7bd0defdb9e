/** Cues that are translated together. */
export interface TranslationBatch {
  /** Plain text of the cues, in their order. */
  readonly cues: readonly string[];
  /** Of the cues before and after them, for context. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** BCP 47. */
  readonly from: string;
  readonly to: string;
}

/** What translates captions: a port. */
export interface CaptionsTranslator {
  /** Name of the model, for receipts. */
  readonly model: string;
  /**
   * A translation of each cue. An answer that is not that is asked for once more.
   * @throws AppError that is retryable where it may succeed later, RATE_LIMIT_EXCEEDED with seconds to wait,
   * TRANSCODE_FAILED otherwise; the reason for operators is in the log. An abort by `signal` is thrown unchanged.
   */
  translate(batch: TranslationBatch, signal: AbortSignal): Promise<string[]>;
}
