/**
 * Why decoding an image can fail:
 * - `pixel-limit`  more pixels than allowed
 * - `timeout`      took longer than allowed
 * - `damaged`      the decoder cannot read it
 * - `unsupported`  the program that reads this format is not installed
 * - `crashed`      the decoder crashed, or was killed twice
 * - `protocol`     the process violated the protocol: it may be compromised
 * - `unavailable`  no decoder could be started, or the platform is stopping; the image may be valid
 */
export type ImageErrorReason =
  | 'pixel-limit'
  | 'timeout'
  | 'damaged'
  | 'unsupported'
  | 'crashed'
  | 'protocol'
  | 'unavailable';

const SENTENCES: Record<ImageErrorReason, string> = {
  'pixel-limit': 'The image has too many pixels',
  timeout: 'The image took too long to decode',
  damaged: 'The image cannot be decoded',
  unsupported: 'The format of the image cannot be read here',
  crashed: 'The decoder crashed on the image',
  protocol: 'The decoder did not answer as it should',
  unavailable: 'No decoder could be started',
};

/**
 * An image that was not decoded, with the `reason`. Its process is dead or about to be killed, and its output is
 * discarded.
 */
export class ImageError extends Error {
  readonly reason: ImageErrorReason;
  /** For logs, never for users: it may come from a compromised process. */
  readonly detail: string;

  constructor(reason: ImageErrorReason, detail = '', options: ErrorOptions = {}) {
    super(detail === '' ? `${SENTENCES[reason]}.` : `${SENTENCES[reason]}: ${detail}`, options);
    this.name = 'PictureError';
    this.reason = reason;
    this.detail = detail;
  }
}
