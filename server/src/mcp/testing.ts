import assert from 'node:assert/strict';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createAccount } from '../domains/accounts/index.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../domains/catalog/testing.ts';
import { formatDid } from '../gql/index.ts';
import { createHttpServer } from '../http/server.ts';
import { freePort } from '../platform/config/free-port.ts';
import { makeThings, type Things } from '../testing/example-things.ts';
import { mcpRoutes } from './routes.ts';

/** The platform behind HTTP, with an account and its key. */
export interface AgentWorld {
  readonly api: TestCatalog;
  readonly things: Things;
  readonly owner: Person;
  readonly key: string;
  /** With /mcp. */
  readonly address: string;
  /** A new account, with its key. */
  account(username: string): Promise<{ readonly person: Person; readonly key: string }>;
  /** The official client, connected; closed with the world. */
  connect(options?: ConnectOptions): Promise<Client>;
  /** One JSON-RPC message as it is. */
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface ConnectOptions extends ClientOptions {
  readonly key?: string;
  readonly search?: string;
  /** The protocol of 2026 unless told. */
  readonly era?: 'modern' | 'legacy';
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** The platform with agents' door and sign-in; BASE_URL is where it really listens, as OAuth clients check. */
export async function openAgentWorld(): Promise<AgentWorld> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const api = await openTestCatalog({ jobs: true, env: { BASE_URL: baseUrl } });
  const { platform, domains } = api;
  const { config, log } = platform;
  const { engine, accounts: credentials } = domains;
  const agents = await mcpRoutes({ engine, credentials, baseUrl: config.BASE_URL, namespace: config.DID_NAMESPACE, version: '1.2.3', log });
  const server = createHttpServer({ platform, version: '1.2.3', routes: [...credentials.routes, ...agents], engine, credentials });
  await server.listen(port, '127.0.0.1');
  const address = `${baseUrl}/mcp`;
  const clients: Client[] = [];
  const account = async (username: string) => {
    const made = await createAccount(platform, {
      email: `${username}@example.com`,
      username,
      password: 'correct horse',
      subscription: { plan: 'CREATOR_PLUS', state: 'ACTIVE' },
      apiKey: true,
    });
    const key = made.apiKey ?? assert.fail('there is a key');
    const channel = formatDid(config.DID_NAMESPACE, 'channel', made.channelId);
    return { key, person: { ...made, channel, credential: credentials.credentialFromKey(key) } };
  };
  const { person: owner, key } = await account('olivia');
  return {
    api,
    things: makeThings(api, owner),
    owner,
    key,
    address,
    account,
    async connect({ key: other, search = '', era = 'modern', ...options } = {}) {
      const mode = era === 'modern' ? { pin: '2026-07-28' } : 'legacy';
      const client = new Client({ name: 'test-agent', version: '1.0.0' }, { ...options, versionNegotiation: { mode } });
      const headers = { authorization: `Bearer ${other ?? key}` };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${address}${search}`), { requestInit: { headers } }));
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
      await server.close({ graceMs: 0 });
      await api.close();
    },
  };
}
