import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccount } from '../../server/src/domains/accounts/index.ts';
import { refreshLists } from '../../server/src/domains/discovery/index.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { secretsFrom } from '../../server/src/platform/config/secret-key.ts';
import { openDatabase } from '../../server/src/platform/db/database.ts';
import { type LocalPostgres, startLocalPostgres } from '../../server/src/platform/db/local/local-postgres.ts';
import { migrate } from '../../server/src/platform/db/migrations.ts';
import { checkCounts } from './check-counts.ts';
import { seedDatabase } from './seed.ts';

/** Size of a seeded database. */
export interface Size {
  readonly contents: number;
  readonly comments: number;
}

/** A running database, with the credentials of its server. */
export interface ScaleDatabase {
  readonly postgres: LocalPostgres;
  readonly size: Size;
  readonly secretKey: string;
  readonly apiKey: string;
  /** The reader's channel, which has a tenth of the contents. */
  readonly channelId: string;
}

type Facts = Pick<ScaleDatabase, 'size' | 'secretKey' | 'apiKey' | 'channelId'>;

/** The database of this size in `folder`: the existing one, or a new one, whose counts are compared with its rows. */
export async function openScaleDatabase(
  folder: string,
  size: Size,
  log: (line: string) => void,
): Promise<ScaleDatabase> {
  const postgres = await startLocalPostgres(join(folder, 'postgres'));
  const file = join(folder, 'facts.json');
  try {
    await migrate(postgres.url);
    if (!existsSync(file)) {
      const facts = await build(postgres.url, size, log);
      await writeFile(file, JSON.stringify(facts), { mode: 0o600 });
    }
    return { postgres, ...(JSON.parse(await readFile(file, 'utf8')) as Facts) }; // written above
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function build(url: string, size: Size, log: (line: string) => void): Promise<Facts> {
  log(`${size.contents} contents, ${size.comments} comments:`);
  const secretKey = randomBytes(32).toString('base64');
  const db = openDatabase({ url, statementTimeoutMs: 300_000 });
  const platform = { db, clock: systemClock, secrets: secretsFrom(Buffer.from(secretKey, 'base64')) };
  try {
    const { accountId, channelId, apiKey } = await createAccount(platform, {
      ...{ email: 'bench@example.com', username: 'bench', name: 'Bench', password: randomBytes(15).toString('hex') },
      ...{ subscription: { plan: 'CREATOR_PLUS', state: 'ACTIVE' }, apiKey: true },
    });
    await seedDatabase(url, { ...size, channel: channelId, reader: accountId }, log);
    await refreshLists(platform);
    await checkCounts(url);
    return { size, secretKey, apiKey: apiKey ?? '', channelId };
  } finally {
    await db.close();
  }
}
