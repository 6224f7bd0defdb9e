import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import type pg from 'pg';
import { newId } from '../../../kernel/ids.ts';
import { readInstance } from '../../../platform/instance/instance-settings.ts';
import type { Platform } from '../../../platform/platform.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '../account-input.policy.ts';
import { findSignInRefusal } from '../accounts.store.ts';
import { LIMITED_ENDPOINTS } from '../attempts/attempt.policy.ts';
import { CLIENT_ADDRESS_HEADER } from '../auth-requests.ts';
import { documentClients } from '../oauth/document-clients.ts';
import type { MetadataDocuments } from '../oauth/metadata-document.ts';
import { ourOauthProvider } from '../oauth/oauth-provider.ts';
import { CONNECT_PAGE } from '../oauth/oauth-tokens.ts';
import type { PasswordHashing } from '../passwords/hash-password.ts';
import { suspensionOf } from '../suspension/suspension.store.ts';
import { librarySecrets } from './library-secrets.ts';
import { cookieAttributes, cookiePrefix } from './session-cookie.ts';
import { startSessionPlugin } from './start-session.ts';
import { ourPasskeys, ourTwoFactor } from './strong-sign-in/strong-sign-in.ts';
import { oneTimeCodes } from './totp/one-time-codes.ts';

const DAY_SECONDS = 86_400;
export interface SignInLibrary {
  handler(request: Request): Promise<Response>;
  /** Signs the account in, in the browser that sent these headers. */
  startSession(accountId: string, headers: Headers): Promise<Response>;
}

/**
 * The sign-in library over our tables. A sign-up is one transaction: the account, its channel and subscription (made by
 * the insert itself), its password and its first session. `oldestKey` is the fingerprint of the first SECRET_KEY of the
 * database.
 */
export function signInLibrary(
  platform: Pick<Platform, 'config' | 'clock' | 'log' | 'secrets' | 'db'>,
  database: pg.Pool,
  documents: MetadataDocuments,
  oldestKey: string | null,
  hashing?: PasswordHashing,
): SignInLibrary {
  const baseUrl = platform.config.BASE_URL;
  const auth = betterAuth({
    appName: 'Reelgraph',
    baseURL: new URL(baseUrl).origin,
    basePath: '/api/auth',
    ...librarySecrets(platform.secrets, oldestKey),
    trustedOrigins: [new URL(baseUrl).origin],
    database,
    telemetry: { enabled: false },
    emailAndPassword: {
      enabled: true,
      autoSignIn: true,
      // Where mail reaches people, accounts are created by confirmation/ only.
      disableSignUp: platform.config.MAIL === 'smtp',
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      ...(hashing === undefined ? {} : { password: hashing }),
    },
    databaseHooks: { ...creationRule(platform), ...sessionRule(platform) },
    ...TABLES,
    plugins: [
      ourOauthProvider(platform, baseUrl, documentClients(documents, platform.clock)),
      startSessionPlugin(),
      ourTwoFactor(),
      oneTimeCodes(platform.db),
      ourPasskeys(baseUrl),
    ],
    // Refusals are still responses; other errors go to the HTTP layer, because the library would only print them.
    onAPIError: { errorURL: `${new URL(baseUrl).origin}${CONNECT_PAGE}`, throw: true },
    advanced: {
      cookiePrefix: cookiePrefix(baseUrl),
      // The library would put __Secure- before the name.
      useSecureCookies: false,
      defaultCookieAttributes: cookieAttributes(baseUrl),
      // Both checks are on in every environment; the library would relax them under NODE_ENV=test.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      database: { generateId: () => newId() },
    },
    rateLimit: {
      enabled: true,
      storage: 'memory',
      window: 60,
      max: 300,
      customRules: Object.fromEntries(LIMITED_ENDPOINTS.map((path) => [path, false])),
    },
    logger: {
      // At any other level the library's router prints to the console by itself.
      level: 'info',
      disableColors: true,
      // Its messages contain email addresses; only errors are logged.
      log: (level, message, ...details) => {
        if (level === 'error') platform.log.warn({ error: details.find(isError) }, `Sign-in: ${message}`);
      },
    },
  });
  return {
    handler: auth.handler,
    startSession: (accountId, headers) => auth.api.startSession({ body: { accountId }, headers, asResponse: true }),
  };
}

/** Whatever path of the library leads here, it creates no account that the settings refuse; false creates none. */
function creationRule(platform: Pick<Platform, 'config' | 'db'>) {
  const isAllowed = async (user: Readonly<Record<string, unknown>>): Promise<boolean> => {
    const { signUp } = await readInstance(platform);
    return signUp === 'open' || (signUp === 'invite' && typeof user.invitationId === 'string');
  };
  return {
    user: {
      create: {
        before: async (user: Readonly<Record<string, unknown>>) => ((await isAllowed(user)) ? undefined : false),
      },
    },
  };
}

/** No session begins for an account that is suspended or closed, however it proved itself. */
function sessionRule({ db }: Pick<Platform, 'db'>) {
  const before = async ({ userId }: Readonly<Record<string, unknown>>): Promise<void> => {
    const reason = await findSignInRefusal(db, String(userId));
    if (reason === null) return;
    // auth-errors.ts tells the reason of a suspension.
    const message = reason === 'SUSPENDED' ? await suspensionOf(db, String(userId)) : 'No session begins.';
    throw new APIError('FORBIDDEN', { code: `ACCOUNT_${reason}`, message });
  };
  return { session: { create: { before } } };
}

/** How the library's names map to our tables. */
const TABLES = {
  user: {
    modelName: 'accounts',
    fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    additionalFields: {
      username: { type: 'string', required: true, input: true, fieldName: 'username' },
      // Checked before it is passed on; the table's trigger uses it up.
      invitationId: { type: 'string', required: false, input: true, returned: false, fieldName: 'invitation_id' },
      isOperator: { type: 'boolean', required: false, input: false, fieldName: 'is_operator' },
      // UUIDv7 like every other id; the column's own default is random.
      primaryChannelId: {
        type: 'string',
        required: false,
        input: false,
        fieldName: 'primary_channel_id',
        defaultValue: () => newId(),
      },
    },
  },
  session: {
    modelName: 'sessions',
    // What needs a proof of the person demands the password, however fresh the session is.
    freshAge: 0,
    expiresIn: 30 * DAY_SECONDS,
    updateAge: DAY_SECONDS,
    fields: {
      userId: 'account_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  account: {
    modelName: 'credentials',
    fields: {
      userId: 'account_id',
      providerId: 'provider_id',
      accountId: 'provider_account_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
} as const;

function isError(value: unknown): value is Error {
  return value instanceof Error;
}
