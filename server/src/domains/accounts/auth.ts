import { betterAuth } from 'better-auth';
import pg from 'pg';
import { newId } from '../../kernel/ids.ts';
import { translate } from '../../platform/db/pipelined-connection.ts';
import type { Platform } from '../../platform/platform.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './account-input.policy.ts';
import { CONNECT_PAGE, ourOauthProvider } from './oauth-provider.ts';
import { COOKIE_PREFIX } from './session-cookie.ts';

/** Header in which the route tells the library the client's address; one sent by a client is dropped. */
export const CLIENT_ADDRESS_HEADER = 'x-reelgraph-client-address';
const DAY_SECONDS = 86_400;
/** Attempts from one address: slows guessing, and leaves room for a household behind one address. */
const ATTEMPTS = { window: 60, max: 20 };

export interface Auth {
  /** Answers a request under /api/auth. Throws what is no refusal; SERVICE_UNAVAILABLE where the database is away. */
  handler(request: Request): Promise<Response>;
  close(): Promise<void>;
}

/**
 * Sign-up, sign-in and sessions by better-auth over our tables. A sign-up is one transaction: the account, its channel
 * and subscription (made by the insert itself), its password and its first session. It has a small pool of its own,
 * because the library reads timestamps as Date.
 */
export function createAuth(platform: Pick<Platform, 'config' | 'log' | 'secrets'>, databaseUrl: string): Auth {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 4,
    idleTimeoutMillis: 30_000,
    options: '-c timezone=UTC',
    statement_timeout: 10_000,
    application_name: 'reelgraph auth',
  });
  pool.on('error', (error) => platform.log.warn({ error }, 'A database connection of the sign-in was lost.'));
  // The pool listens to idle connections only; one that is lost in use fails its statement, and must not end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  const baseUrl = platform.config.BASE_URL;
  const auth = betterAuth({
    appName: 'Reelgraph',
    baseURL: new URL(baseUrl).origin,
    basePath: '/api/auth',
    secret: platform.secrets.derive('session'),
    trustedOrigins: [new URL(baseUrl).origin],
    database: pool,
    telemetry: { enabled: false },
    emailAndPassword: { enabled: true, autoSignIn: true, minPasswordLength: PASSWORD_MIN, maxPasswordLength: PASSWORD_MAX },
    ...TABLES,
    plugins: [ourOauthProvider(platform.secrets, baseUrl)],
    // Refusals are answers all the same; what else is thrown is for the edge, where the library would print it and answer nothing.
    onAPIError: { errorURL: `${new URL(baseUrl).origin}${CONNECT_PAGE}`, throw: true },
    advanced: {
      cookiePrefix: COOKIE_PREFIX,
      useSecureCookies: baseUrl.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax' },
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
      customRules: { '/sign-in/email': ATTEMPTS, '/sign-up/email': ATTEMPTS, '/change-password': ATTEMPTS },
    },
    logger: {
      // At any other level the library's router prints to the console by itself.
      level: 'info',
      disableColors: true,
      // Its notes hold e-mail addresses; only faults are kept.
      log: (level, message, ...details) => {
        if (level === 'error') platform.log.warn({ error: details.find(isError) }, `Sign-in: ${message}`);
      },
    },
  });
  // The library opens its context at once; a fault shows in the first request.
  const handler = (request: Request) =>
    auth.handler(request).catch((error: unknown) => {
      throw translate(error);
    });
  return { handler, close: () => pool.end() };
}

/** How the library's names map to our tables. */
const TABLES = {
  user: {
    modelName: 'accounts',
    fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
    additionalFields: {
      username: { type: 'string', required: true, input: true, fieldName: 'username' },
      // UUIDv7 like every other id; the column's own default is random.
      primaryChannelId: { type: 'string', required: false, input: false, fieldName: 'primary_channel_id', defaultValue: () => newId() },
    },
  },
  session: {
    modelName: 'sessions',
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
  verification: { modelName: 'verifications', fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' } },
} as const;

function isError(value: unknown): value is Error {
  return value instanceof Error;
}
