/**
 * How decoding a picture can end badly:
 * - `pixel-limit`  it has more pixels than allowed
 * - `timeout`      it takes longer than allowed
 * - `damaged`      the decoder cannot read it
 * - `crashed`      the decoder crashed on it, or was killed over it twice
 * - `protocol`     the process did not answer as the decoder does: it may have been taken over
 * - `unavailable`  no decoder could be started, or the platform is stopping; the picture may be fine
 */
export type PictureErrorReason = 'pixel-limit' | 'timeout' | 'damaged' | 'crashed' | 'protocol' | 'unavailable';

const SENTENCES: Record<PictureErrorReason, string> = {
  'pixel-limit': 'The picture has too many pixels',
  timeout: 'The picture took too long to decode',
  damaged: 'The picture cannot be decoded',
  crashed: 'The decoder crashed on the picture',
  protocol: 'The decoder did not answer as it should',
  unavailable: 'No decoder could be started',
};

/**
 * A picture that was not decoded; `reason` says why. The process that tried is dead or about to be killed, and nothing
 * of its answer is kept.
 */
export class PictureError extends Error {
  readonly reason: PictureErrorReason;
  /** For logs, never for users: it may come from a process that was taken over. */
  readonly detail: string;

  constructor(reason: PictureErrorReason, detail = '', options: ErrorOptions = {}) {
    super(detail === '' ? `${SENTENCES[reason]}.` : `${SENTENCES[reason]}: ${detail}`, options);
    this.name = 'PictureError';
    this.reason = reason;
    this.detail = detail;
  }
}
