import { type Credential, createEngine, type Engine, Graph, type Services } from '../../../gql/index.ts';
import { sql } from '../../../platform/db/statement.ts';
import { type Accounts, declareAccounts, registerAccounts, runAdminCommand } from '../index.ts';
import { type AccountsTestPlatform, createAccountsTestPlatform, createTestAccount, serveRoutes } from '../testing.ts';

export const ORIGIN = 'http://reelgraph.test';
export const PASSWORD = 'correct horse';

// biome-ignore lint/suspicious/noExplicitAny: responses are compared, not typed
export type Data = any;

export interface Person {
  readonly accountId: string;
  readonly session: Credential;
  readonly key: Credential;
}

/** A server with accounts, and callers of its API, its sign-up and its admin commands. */
export interface World {
  readonly platform: AccountsTestPlatform;
  readonly accounts: Accounts;
  readonly address: string;
  person(username: string): Promise<Person>;
  run(
    credential: Credential,
    query: string,
  ): Promise<{ data: Data; error: { code: string; field?: string; message: string; fix: string } | null }>;
  admin(...argv: string[]): Promise<Data>;
  signUp(
    account: object,
  ): Promise<{ status: number; error: { code: string; field?: string; message: string; suggestedFix: string } | null }>;
  /** Everything a sign-up, an invitation or a claim writes. */
  rows(): Promise<Data>;
  close(): Promise<void>;
}

/** Everything a sign-up, an invitation or a claim writes. */
const ROWS = sql(
  'test_rows',
  `select (select json_agg(a order by a.id) from accounts a) as accounts, (select json_agg(i order by i.id)
            from invitations i) as invitations,
             (select json_agg(c) from operator_codes c) as codes, (select count(*) from channels) as channels,
               (select count(*) from credentials) as credentials`,
);

/** Opens a world with these settings. */
export async function openWorld(env: Record<string, string>): Promise<World> {
  const platform = await createAccountsTestPlatform(env);
  let engine: Engine;
  const accounts = registerAccounts(platform, {
    databaseUrl: platform.databaseUrl,
    version: '1.2.3',
    quotaOf: (id) => engine.quotaOf(id),
  });
  engine = engineOver(platform, accounts);
  const { db } = platform;
  const server = await serveRoutes(accounts.routes);
  let calls = 0;
  return {
    platform,
    accounts,
    address: server.address,
    async person(username) {
      const { accountId, apiKey } = await createTestAccount(platform, username);
      const token = `token-of-${username}`;
      await db.run(
        sql(
          'test_add_session',
          `insert into sessions (id, account_id, token, expires_at) values (gen_random_uuid(), $1, $2, 'infinity')`,
        ),
        [accountId, token],
      );
      return { accountId, session: { kind: 'session', token }, key: accounts.credentialFromKey(apiKey ?? '') };
    },
    async run(credential, query) {
      const signal = new AbortController().signal;
      const { body } = await engine.execute({ query, credential, queriesOnly: false, requestId: 'test', signal });
      const [first] = body.errors ?? [];
      const extensions = first?.extensions as { code: string; field?: string; suggestedFix: string } | undefined;
      return {
        data: body.data,
        error: first && extensions ? { ...extensions, message: first.message, fix: extensions.suggestedFix } : null,
      };
    },
    async admin(...argv) {
      const { exitCode, stdout, stderr } = await runAdminCommand(argv, platform);
      return exitCode === 0 ? JSON.parse(stdout) : JSON.parse(stderr);
    },
    async signUp(account) {
      calls += 1;
      const answer = await fetch(`${server.address}/api/auth/sign-up/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: ORIGIN, 'x-test-address': `192.0.2.${calls}` },
        body: JSON.stringify({ password: PASSWORD, ...account }),
      });
      const body: Data = await answer.json();
      return { status: answer.status, error: body.errors?.[0] ?? null };
    },
    rows: () => db.first(ROWS, []),
    async close() {
      await server.close();
      await accounts.stop();
      await platform.close();
    },
  };
}

/** An engine over the schema of this domain only. */
function engineOver(platform: AccountsTestPlatform, accounts: Accounts): Engine {
  const graph = new Graph();
  declareAccounts(graph);
  // Only this domain is declared, so only its services are needed.
  const services = { accounts: accounts.services } as Services;
  const { db, clock, log } = platform;
  const { viewerSource, authorize, explainRefusal } = accounts;
  return createEngine({
    schema: graph.schema(),
    db,
    clock,
    viewerSource,
    authorize,
    explainRefusal,
    services,
    env: { baseUrl: ORIGIN, namespace: 'test' },
    log,
  });
}
