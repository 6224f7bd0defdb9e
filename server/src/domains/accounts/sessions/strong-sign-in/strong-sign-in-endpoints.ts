import { AppError } from '../../../../kernel/errors.ts';
import { type Message, t } from '../../../../kernel/languages/message.ts';
import { withoutDirection } from '../../../../kernel/text.ts';
import type { Mail } from '../../../../platform/mail/compose-mail.ts';
import { queueMail } from '../../../../platform/mail/mail.ts';
import type { AccountRecord } from '../../accounts.store.ts';
import { type Body, readMember } from '../../auth-requests.ts';
import { provePassword } from '../../passwords/prove-password.ts';
import {
  type AuthRoutesOptions,
  type Caller,
  type Endpoint,
  NOTHING,
  noteOf,
  type Prepared,
} from '../auth-endpoint.ts';
import { requireSessionAccount, sessionAccount } from '../session-account.ts';
import { readRecoveryCode } from './recovery-codes.ts';
import { findStrongSignIn } from './strong-sign-in.store.ts';

const MAX_NAME = 60;
const MAX_PASSKEYS = 20;

/** Endpoints of the second factor and of passkeys. Changing them needs the password again. */
export const STRONG_SIGN_IN_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'POST',
    path: '/two-factor/enable',
    prepare: (body, options, caller) => withPassword(body, options, caller),
  },
  {
    method: 'POST',
    path: '/two-factor/disable',
    prepare: (body, options, caller) =>
      withPassword(body, options, caller, ({ username }) => ({
        subject: t`Two-factor authentication was turned off`,
        text: t`Two-factor authentication was turned off for the account ${username}: the password is enough to sign
          in.`,
      })),
  },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    prepare: (body, options, caller) =>
      withPassword(body, options, caller, ({ username }) => ({
        subject: t`New recovery codes were made`,
        text: t`New recovery codes were made for the account ${username}. The ones before do not work any more.`,
      })),
  },
  {
    method: 'POST',
    path: '/two-factor/verify-totp',
    needsNoSession: true,
    prepare: verifyCode((code) => code.replaceAll(' ', '')),
  },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    needsNoSession: true,
    prepare: verifyCode(readRecoveryCode),
  },
  {
    method: 'POST',
    path: '/passkey/generate-register-options',
    libraryMethod: 'GET',
    prepare: async (body, options, caller) => {
      const account = await prove(body, options, caller);
      const { passkeys } = await findStrongSignIn(options.platform.db, account.id);
      if (passkeys >= MAX_PASSKEYS) throw tooManyPasskeys();
      return { body: {} };
    },
  },
  {
    method: 'POST',
    path: '/passkey/verify-registration',
    prepare: async ({ response, name }, options, caller) => ({
      body: { response, name: nameOf(name) },
      afterwards: notify(
        await requireSessionAccount(options.platform, caller.sessionToken),
        options,
        ({ username }) => ({
          subject: t`A passkey was added`,
          text: t`A passkey was added to the account ${username}. It signs in without the password.`,
        }),
      ),
    }),
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options', needsNoSession: true, prepare: NOTHING },
  {
    method: 'POST',
    path: '/passkey/verify-authentication',
    needsNoSession: true,
    prepare: ({ response }, options, caller) => ({
      body: { response: isRecord(response) ? response : {} },
      afterwards: (result) => noteOf(options, caller, result),
    }),
  },
  { method: 'GET', path: '/passkey/list-user-passkeys', prepare: NOTHING },
  { method: 'POST', path: '/passkey/delete-passkey', prepare: (body) => ({ body: { id: readMember(body, 'id') } }) },
  {
    method: 'POST',
    path: '/passkey/update-passkey',
    prepare: (body) => ({ body: { id: readMember(body, 'id'), name: nameOf(body.name) } }),
  },
];

/** A request that needs the password of the session's account, and the message about it. */
async function withPassword(
  { password }: Body,
  options: AuthRoutesOptions,
  caller: Caller,
  notice?: Notice,
): Promise<Prepared> {
  const account = await prove({ password }, options, caller);
  if (!notice) return { body: { password } };
  return { body: { password }, afterwards: notify(account, options, notice) };
}

/** The account of the session, which proved its password. */
async function prove({ password }: Body, options: AuthRoutesOptions, caller: Caller): Promise<AccountRecord> {
  const account = await requireSessionAccount(options.platform, caller.sessionToken);
  await provePassword(options.platform, options.attempts, account.id, password);
  return account;
}

/** A code completes a sign-in, or the set-up of a signed-in account, which is notified. */
function verifyCode(read: (text: string) => string): Endpoint['prepare'] {
  return (body, options, caller) => prepareCode(read(readMember(body, 'code')), body, options, caller);
}

async function prepareCode(code: string, body: Body, options: AuthRoutesOptions, caller: Caller): Promise<Prepared> {
  const passed = { code, ...(body.trustDevice === true ? { trustDevice: true } : {}) };
  const account = await sessionAccount(options.platform, caller.sessionToken);
  if (!account) return { body: passed, afterwards: (result) => noteOf(options, caller, result) };
  const { twoFactor } = await findStrongSignIn(options.platform.db, account.id);
  if (twoFactor) return { body: passed };
  const afterwards = notify(account, options, ({ username }) => ({
    subject: t`Two-factor authentication was turned on`,
    text: t`Two-factor authentication was turned on for the account ${username}. Keep the recovery codes in a safe
      place.`,
  }));
  return { body: passed, afterwards };
}

function tooManyPasskeys(): AppError {
  return new AppError('INVALID_INPUT', t`An account has at most ${MAX_PASSKEYS} passkeys.`, {
    suggestedFix: t`Remove one that you do not use any more.`,
  });
}

/** The message to an account about a change of its sign-in. */
type Notice = (account: AccountRecord) => { readonly subject: string; readonly text: Message };

function notify(account: AccountRecord, { platform }: AuthRoutesOptions, notice: Notice): () => Promise<void> {
  const { subject, text } = notice(account);
  const mail: Mail = {
    to: account.email,
    subject,
    paragraphs: [text, t`If it was not you, change your password and sign out your other sessions.`],
    action: { label: t`Review the settings`, url: `${platform.config.BASE_URL}/settings/security` },
  };
  return () => platform.db.transaction((tx) => queueMail(platform, tx, mail));
}

function nameOf(value: unknown): string {
  const name = typeof value === 'string' ? withoutDirection(value).trim() : '';
  if (name === '' || name.length > MAX_NAME || /\p{Cc}/u.test(name))
    throw new AppError('INVALID_INPUT', t`A passkey has a name of 1 to ${MAX_NAME} characters.`, {
      field: 'name',
      suggestedFix: t`Name the device, such as "Work laptop".`,
    });
  return name;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
