/**
 * Why decoding an image can fail:
 * - `pixel-limit`  more pixels than allowed
 * - `timeout`      took longer than allowed
 * - `damaged`      the decoder cannot read it
 * - `crashed`      the decoder crashed, or was killed twice
 * - `protocol`     the process violated the protocol: it may be compromised
 * - `unavailable`  no decoder could be started, or the platform is stopping; the image may be valid
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
 * An image that was not decoded, with the `reason`. Its process is dead or about to be killed, and its output is
 * discarded.
 */
export class PictureError extends Error {
  readonly reason: PictureErrorReason;
  /** For logs, never for users: it may come from a compromised process. */
  readonly detail: string;

  constructor(reason: PictureErrorReason, detail = '', options: ErrorOptions = {}) {
    super(detail === '' ? `${SENTENCES[reason]}.` : `${SENTENCES[reason]}: ${detail}`, options);
    this.name = 'PictureError';
    this.reason = reason;
    this.detail = detail;
  }
}
