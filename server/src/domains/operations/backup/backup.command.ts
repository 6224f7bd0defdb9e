import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../platform/config/config.ts';
import { LAST_BACKUP_AT, setFact } from '../../../platform/db/facts.ts';
import { openStorage } from '../../../platform/storage/open-storage.ts';
import {
  type AdminCommands,
  type AdminPlatform,
  CheckResult,
  countFlag,
  type Flags,
  requiredFlag,
  SWITCH,
  TEXT,
  textFlag,
  UsageError,
} from '../../accounts/index.ts';
import { backUp } from './back-up.ts';
import { type BackupFolder, openBackupFolder } from './backup-folder.ts';
import { backupIds, readManifest, requireManifest } from './manifest.ts';
import { restore } from './restore.ts';
import { verifyBackup } from './verify-backup.ts';

/** What the commands need besides the settings. */
export interface BackupTools {
  readonly version: string;
  /** Of the database of the other commands. */
  readonly databaseUrl: () => string;
  /** Starts the database server of the settings, unless it is running; `stop` stops what was started. */
  readonly openServer: (config: Config) => Promise<{ readonly url: string; stop(): Promise<void> }>;
  /** Gets lines about what was done so far. */
  readonly progress: (line: string) => void;
}

const PLACE = 'FOLDER|s3://BUCKET/PREFIX';

/** The commands that make, list, verify and restore backups. */
export function backupCommands(tools: BackupTools): AdminCommands {
  return {
    backup: {
      about:
        'Copies the database, all objects and open uploads, while the platform runs. Objects that are there are not ' +
        'copied again. --include-key also stores SECRET_KEY. --keep N removes all but the newest N backups.',
      usage: `--to ${PLACE} [--include-key] [--keep N]`,
      options: { to: TEXT, 'include-key': SWITCH, keep: TEXT },
      run: (platform, flags) => runBackup(platform, flags, tools),
    },
    'list-backups': {
      about: 'Lists backups, the oldest first, and those that were not completed.',
      usage: `--from ${PLACE}`,
      options: { from: TEXT },
      setUp: async (config, flags) => listBackups(await folderFlag(config, flags, 'from')),
    },
    'verify-backup': {
      about:
        'Reads every byte of a backup, by default of the newest, and compares its checksums. ' +
        'Exits with 1 if one differs.',
      usage: `--from ${PLACE} [--backup ID]`,
      options: { from: TEXT, backup: TEXT },
      async setUp(config, flags) {
        const folder = await folderFlag(config, flags, 'from');
        const report = await verifyBackup(folder, await requireManifest(folder, textFlag(flags, 'backup')));
        return new CheckResult(report, report.problemCount === 0);
      },
    },
    restore: {
      about: 'Restores a backup, by default the newest, to an empty database and an empty object store.',
      usage: `--from ${PLACE} [--backup ID]`,
      options: { from: TEXT, backup: TEXT },
      async setUp(config, flags) {
        const folder = await folderFlag(config, flags, 'from');
        const { progress } = tools;
        const openServer = () => tools.openServer(config);
        return restore({ folder, backupId: textFlag(flags, 'backup'), config, openServer, progress });
      },
    },
  };
}

function folderFlag(config: Config, flags: Flags, name: string): Promise<BackupFolder> {
  return openBackupFolder(requiredFlag(flags, name), config);
}

async function runBackup({ db, clock, secrets, config }: AdminPlatform, flags: Flags, tools: BackupTools) {
  const keep = flags.keep === undefined ? null : countFlag(flags, 'keep', 0);
  if (keep === 0) throw new UsageError('--keep must be at least 1.');
  const folder = await folderFlag(config, flags, 'to');
  const key = flags['include-key'] === true ? await keyOf(config) : null;
  const { store, receiving } = await openStorage(config);
  const source = { databaseUrl: tools.databaseUrl(), store, receiving, secrets, clock };
  const report = await backUp(source, { folder, version: tools.version, key, keep, progress: tools.progress });
  await setFact(db, LAST_BACKUP_AT, report.snapshotAt);
  return report;
}

async function keyOf({ SECRET_KEY, DATA_DIR }: Config): Promise<string> {
  return SECRET_KEY ?? (await readFile(join(DATA_DIR, 'secret-key'), 'utf8')).trim();
}

async function listBackups(folder: BackupFolder) {
  const { complete, incomplete } = await backupIds(folder);
  const backups = [];
  for (const id of complete) {
    const manifest = await readManifest(folder, id);
    if (!manifest) continue;
    const { snapshotAt, finishedAt, version, hasKey, tables, objects } = manifest;
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const { count, bytes } = objects;
    backups.push({ id, snapshotAt, finishedAt, version, hasKey, rows, objects: count, objectBytes: bytes });
  }
  return { backups, incomplete };
}
