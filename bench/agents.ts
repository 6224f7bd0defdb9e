import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { makeAccounts } from './accounts.ts';
import { compareScripts } from './agent-scripts.ts';
import { table } from './results.ts';
import { startProcess, startServer, stopServer } from './server.ts';

const GOAL_MIB = 300;
/** Interval of memory samples. */
const LOOK_MS = 50;
const REST_MS = 10_000;
/** Actions of a connected agent. */
const CALLS: readonly { name: string; arguments: Record<string, unknown> }[] = [
  { name: 'verify_connection', arguments: {} },
  { name: 'get_me', arguments: {} },
  { name: 'channel_dashboard', arguments: {} },
  { name: 'search', arguments: { query: 'video' } },
  { name: 'search_schema', arguments: { query: 'pin a comment' } },
  { name: 'create_playlist', arguments: { title: 'New' } },
  {
    name: 'graphql_query',
    arguments: { query: '{ me { username channels(first: 5) { edges { node { channel { id } } } } } }' },
  },
];

/** A connected agent with its own video. */
interface Agent {
  readonly client: Client;
  readonly isModern: boolean;
  contentId: string;
  /** Responds to the pending confirmation of a deletion. */
  readonly answer: () => void;
}

/**
 * Resources of an API process under many concurrent agents, with the worker in another process: half of them use
 * protocol 2026-07-28 and half 2025-11-25. Each connects, lists tools, resources and prompts, reads the schema and
 * calls tools; then all of them hold a stream open at the same time. With `--scripts` it measures what scripts save
 * instead.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      agents: { type: 'string', default: '100' },
      rounds: { type: 'string', default: '3' },
      scripts: { type: 'boolean', default: false },
    },
  });
  if (values.scripts) return compareScripts();
  const [count, rounds] = [Number(values.agents), Number(values.rounds)];
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  const started: ChildProcess[] = [];
  try {
    await migrate(postgres.url);
    const env = {
      DATABASE_URL: postgres.url,
      SECRET_KEY: randomBytes(32).toString('base64'),
      DATA_DIR: join(folder, 'data'),
    };
    const accounts = await makeAccounts(postgres.url, env.SECRET_KEY, count);
    const server = await startServer('../server/src/main.ts', ['--role', 'api'], env);
    started.push(server.child, startProcess('../server/src/main.ts', ['--role', 'worker'], env));
    const keys = accounts.map(({ apiKey }) => apiKey ?? '');
    await compare(server.child.pid ?? 0, `${server.url}/mcp`, keys, rounds);
  } finally {
    for (const child of started) await stopServer(child);
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(pid: number, address: string, keys: readonly string[], rounds: number): Promise<void> {
  await sleep(REST_MS);
  const rows = [
    ['resident memory, MiB', 'before', 'at work', 'streams open', 'peak', `${REST_MS / 1000} s later`, 'seconds'],
  ];
  let peak = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const memory = new Memory(pid);
    const before = await memory.now();
    const startedAt = performance.now();
    const agents = await Promise.all(keys.map((key, index) => connect(address, key, index % 2 === 0)));
    await Promise.all(agents.map(work));
    const working = await memory.now();
    const streams = Promise.all(agents.map(holdStream));
    streams.catch(() => {}); // awaited after the pause
    await sleep(REST_MS);
    const open = await memory.now();
    for (const { answer } of agents) answer();
    await streams;
    await Promise.all(agents.map(({ client }) => client.close()));
    const seconds = (performance.now() - startedAt - REST_MS) / 1000;
    await sleep(REST_MS);
    const sizesMib = [before, working, open, memory.peak, await memory.stop()];
    peak = Math.max(peak, memory.peak);
    rows.push([`round ${round}`, ...sizesMib.map((size) => size.toFixed(0)), seconds.toFixed(0)]);
  }
  console.log(`${keys.length} agents, half of each protocol\n`);
  console.log(table(rows));
  console.log(`\npeak of all rounds: ${peak.toFixed(0)} MiB (goal: at most ${GOAL_MIB} MiB)`);
}

/** Confirmations wait until the benchmark releases them. */
async function connect(address: string, key: string, isModern: boolean): Promise<Agent> {
  const answered = Promise.withResolvers<void>();
  const mode = isModern ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client(
    { name: 'bench-agent', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', async () => {
    await answered.promise;
    return { action: 'accept', content: { confirm: true } };
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(address), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  return { client, isModern, contentId: '', answer: answered.resolve };
}

async function work(agent: Agent): Promise<void> {
  const { client } = agent;
  await client.listTools();
  await client.listResources();
  await client.listPrompts();
  await client.readResource({ uri: 'reelgraph://schema' });
  for (const call of CALLS) await callTool(client, call);
  const created = await callTool(client, { name: 'create_content', arguments: { title: 'A video' } });
  agent.contentId = (created as { createContent: { id: string } }).createContent.id;
}

/** Throws for an error response, which must not be measured. */
async function callTool(client: Client, call: { name: string; arguments: Record<string, unknown> }): Promise<unknown> {
  const result = await client.callTool(call);
  if (result.isError) throw new Error(`${call.name}: ${JSON.stringify(result.content)}`);
  return result.structuredContent;
}

/** A stream that stays open: a subscription if the protocol has them, otherwise a call that waits for confirmation. */
async function holdStream({ client, isModern, contentId }: Agent): Promise<void> {
  if (!isModern) return void (await callTool(client, { name: 'delete_content', arguments: { id: contentId } }));
  const subscription = await client.listen({ toolsListChanged: true });
  await callTool(client, { name: 'delete_content', arguments: { id: contentId } });
  await subscription.close();
}

/** Samples the resident memory of a process. */
class Memory {
  peak = 0;
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => void this.now().catch(() => {}), LOOK_MS); // ended: the benchmark reports it
  }

  /** MiB (proc(5), VmRSS). */
  async now(): Promise<number> {
    const status = await readFile(`/proc/${this.#pid}/status`, 'utf8');
    const mib = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
    this.peak = Math.max(this.peak, mib);
    return mib;
  }

  stop(): Promise<number> {
    clearInterval(this.#timer);
    return this.now();
  }
}
