import { defineJob } from '../jobs/job.ts';

/** A message to deliver. */
export interface QueuedMail {
  readonly id: string;
  /** The message, sealed: it may contain a link that is as good as a password. */
  readonly sealed: string;
  /** When it is of no use any more; it is not delivered after that. Unix milliseconds. */
  readonly expiresAtMs: number | null;
}

/** Delivers a message. Retried for about a day while the mail server cannot be reached. */
export const sendMailJob = defineJob<QueuedMail>({
  name: 'send-mail',
  retryLimit: 300,
  heartbeatSeconds: 10,
  expireInSeconds: 120,
});
