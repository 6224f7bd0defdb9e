import { newId } from '../../kernel/ids.ts';
import { type Language, languageOfTag } from '../../kernel/languages/languages.ts';
import type { Transaction } from '../db/database.ts';
import { DEFAULT_NAME, logoPath, readInstance } from '../instance/instance-settings.ts';
import type { JobHandler } from '../jobs/job.ts';
import type { Platform } from '../platform.ts';
import { composeMail, type Mail, withAccent, withLogo } from './compose-mail.ts';
import type { MailMessage, MailTransport } from './mail-transport.ts';
import { openMailTransport } from './open-mail-transport.ts';
import { type QueuedMail, sendMailJob } from './send-mail.job.ts';

/**
 * Queues a message in the transaction that causes it; a worker writes it in the language of its recipient and delivers
 * it. Once the transaction is committed, it is not lost while the mail server is away.
 */
export async function queueMail(
  { jobs, secrets, clock }: Pick<Platform, 'jobs' | 'secrets' | 'clock'>,
  tx: Transaction,
  mail: Mail,
  expiresAtMs: number | null = null,
): Promise<void> {
  const sealed = secrets.seal('mail', JSON.stringify(mail)).toString('base64');
  await jobs.send(tx, sendMailJob, { id: newId(clock.now()), sealed, expiresAtMs });
}

type Needs = Pick<Platform, 'config' | 'secrets' | 'clock' | 'log' | 'db'>;

/** The language that the account with an address prefers, as a tag; null without an account. */
export type PreferredLanguage = (address: string) => Promise<string | null>;

/** Delivers queued messages; the transport is opened with the first one. */
export function mailHandler(
  { config, secrets, clock, log, db }: Needs,
  open: () => Promise<MailTransport> = () => openMailTransport(config),
  preferred: PreferredLanguage = async () => null,
): JobHandler<QueuedMail> {
  let opened: Promise<MailTransport> | undefined;
  return {
    job: sendMailJob,
    concurrency: 4,
    async handle({ id, sealed, expiresAtMs }) {
      if (expiresAtMs !== null && expiresAtMs <= clock.now()) return;
      opened ??= open();
      const transport = await opened;
      const queued = JSON.parse(secrets.open('mail', Buffer.from(sealed, 'base64'))) as Mail | MailMessage;
      const message = 'html' in queued ? queued : composeMail(queued, await languageOf(queued, preferred));
      const { name, logo, accentColor } = await readInstance({ config, db });
      const colored = accentColor === null ? message : withAccent(message, accentColor);
      const shown = logo ? withLogo(colored, { url: config.BASE_URL + logoPath(logo), name }) : colored;
      await transport.deliver(id, name === DEFAULT_NAME ? shown : { ...shown, fromName: name });
    },
    async giveUp({ id }, reason) {
      log.error({ mail: id, error: reason }, 'A message could not be delivered.');
    },
  };
}

async function languageOf({ to, language }: Mail, preferred: PreferredLanguage): Promise<Language> {
  return languageOfTag((await preferred(to)) ?? '') ?? language ?? 'en';
}
