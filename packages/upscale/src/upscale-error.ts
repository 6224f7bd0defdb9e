/**
 * Why a picture is not enlarged:
 * - `not-installed`  ONNX Runtime is not installed
 * - `refused`        the model is not one that can be used; `detail` says why
 * - `too-large`      the model's file, or the picture, has too many bytes
 * - `crashed`        the process crashed, or used more CPU time or memory than it may
 * - `timeout`        it took longer than allowed
 * - `protocol`       the process violated the protocol: it may be compromised
 * - `unavailable`    it could not be started
 */
export type UpscaleErrorReason =
  | 'not-installed'
  | 'refused'
  | 'too-large'
  | 'crashed'
  | 'timeout'
  | 'protocol'
  | 'unavailable';

const SENTENCES: Record<UpscaleErrorReason, string> = {
  'not-installed': 'ONNX Runtime is not installed; install it with `npm install --include=optional`',
  refused: 'The model cannot be used',
  'too-large': 'There are too many bytes',
  crashed: 'The model crashed or used more than it may',
  timeout: 'The model took too long',
  protocol: 'The process of the model did not answer as it should',
  unavailable: 'The process of the model could not be started',
};

/** A model or a picture that failed, with the `reason`. Its process is dead or about to be killed. */
export class UpscaleError extends Error {
  readonly reason: UpscaleErrorReason;
  /** What the process or the system reports: for those who choose the models, and for logs. */
  readonly detail: string;

  constructor(reason: UpscaleErrorReason, detail = '', options: ErrorOptions = {}) {
    super(detail === '' ? `${SENTENCES[reason]}.` : `${SENTENCES[reason]}: ${detail}`, options);
    this.name = 'UpscaleError';
    this.reason = reason;
    this.detail = detail;
  }
}
