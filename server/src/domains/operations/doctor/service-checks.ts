import { newId } from '../../../kernel/ids.ts';
import { systemClock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config/config.ts';
import { openMailTransport } from '../../../platform/mail/open-mail-transport.ts';
import { s3SettingsOf } from '../../../platform/storage/open-storage.ts';
import { openSignInProviders } from '../../accounts/index.ts';
import { type Check, type Finding, ok, problem, reasonOf, warning } from './finding.ts';

export interface ServiceOptions {
  /** Where a message is sent; none is without. */
  readonly sendMailTo: string | undefined;
}

/** Other services: the mail server, the bucket and the providers with which people sign in. */
export function serviceChecks(config: Config, options: ServiceOptions): Check[] {
  return [
    { name: 'mail', limitMs: 60_000, run: () => checkMail(config, options) },
    { name: 'storage', limitMs: 60_000, run: () => checkStorage(config) },
    ...(config.oidcProviders.length > 0
      ? [{ name: 'single sign-on', limitMs: 60_000, run: () => checkProviders(config) }]
      : []),
  ];
}

/** Their discovery documents, as a sign-in reads them. */
async function checkProviders(config: Config): Promise<Finding[]> {
  const { providers, close } = openSignInProviders({ config, clock: systemClock });
  try {
    return await Promise.all(
      providers.map(({ settings: { name, ISSUER }, discover }) =>
        discover().then(
          () => ok(`The provider ${name} responds at ${ISSUER}.`),
          (error: unknown) =>
            problem(
              `The provider ${name} cannot be used at ${ISSUER}: ${reasonOf(causeOf(error))}.`,
              `Start it, or correct OIDC_${name.toUpperCase()}_ISSUER: it is the issuer in its discovery document.`,
            ),
        ),
      ),
    );
  } finally {
    await close();
  }
}

/** The cause says more than the error, which is for people who sign in. */
const causeOf = (error: unknown): unknown => (error instanceof Error && error.cause) || error;

async function checkMail(config: Config, { sendMailTo }: ServiceOptions): Promise<Finding[]> {
  const { MAIL, SMTP_URL } = config;
  const findings = [MAIL === 'smtp' && SMTP_URL !== undefined ? await smtpFinding(SMTP_URL) : FOLDER];
  if (sendMailTo === undefined || findings.some(({ state }) => state === 'problem')) return findings;
  return [...findings, await deliveryFinding(config, sendMailTo)];
}

const FOLDER = warning(
  'Messages are written to the folder mail in DATA_DIR and are not sent.',
  'Set MAIL=smtp and SMTP_URL, or pass messages on from the page Mail.',
);

async function smtpFinding(url: string): Promise<Finding> {
  const { verifySmtp } = await import('../../../platform/mail/smtp-transport.ts');
  return verifySmtp(url).then(
    () => ok('The mail server takes the connection and the credentials.'),
    (error: unknown) =>
      problem(
        `The mail server cannot be used: ${reasonOf(error)}.`,
        'Check SMTP_URL: host, port, smtp:// with STARTTLS or smtps://, user and password.',
      ),
  );
}

async function deliveryFinding(config: Config, to: string): Promise<Finding> {
  const transport = await openMailTransport(config);
  const text = `This message of ${config.BASE_URL} shows that mail arrives.`;
  try {
    await transport.deliver(newId(), { to, subject: 'Mail arrives', text, html: `<p>${text}</p>` });
    return ok(`A message to ${to} was handed over.`);
  } catch (error) {
    return problem(`A message to ${to} was refused: ${reasonOf(error)}.`, 'Check MAIL_FROM and the recipient.');
  } finally {
    transport.close();
  }
}

async function checkStorage(config: Config): Promise<Finding[]> {
  if (config.STORAGE === 'disk') return [ok('Objects are stored in DATA_DIR.')];
  const { allowsDirectUploads, probeBucket } = await import('../../../platform/storage/s3-probe.ts');
  const settings = s3SettingsOf(config);
  const failed = (await probeBucket(settings)).filter(({ error }) => error !== null);
  if (failed.length > 0)
    return failed.map(({ call, error }) =>
      problem(
        `The bucket ${settings.bucket} refuses ${call}: ${reasonOf(error)}.`,
        'Check S3_ENDPOINT, S3_BUCKET, the keys, and that their policy allows this.',
      ),
    );
  const origin = new URL(config.BASE_URL).origin;
  const found = ok(`The bucket ${settings.bucket} lets objects be written, read, listed, joined and deleted.`);
  return [found, corsFinding(await allowsDirectUploads(settings, origin), origin)];
}

function corsFinding(isAllowed: boolean | null, origin: string): Finding {
  if (isAllowed) return ok(`Pages of ${origin} may store parts in the bucket.`);
  return warning(
    isAllowed === null
      ? 'The service does not tell its CORS rules, which uploads from browsers straight to the bucket need.'
      : `Pages of ${origin} may not store parts in the bucket: they upload through this server.`,
    `For direct uploads, allow PUT from ${origin} by a CORS rule that exposes ETag.`,
  );
}
