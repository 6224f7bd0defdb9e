import { sql } from '../../../platform/db/statement.ts';
import { mailHandler } from '../../../platform/mail/mail.ts';
import type { MailMessage } from '../../../platform/mail/mail-transport.ts';
import { until } from '../../../testing/until.ts';
import { languageOfAddress } from '../accounts.store.ts';
import { registerAccounts } from '../register.ts';
import { type AccountsTestPlatform, createAccountsTestPlatform, serveRoutes } from '../testing.ts';

export const ORIGIN = 'http://reelgraph.test';

interface Failure {
  readonly code: string;
  readonly field?: string;
}

export interface Reply {
  readonly status: number;
  /** The cookies it sets, as a request sends them. */
  readonly cookie: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses are compared, not typed
  readonly rest: any;
  readonly error: Failure | undefined;
}

/** The routes of accounts on a server, and the messages that a worker delivers. */
export interface MailServer {
  readonly platform: AccountsTestPlatform;
  readonly address: string;
  /** Paths of all routes that take a body. */
  readonly posts: readonly string[];
  readonly mails: MailMessage[];
  /**
   * Each call has an address of its own unless a header says otherwise, so that tests do not use up attempts. All calls
   * come from one browser, unless a header has the cookie of another.
   */
  post(path: string, body: object, headers?: Record<string, string>): Promise<Reply>;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** Waits until so many messages have come; the last of them. */
  mailTo(count: number): Promise<MailMessage>;
  /** The token in the link of a message. */
  tokenOf(mail: MailMessage): string;
  /** Messages that the test before did not wait for have come and are forgotten, and so are attempts. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

const PENDING = sql(
  'test_pending_mail',
  `select 1 from pgboss.job where name = 'send-mail' and state in ('created', 'retry', 'active')`,
);
const NO_ATTEMPTS = sql('test_no_attempts', 'delete from attempt_counters');

export async function openMailServer(env: Record<string, string> = {}): Promise<MailServer> {
  const platform = await createAccountsTestPlatform(env);
  const accounts = registerAccounts(platform, {
    databaseUrl: platform.databaseUrl,
    version: '1.2.3',
    quotaOf: () => ({ limit: 1, remaining: 1, restoreRate: 1, resetAtMs: 0 }),
  });
  const server = await serveRoutes(accounts.routes);
  const mails: MailMessage[] = [];
  const transport = { deliver: async (_id: string, mail: MailMessage) => void mails.push(mail), close: () => {} };
  await platform.jobs.start();
  const preferred = (address: string) => languageOfAddress(platform.db, address);
  await platform.jobs.work(mailHandler(platform, async () => transport, preferred));
  let calls = 0;
  let device = '';
  async function call(path: string, init: RequestInit, headers: Record<string, string>): Promise<Reply> {
    calls += 1;
    const sent = { origin: ORIGIN, 'x-test-address': `10.0.${calls >> 8}.${calls & 255}`, ...headers };
    const isOther = headers.cookie?.includes('reelgraph.device=');
    const cookie = isOther ? headers.cookie : [headers.cookie, device].filter(Boolean).join('; ');
    const response = await fetch(`${server.address}/api/auth/${path}`, { ...init, headers: { ...sent, cookie } });
    const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    if (!isOther) device = cookies.find((each) => each.startsWith('reelgraph.device=')) ?? device;
    const body = (await response.json()) as { errors?: readonly Failure[] } | null;
    const { errors = [], ...rest } = body ?? {};
    return { status: response.status, cookie: cookies.join('; '), rest: body && rest, error: errors[0] };
  }
  return {
    platform,
    address: server.address,
    posts: accounts.routes.filter(({ method }) => method === 'POST').map(({ path }) => path),
    mails,
    post: (path, body, headers = {}) =>
      call(path, { method: 'POST', body: JSON.stringify(body) }, { 'content-type': 'application/json', ...headers }),
    get: (path, headers = {}) => call(path, {}, headers),
    async mailTo(count) {
      await until(async () => mails.length === count);
      const last = mails.at(-1);
      if (!last) throw new Error('No message came.');
      return last;
    },
    tokenOf: (mail) => /#token=([\w-]{43})\n/.exec(mail.text)?.[1] ?? '',
    async settle() {
      await until(async () => (await platform.db.run(PENDING, [])).length === 0);
      mails.length = 0;
      await platform.db.run(NO_ATTEMPTS, []);
    },
    async close() {
      await server.close();
      await platform.jobs.stop({ graceMs: 1_000 });
      await accounts.stop();
      await platform.close();
    },
  };
}
