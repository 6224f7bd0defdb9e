import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startLocalPostgres } from '../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../server/src/platform/db/migrations.ts';
import { makeAccounts } from './accounts.ts';
import { send, type Target } from './graphql/load.ts';
import { median, table } from './results.ts';
import { startServer, stopServer } from './server.ts';

const GOAL = 1.2;
const CLIENTS = 64;

interface Bench {
  readonly databaseUrl: string;
  /** One for each client: the same server with different accounts. */
  readonly clients: readonly Target[];
  /** As many contents as clients. */
  readonly contents: readonly string[];
}

/** 64 clients that like and unlike one video, against 64 clients with a video each: the cost of a hot row. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { likes: { type: 'string', default: '100' }, rounds: { type: 'string', default: '5' } },
  });
  const [likes, rounds] = [Number(values.likes), Number(values.rounds)];
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  try {
    await migrate(postgres.url);
    const secretKey = randomBytes(32).toString('base64');
    const accounts = await makeAccounts(postgres.url, secretKey, CLIENTS);
    const server = await startServer('../server/src/main.ts', ['--role', 'api'], {
      DATABASE_URL: postgres.url,
      SECRET_KEY: secretKey,
      DATA_DIR: join(folder, 'data'),
      RATE_LIMIT_POINTS: String(10 ** 12),
      RATE_LIMIT_RESTORE: String(10 ** 12),
    });
    try {
      const clients = accounts.map(({ apiKey }) => ({
        pid: server.child.pid ?? 0,
        url: server.url,
        application: 'reelgraph',
        headers: { authorization: `Bearer ${apiKey}` },
      }));
      const contents = await makeContents(postgres.url, accounts[0]?.channelId ?? '');
      await compare({ databaseUrl: postgres.url, clients, contents }, likes, rounds);
    } finally {
      await stopServer(server.child);
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeContents(databaseUrl: string, channelId: string): Promise<string[]> {
  const rows = await query<{ id: string }>(
    databaseUrl,
    `insert into contents (id, channel_id, kind, status, published_at, title)
     select gen_random_uuid(), $1, 'FEATURE', 'PUBLISHED', now(), 'Video ' || n from generate_series(1, ${CLIENTS}) n
       returning id`,
    [channelId],
  );
  return rows.map(({ id }) => `did:reelgraph:content/feature/${id}`);
}

async function query<Row extends object>(databaseUrl: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<Row>(text, values);
  await client.end();
  return rows;
}

/** Alternating rounds of both, after one warm-up round of each. */
async function compare(bench: Bench, likes: number, rounds: number): Promise<void> {
  const hot: number[] = [];
  const spread: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const apart = await throughput(bench, likes, (client) => bench.contents[client] ?? '');
    const together = await throughput(bench, likes, () => bench.contents[0] ?? '');
    if (round > 0) {
      spread.push(apart);
      hot.push(together);
    }
  }
  await checkCounts(bench.databaseUrl);
  const ratios = spread.map((value, round) => value / (hot[round] ?? value));
  console.log(`${CLIENTS} clients, ${rounds} rounds of ${likes} likes and unlikes each, medians\n`);
  console.log(
    table([
      ['mutations a second', ''],
      ['each client its own video', median(spread).toFixed(0)],
      ['all clients one video', median(hot).toFixed(0)],
      [
        `ratio (goal ${GOAL})`,
        `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
      ],
    ]),
  );
}

/** Mutations per second of all clients; each likes and unlikes the content that `pick` returns, in turn. */
async function throughput(bench: Bench, likes: number, pick: (client: number) => string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const startedAt = performance.now();
  await Promise.all(
    bench.clients.map(async (client, index) => {
      const variables = { id: pick(index) };
      const bodies = ['likeContent', 'unlikeContent'].map((name) =>
        JSON.stringify({ query: `mutation ($id: DID!) { ${name}(id: $id) { likes { count isLiked } } }`, variables }),
      );
      for (let count = 0; count < likes; count += 1) await send(agent, client, bodies[count % 2] ?? '');
    }),
  );
  agent.destroy();
  return (bench.clients.length * likes) / ((performance.now() - startedAt) / 1000);
}

/** Throws if a count differs from its rows. */
async function checkCounts(databaseUrl: string): Promise<void> {
  const wrong = await query(
    databaseUrl,
    `select c.id from contents c where counter_value('content:likes', c.id) <> (select count(*) from likes l ` +
      'where l.content_id = c.id)',
  );
  if (wrong.length > 0) throw new Error(`The counts of ${wrong.length} videos are wrong.`);
}
