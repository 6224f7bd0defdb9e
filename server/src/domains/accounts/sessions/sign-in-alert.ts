import Bowser from 'bowser';
import type { AccountId } from '../../../kernel/ids.ts';
import { type Message, minute, phrase, t } from '../../../kernel/languages/message.ts';
import type { Mail } from '../../../platform/mail/compose-mail.ts';
import { queueMail } from '../../../platform/mail/mail.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findableHash } from '../../../platform/secret-columns/findable-hash.ts';
import { type AccountRecord, findAccountById } from '../accounts.store.ts';
import { noteBrowser } from './known-browsers.store.ts';

/** Longer ones are ignored: real ones have some hundred characters. */
const MAX_USER_AGENT = 512;

export interface SignIn {
  readonly accountId: AccountId;
  readonly userAgent: string;
  readonly clientAddress: string;
  /** The random value of the browser. */
  readonly device: string;
}

type Needs = Pick<Platform, 'config' | 'db' | 'clock' | 'secrets' | 'jobs'>;

/**
 * Notes the browser of a sign-in, and tells the account by mail when it is a new one; not at its first sign-in. A
 * browser is known by the random value in its cookie: its name is that of many others.
 */
export async function noteSignIn(
  platform: Needs,
  { accountId, userAgent, clientAddress, device }: SignIn,
): Promise<void> {
  const account = await findAccountById(platform.db, accountId);
  if (!account) return;
  const nowMs = platform.clock.now();
  const hash = await findableHash(platform.db, platform.secrets, 'knownBrowsers', `${accountId} ${device}`);
  await platform.db.transaction(async (tx) => {
    const { count, isKnown } = await noteBrowser(tx, accountId, hash, new Date(nowMs).toISOString());
    if (isKnown || count === 0) return;
    const settings = `${platform.config.BASE_URL}/settings/security`;
    const name = browserName(userAgent);
    await queueMail(platform, tx, alertMail(account, { name, clientAddress, nowMs, settings }));
  });
}

const UNKNOWN = phrase`an unknown program`;

/** `Firefox on Windows`; parts that are not known are left out. */
function browserName(userAgent: string): Message {
  const text = userAgent.slice(0, MAX_USER_AGENT);
  if (text === '') return UNKNOWN;
  const { browser, os } = Bowser.parse(text);
  const [first, second] = [browser.name, os.name].filter((part) => part && /^[\w .+-]{1,40}$/.test(part));
  if (!first) return UNKNOWN;
  return second ? phrase`${first} on ${second}` : phrase`${first}`;
}

interface Details {
  readonly name: Message;
  readonly clientAddress: string;
  readonly nowMs: number;
  readonly settings: string;
}

function alertMail(
  { email, username }: Pick<AccountRecord, 'email' | 'username'>,
  { name, clientAddress, nowMs, settings }: Details,
): Mail {
  return {
    to: email,
    subject: t`New sign-in to your account`,
    paragraphs: [
      t`The account ${username} was signed in to with ${name}, from the address ${clientAddress}, on ${minute(nowMs)}.`,
      t`If it was you, there is nothing to do. Otherwise sign out that session and change your password.`,
    ],
    action: { label: t`Review sessions`, url: settings },
  };
}
