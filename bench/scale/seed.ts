import { availableParallelism } from 'node:os';
import pg from 'pg';
import { COUNTERS, WEIGHT_COUNTERS } from './counters.ts';
import { dropIndexes, restoreIndexes } from './indexes.ts';
import { helpers, OTHER_ROWS, QUIET, ROWS, type Step } from './seed.sql.ts';

/** Contents per statement that writes search documents. */
const DOCUMENTS_A_TIME = 20_000;

/** Tables that get a row for each of many others. */
const FILLED = ['events', 'search_documents', 'search_vocabulary', 'content_listings', 'content_listing_terms'];

export interface SeedSize {
  readonly contents: number;
  readonly comments: number;
  /** The channel that gets a tenth of the contents, and the account that reads. */
  readonly channel: string;
  readonly reader: string;
}

/** Fills an empty database to this size; `log` gets the duration of each part. */
export async function seedDatabase(url: string, size: SeedSize, log: (line: string) => void): Promise<void> {
  const client = await connect(url);
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    log(`  ${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  try {
    await client.query('alter system set fsync = off');
    await client.query(`alter system set max_wal_size = '4GB'`);
    await client.query('select pg_reload_conf()');
    await client.query(helpers(new Date(Math.floor(Date.now() / 3_600_000 - 1) * 3_600_000)));
    // Foreign keys hold by construction; counts and documents are written below.
    for (const table of QUIET) await client.query(`alter table ${table} disable trigger all`);
    const indexes = await dropIndexes(client, [...QUIET, ...FILLED]);
    const write = async (steps: readonly Step[]) => {
      for (const { name, text, values } of steps) {
        const parameters = values.map((value) => size[value]);
        await timed(name, () => client.query(text, parameters));
        if (name === 'contents') await client.query('analyze contents');
      }
    };
    await write(ROWS);
    for (const text of WEIGHT_COUNTERS) await client.query(text);
    await timed('analyze', () => client.query('analyze'));
    const documents = timed('documents', () => writeDocuments(url));
    await write(OTHER_ROWS);
    await timed('counters', async () => {
      for (const text of COUNTERS) await client.query(text);
    });
    await documents;
    for (const table of QUIET) await client.query(`alter table ${table} enable trigger all`);
    await timed('tiers', () => client.query('select search_refresh_tiers()'));
    await client.query('drop schema bench cascade');
    await timed('indexes', () => restoreIndexes(client, indexes));
    await timed('vacuum', () => client.query('vacuum analyze'));
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'seed' });
  await client.connect();
  await client.query(`set maintenance_work_mem = '512MB'; set work_mem = '256MB'; set synchronous_commit = off`);
  return client;
}

/** Uses the functions of the triggers, on as many connections as there are cores. */
async function writeDocuments(url: string): Promise<void> {
  const client = await connect(url);
  const { rows } = await client.query<{ ids: string[] }>(
    `select array_agg(id) as ids from (select id, row_number() over (order by id) / ${DOCUMENTS_A_TIME} as part ` +
      'from contents where listed) c group by part order by part',
  );
  const worker = async () => {
    const own = await connect(url);
    for (let part = rows.pop(); part; part = rows.pop())
      await own.query('select search_write_contents($1)', [part.ids]);
    await own.end();
  };
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker));
  await client.query('select search_write_playlists(array(select id from playlists where listed))');
  await client.end();
}
