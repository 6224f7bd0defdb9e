import { sql } from '../../../platform/db/statement.ts';
import { type Accounts, registerAccounts } from '../register.ts';
import { type AccountsTestPlatform, createAccountsTestPlatform, serveRoutes } from '../testing.ts';
import { CLIENT_ID, CLIENT_SECRET, startTestProvider, type TestProvider } from './provider.fixture.ts';

const BASE_URL = 'http://reelgraph.test';

interface Failure {
  readonly code: string;
  readonly field?: string;
  readonly message: string;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: responses are compared, not typed
  readonly body: any;
  readonly error: Failure | undefined;
  /** Cookies that it sets, as a request sends them. */
  readonly cookie: string;
}

/** Accounts with one provider, named sso. */
export interface SignOnWorld {
  readonly platform: AccountsTestPlatform;
  readonly accounts: Accounts;
  readonly provider: TestProvider;
  post(path: string, body: object, cookie?: string): Promise<Answer>;
  get(path: string, cookie?: string): Promise<Answer>;
  /** Sends a form, as providers do. */
  form(path: string, fields: Record<string, string>): Promise<Answer>;
  /** The whole way of a person through the provider. */
  signIn(subject: string, given?: { invitation?: string; next?: string }): Promise<Answer>;
  /** All rows that a sign-in may write. */
  rows(): Promise<unknown>;
  isOperator(username: string): Promise<boolean>;
  planOf(username: string): Promise<string>;
  sessionsOf(username: string): Promise<number>;
  close(): Promise<void>;
}

const ROWS = [
  'accounts',
  'credentials',
  'sessions',
  'subscriptions',
  'channels',
  'invitations',
  'oidc_sessions',
  'oidc_grants',
  'oidc_logout_tokens',
].map((table) => sql(`test_rows_${table}`, `select to_jsonb(t) as row from ${table} t order by to_jsonb(t)::text`));
const IS_OPERATOR = sql('test_is_operator', 'select is_operator as value from accounts where username = $1::citext');
const PLAN = sql(
  'test_plan',
  'select s.plan as value from subscriptions s join accounts a on a.id = s.account_id where a.username = $1::citext',
);
const SESSIONS = sql(
  'test_sessions',
  `select count(*)::int as value from sessions s join accounts a on a.id = s.account_id
   where a.username = $1::citext`,
);

/** Settings of a provider with the name sso. */
export function settingsOf(provider: TestProvider): Record<string, string> {
  return {
    OIDC_PROVIDERS: 'sso',
    OIDC_SSO_ISSUER: provider.issuer,
    OIDC_SSO_CLIENT_ID: CLIENT_ID,
    OIDC_SSO_CLIENT_SECRET: CLIENT_SECRET,
    OIDC_SSO_LABEL: 'Example SSO',
    OIDC_SSO_SCOPES: 'openid profile email groups',
    OIDC_SSO_OPERATOR_GROUPS: 'admins',
    OIDC_SSO_PLAN_GROUPS: 'creators=CREATOR_PLUS,staff=PREMIUM',
  };
}

export async function openSignOnWorld(env: Record<string, string> = {}): Promise<SignOnWorld> {
  const provider = await startTestProvider(`${BASE_URL}/sign-in/sso`);
  const platform = await createAccountsTestPlatform({ ...settingsOf(provider), ...env });
  const accounts = registerAccounts(platform, {
    databaseUrl: platform.databaseUrl,
    version: '1.2.3',
    quotaOf: () => ({ limit: 1, remaining: 1, restoreRate: 1, resetAtMs: 0 }),
  });
  const server = await serveRoutes(accounts.routes);
  const call = async (path: string, init: RequestInit, headers: Record<string, string>): Promise<Answer> => {
    const response = await fetch(`${server.address}/api/auth/${path}`, {
      ...init,
      headers: { origin: BASE_URL, 'sec-fetch-site': 'same-origin', ...headers },
    });
    const body = (await response.json()) as { errors?: readonly Failure[] };
    const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    return { status: response.status, body, error: body?.errors?.[0], cookie: cookies.join('; ') };
  };
  const post = (path: string, body: object, cookie = '') =>
    call(path, { method: 'POST', body: JSON.stringify(body) }, { 'content-type': 'application/json', cookie });
  const value = async <T>(statement: typeof PLAN, username: string): Promise<T> =>
    (await platform.db.first<{ value: T }>(statement, [username]))?.value as T; // the statement's only column
  return {
    platform,
    accounts,
    provider,
    post,
    get: (path, cookie = '') => call(path, {}, { cookie }),
    form: (path, fields) => call(path, { method: 'POST', body: new URLSearchParams(fields) }, {}),
    async signIn(subject, given = {}) {
      const { body, cookie, error } = await post('oidc/start', { provider: 'sso', ...given });
      if (error) return { status: 0, body, cookie, error };
      const query = await provider.signIn(body.url, subject);
      return post('oidc/finish', { provider: 'sso', query }, cookie);
    },
    rows: () => Promise.all(ROWS.map((statement) => platform.db.run(statement, []))),
    isOperator: (username) => value(IS_OPERATOR, username),
    planOf: (username) => value(PLAN, username),
    sessionsOf: (username) => value(SESSIONS, username),
    async close() {
      await server.close();
      await accounts.stop();
      await platform.close();
      await provider.close();
    },
  };
}
