import {
  type CallToolResult,
  Client,
  type ClientOptions,
  type FetchLike,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { openTestCatalog, type Person, type TestCatalog } from '../domains/catalog/testing.ts';
import { FakeGoogle } from '../domains/publishing/fake-google.fixture.ts';
import { createHttpServer } from '../http/server.ts';
import { testRunner } from '../media/testing.ts';
import { freePort } from '../platform/config/free-port.ts';
import { openDatabase } from '../platform/db/database.ts';
import { openEvents } from '../platform/events/events.ts';
import { openJobs } from '../platform/jobs/jobs.ts';
import { MessageBus } from '../platform/message-bus/message-bus.ts';
import { createSeedData, type SeedData } from '../testing/seed-data.ts';
import { wireDomains } from '../wiring.ts';
import { mcpRoutes } from './routes.ts';

/** The platform behind HTTP, with an account and its key. */
export interface AgentFixture {
  readonly api: TestCatalog;
  readonly things: SeedData;
  readonly owner: Person;
  readonly key: string;
  /** With /mcp. */
  readonly address: string;
  /** Another API instance on the same database, in this process; returns the address of its /mcp. */
  anotherInstance(options?: AgentFixtureOptions): Promise<string>;
  /** The connected official client; closed with the platform. */
  connect(options?: ConnectOptions): Promise<Client>;
  /** Sends a raw JSON-RPC message. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface ConnectOptions extends ClientOptions {
  readonly key?: string;
  /** Of another instance. */
  readonly address?: string;
  readonly search?: string;
  /** Defaults to the protocol of 2026-07-28. */
  readonly era?: 'modern' | 'legacy';
  /** Instead of the global one. */
  readonly fetch?: FetchLike;
}

export interface AgentFixtureOptions {
  /** Time limit of a confirmation. */
  readonly elicitationMs?: number;
  /** Maximum number of concurrent requests of an account. */
  readonly maxOpen?: number;
  /** More settings. */
  readonly env?: Readonly<Record<string, string>>;
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The platform with the MCP entry point and sign-in; BASE_URL is its real address, as OAuth clients check it. */
export async function openAgentFixture({ env, ...options }: AgentFixtureOptions = {}): Promise<AgentFixture> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const api = await openTestCatalog({
    jobs: true,
    env: {
      ...{ BASE_URL: baseUrl, YOUTUBE_DOWNLOADER: 'yt-dlp' },
      ...{ SPEECH: 'openai', SPEECH_URL: 'http://127.0.0.1:9/v1' },
      ...{ TRANSLATION: 'openai', TRANSLATION_URL: 'http://127.0.0.1:9/v1', TRANSLATION_MODEL: 'example' },
      ...env,
    },
    google: await FakeGoogle.start(),
  });
  const { platform, domains } = api;
  const instances = [await startInstance(platform, domains, port, options)];
  const address = `${baseUrl}/mcp`;
  const clients: Client[] = [];
  const owner = await api.person('olivia');
  const { key } = owner;
  return {
    api,
    things: createSeedData(api, owner),
    owner,
    key,
    address,
    async anotherInstance(ownOptions = options) {
      const { url } = platform.test;
      const db = openDatabase({ url, pipelinedConnections: 1, transactionConnections: 2 });
      const own = { url, db, log: platform.log };
      const its = { ...platform, db, events: openEvents(own), jobs: openJobs({ ...own, worker: false }) };
      const second = await wireDomains({ ...its, databaseUrl: url }, '1.2.3', testRunner);
      const secondPort = await freePort();
      const instance = await startInstance(its, second, secondPort, ownOptions);
      instances.push({
        async close() {
          await instance.close();
          const { accounts, media, catalog, engagement, discovery, integrations, publishing, ai } = second;
          for (const domain of [ai, engagement, publishing, discovery, integrations, catalog, media])
            await domain.close();
          await accounts.stop();
          await db.close();
        },
      });
      return `http://127.0.0.1:${secondPort}/mcp`;
    },
    async connect({
      key: other,
      address: elsewhere = address,
      search = '',
      era = 'modern',
      fetch: ownFetch,
      ...options
    } = {}) {
      const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
      const client = new Client({ name: 'test-agent', version: '1.0.0' }, { ...options, versionNegotiation: { mode } });
      const headers = { authorization: `Bearer ${other ?? key}` };
      const transport = { requestInit: { headers }, ...(ownFetch ? { fetch: ownFetch } : {}) };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${elsewhere}${search}`), transport));
      clients.push(client);
      return client;
    },
    post: (body, headers = {}) =>
      fetch(address, {
        method: 'POST',
        headers: { ...HEADERS, authorization: `Bearer ${key}`, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async close() {
      for (const client of clients) await client.close();
      for (const instance of instances) await instance.close();
      await api.close();
    },
  };
}

/** An API process: HTTP over domains, with the MCP entry point. */
async function startInstance(
  platform: TestCatalog['platform'],
  { engine, accounts: credentials, integrations }: TestCatalog['domains'],
  port: number,
  options: AgentFixtureOptions,
): Promise<{ close(): Promise<void> }> {
  const messageBus = new MessageBus({ ...platform, url: platform.test.url });
  const agents = await mcpRoutes({
    platform,
    engine,
    credentials,
    messageBus,
    subscriptions: integrations.sessionSubscriptions,
    runner: testRunner,
    version: '1.2.3',
    ...options,
  });
  const server = createHttpServer({
    platform,
    version: '1.2.3',
    routes: [...credentials.routes, ...agents],
    engine,
    credentials,
  });
  await server.listen(port, '127.0.0.1');
  return {
    async close() {
      await server.close({ graceMs: 0 });
      await messageBus.close();
    },
  };
}

/** The text of what a tool returned. */
export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}
