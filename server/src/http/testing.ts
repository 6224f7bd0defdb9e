import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, execute, GraphQLError, getOperationAST, parse, validate } from 'graphql';
import type { GraphqlRequest } from '../gql/requests.ts';
import type { Credential } from '../gql/viewer.ts';
import { AppError } from '../kernel/errors.ts';
import { readConfig } from '../platform/config/config.ts';
import { type Database, openDatabase } from '../platform/db/database.ts';
import { createReadiness, type ReadinessCheck } from '../platform/health/health.ts';
import { platformChecks } from '../platform/health/platform-checks.ts';
import { createLogger } from '../platform/log.ts';
import type { Route } from '../platform/routing.ts';
import { DiskStore } from '../platform/storage/disk-store.ts';
import { type StorageSpace, UNLIMITED_SPACE } from '../platform/storage/storage-space.ts';
import type { CredentialSource } from './credentials.ts';
import type { GraphqlEngine, GraphqlResult, GraphqlStream } from './graphql/graphql-endpoint.ts';
import { createHttpServer, type HttpServer, type HttpServerOptions } from './server.ts';

export const BASE_URL = 'http://reelgraph.test';
export const GOOD_KEY = 'rg_0123456789abcdefghijklmnopqrstuvwxyzAB';
export const SESSION_COOKIE = 'session=genuine';

/** A fake of the accounts domain's port: one key, one session. */
export const testCredentials: CredentialSource = {
  findCredential(key) {
    if (key !== GOOD_KEY) throw new AppError('UNAUTHENTICATED');
    return { kind: 'key', lookupHash: Buffer.from(key) };
  },
  sessionTokenFrom: (request) => (request.headers.cookie?.includes(SESSION_COOKIE) ? 'token' : null),
  forgottenSessionCookie: 'session=; Max-Age=0',
};

const schema = buildSchema(
  'type Query { hello(name: String): String, boom: String, whoAmI: String } type Mutation { wave: String }',
);

/** A fake of the executable schema's port: graphql-js over three fields, with the outcomes that the edge renders. */
export class TestEngine implements GraphqlEngine {
  readonly seen: GraphqlRequest[] = [];
  readonly noCost = { requested: 0, actual: 0, available: 2_000, restoreRate: 100 };
  /** Set to return this instead of executing. */
  next: GraphqlResult | ((request: GraphqlRequest) => Promise<GraphqlResult>) | null = null;

  async subscribe(request: GraphqlRequest): Promise<GraphqlStream> {
    return { kind: 'answer', result: await this.execute(request) };
  }

  async requireAccount(credential: Credential): Promise<string> {
    return credential.kind;
  }

  watch(): () => void {
    return () => {};
  }

  async execute(request: GraphqlRequest): Promise<GraphqlResult> {
    this.seen.push(request);
    const next = this.next;
    this.next = null;
    if (next) return typeof next === 'function' ? next(request) : next;
    if (request.credential.kind === 'anonymous')
      return { body: { errors: [{ message: 'A valid API key is required.' }] }, failure: 'UNAUTHENTICATED' };
    try {
      const document = parse(request.query ?? '');
      const problems = validate(schema, document);
      if (problems.length > 0) return { body: { errors: problems }, failure: 'GRAPHQL_VALIDATION_FAILED' };
      const operation = getOperationAST(document, request.operationName);
      if (request.queriesOnly && operation?.operation === 'mutation') {
        return {
          body: { errors: [{ message: 'Mutations need POST.' }] },
          failure: 'GRAPHQL_VALIDATION_FAILED',
          needsPost: true,
        };
      }
      const rootValue = {
        hello: ({ name }: { name?: string }) => `hello ${name ?? 'world'}`,
        boom: () => {
          throw new GraphQLError('boom');
        },
        whoAmI: () => request.credential.kind,
        wave: () => 'waved',
      };
      const args = {
        schema,
        document,
        rootValue,
        variableValues: request.variables ?? {},
        operationName: request.operationName ?? null,
      };
      const body = await execute(args);
      const failure = body.data === undefined ? 'GRAPHQL_VALIDATION_FAILED' : null;
      return { body, failure, operation: operation?.name?.value ?? '' };
    } catch (error) {
      if (error instanceof GraphQLError) return { body: { errors: [error] }, failure: 'GRAPHQL_VALIDATION_FAILED' };
      throw error;
    }
  }
}

/** For servers of which only routes are tested. */
export const WITHOUT_GRAPHQL: Pick<HttpServerOptions, 'engine' | 'credentials'> = {
  engine: {
    noCost: { requested: 0, actual: 0, available: 2_000, restoreRate: 100 },
    execute: async () => ({ body: {}, failure: null }),
    subscribe: async () => ({ kind: 'answer', result: { body: {}, failure: null } }),
    requireAccount: async () => 'account',
    watch: () => () => {},
  },
  credentials: {
    findCredential: () => ({ kind: 'anonymous' }),
    sessionTokenFrom: () => null,
    forgottenSessionCookie: '',
  },
};

export interface TestServer {
  readonly address: string;
  readonly port: number;
  readonly server: HttpServer;
  readonly engine: TestEngine;
  /** Lines of the log, parsed. */
  readonly logged: Record<string, unknown>[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  graphql(body: unknown, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

export interface TestServerOptions
  extends Partial<
    Pick<HttpServerOptions, 'webRoot' | 'pageHeads' | 'gauges' | 'timeouts' | 'versions' | 'instance' | 'streams'>
  > {
  readonly routes?: readonly Route[];
  /** Beyond database, schema and object store. */
  readonly checks?: readonly ReadinessCheck[];
  readonly env?: Record<string, string>;
  /** Without one the database is unreachable. */
  readonly db?: Database;
  /** The capacity of the object store; unlimited by default. */
  readonly space?: StorageSpace;
}

/** The real server on a free loopback port, with its own disk store. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-http-'));
  const logged: Record<string, unknown>[] = [];
  const log = createLogger({ level: 'debug', destination: { write: (line) => void logged.push(JSON.parse(line)) } });
  const db = options.db ?? openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
  const engine = new TestEngine();
  const { routes = [], checks = [], env = {}, db: _db, space = UNLIMITED_SPACE, ...rest } = options;
  const store = new DiskStore(join(folder, 'store'));
  const server = createHttpServer({
    platform: { config: readConfig({ BASE_URL, ...env }), log, db, store, space },
    readiness: createReadiness([...platformChecks({ db, store, space }), ...checks], log),
    version: '1.2.3',
    routes,
    engine,
    credentials: testCredentials,
    webRoot: join(folder, 'web'),
    ...rest,
  });
  const port = await server.listen(0, '127.0.0.1');
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    port,
    server,
    engine,
    logged,
    fetch: (path, init) => fetch(address + path, { redirect: 'manual', ...init }),
    graphql: (body, headers = {}) =>
      fetch(`${address}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${GOOD_KEY}`, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async close() {
      await server.close({ graceMs: 0 });
      if (!options.db) await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends raw text and returns everything received until the server closes. */
export function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
    });
    socket.on('close', () => resolve(received)).on('error', reject);
  });
}

interface RenderedErrors {
  errors: {
    message: string;
    code?: string;
    field?: string;
    suggestedFix?: string;
    documentation?: string;
    extensions?: Record<string, string>;
  }[];
  requestId?: string;
  data?: Record<string, unknown> | null;
}

/** The body of a response as errors; tests assert the shape. */
export async function errorsOf(response: Response): Promise<RenderedErrors> {
  return (await response.json()) as RenderedErrors;
}
