import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type Config, readConfig } from '../../../platform/config/config.ts';
import { createEmptyDatabase } from '../../../platform/db/testing.ts';
import type { AssetsTestPlatform } from '../../assets/testing.ts';
import { type BackupOptions, type BackupReport, backUp } from './back-up.ts';
import { type BackupFolder, openBackupFolder } from './backup-folder.ts';
import { type RestoreReport, restore } from './restore.ts';

/** SECRET_KEY of test platforms. */
export const TEST_KEY = Buffer.alloc(32, 7).toString('base64');

/** Backs a test platform up. */
export function backUpTest(
  platform: AssetsTestPlatform,
  folder: BackupFolder,
  options: Partial<BackupOptions> = {},
): Promise<BackupReport> {
  return backUp(platform, { folder, version: '0.1.0', key: TEST_KEY, keep: null, progress: () => {}, ...options });
}

/** A machine without anything. */
export interface EmptyMachine {
  readonly url: string;
  readonly config: Config;
  restore(folder: BackupFolder, backupId?: string): Promise<RestoreReport>;
  close(): Promise<void>;
}

export async function createEmptyMachine(env: Record<string, string> = {}): Promise<EmptyMachine> {
  const database = await createEmptyDatabase();
  const data = await mkdtemp(join(tmpdir(), 'reelgraph-restored-'));
  const config = readConfig({ DATA_DIR: data, ...env });
  const openServer = async () => ({ url: database.url, stop: async () => {} });
  return {
    url: database.url,
    config,
    restore: (folder, backupId) => restore({ folder, backupId, config, openServer, progress: () => {} }),
    async close() {
      await database.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** A new folder for backups. */
export async function createBackupFolder(): Promise<{ folder: BackupFolder; path: string; close(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'reelgraph-backup-'));
  const folder = await openBackupFolder(path, readConfig({}));
  return { folder, path, close: () => rm(path, { recursive: true, force: true }) };
}

const TABLES = `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
  and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p' order by 1`;

/** The rows of all tables, as a digest of each. */
export async function digestTables(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  try {
    const digests: Record<string, string> = {};
    for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
      const digest = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '\n' order by t::text)), '') as digest
        from ${name} t`;
      digests[name] = (await client.query<{ digest: string }>(digest)).rows[0]?.digest ?? '';
    }
    return digests;
  } finally {
    await client.end();
  }
}
