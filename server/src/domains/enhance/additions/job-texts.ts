import { localized } from '../../../kernel/languages/catalogs.ts';
import type { Language } from '../../../kernel/languages/languages.ts';
import type { StoredText } from '../../../kernel/languages/message.ts';

/** Texts about a job as they are stored: why it failed, and what it did. Jobs of earlier versions have strings. */
export interface JobTexts {
  readonly error: StoredText | null;
  readonly decision?: StoredText;
}

/** A job with its texts in a language. */
export const textsIn = <Job extends JobTexts>(job: Job, language: Language) => ({
  ...job,
  error: job.error && localized(job.error, language),
  decision: job.decision && localized(job.decision, language),
});
