/**
 * Why a model cannot be used:
 * - `not-installed`  whisper.cpp is not installed, or there is no package for this machine
 * - `refused`        it is not a model that whisper.cpp takes; `detail` says why
 */
export type SpeechErrorReason = 'not-installed' | 'refused';

const SENTENCES: Record<SpeechErrorReason, string> = {
  'not-installed': 'whisper.cpp is not installed; install it with `npm install --include=optional`',
  refused: 'The model cannot be used',
};

export class SpeechError extends Error {
  readonly reason: SpeechErrorReason;
  /** In English, for those who choose the model. */
  readonly detail: string;

  constructor(reason: SpeechErrorReason, detail = '', options: ErrorOptions = {}) {
    super(detail === '' ? `${SENTENCES[reason]}.` : `${SENTENCES[reason]}: ${detail}`, options);
    this.name = 'SpeechError';
    this.reason = reason;
    this.detail = detail;
  }
}
