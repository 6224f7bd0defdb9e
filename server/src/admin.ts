/** `npm run admin -- COMMAND`: the operator's commands, with the platform running or stopped. Prints JSON. */
import {
  type AdminCommands,
  type AdminResult,
  adminUsage,
  isAdminCommand,
  isSetUpCommand,
  runAdminCommand,
  UsageError,
} from './domains/accounts/index.ts';
import { LIST_STORAGE_COMMAND } from './domains/assets/index.ts';
import { VERIFY_MEDIA_COMMAND } from './domains/delivery/index.ts';
import { rebuildSearch } from './domains/discovery/index.ts';
import { rebuildRollUps } from './domains/engagement/index.ts';
import { INSTALL_SPEECH_MODEL_COMMAND } from './domains/enhance/index.ts';
import {
  backupCommands,
  DOCTOR_COMMAND,
  PREFLIGHT_COMMAND,
  ROTATE_SECRET_KEY_COMMAND,
  runDoctor,
  runPreflight,
} from './domains/operations/index.ts';
import { processAgainCommand } from './domains/transcode/index.ts';
import { type DatabaseServer, hasDatabase, openDatabaseServer } from './open-platform.ts';
import { systemClock } from './platform/clock.ts';
import { type Config, readConfig } from './platform/config/config.ts';
import { loadSecrets } from './platform/config/secret-key.ts';
import { prepareDataFolder } from './platform/data-folder.ts';
import { openDatabase } from './platform/db/database.ts';
import { checkSecretKey } from './platform/db/facts.ts';
import { migrate } from './platform/db/migrations.ts';
import { lockOwner } from './platform/instance-lock.ts';
import { type Jobs, openJobs } from './platform/jobs/jobs.ts';
import { createLogger } from './platform/log.ts';
import { readVersion } from './platform/version.ts';

/** The job queue, which most commands do not need: it is started for the first job. */
class LazyJobs implements Pick<Jobs, 'send'> {
  #open: () => Jobs = () => {
    throw new Error('There is no database yet.');
  };
  #started: Promise<Jobs> | null = null;

  openWith(open: () => Jobs): void {
    this.#open = open;
  }

  send: Jobs['send'] = async (...args) => {
    this.#started ??= this.#start();
    return (await this.#started).send(...args);
  };

  async stop(): Promise<void> {
    await (await this.#started)?.stop({ graceMs: 0 });
  }

  async #start(): Promise<Jobs> {
    const jobs = this.#open();
    await jobs.start();
    return jobs;
  }
}

const jobs = new LazyJobs();
let databaseUrl = '';

/** Commands of the domains above accounts. */
const MORE: AdminCommands = {
  'rebuild-engagement': {
    about:
      'Recomputes the engagement sums from all raw events that ' +
      'are kept; prints the first day and the number of events.',
    usage: '',
    options: {},
    run: ({ db }) => rebuildRollUps({ db }),
  },
  'rebuild-search': {
    about: 'Rebuilds the search and list documents; prints their number. Publishing waits meanwhile.',
    usage: '',
    options: {},
    run: ({ db }) => rebuildSearch(db),
  },
  ...INSTALL_SPEECH_MODEL_COMMAND,
  ...LIST_STORAGE_COMMAND,
  ...processAgainCommand(jobs),
  ...ROTATE_SECRET_KEY_COMMAND,
  ...VERIFY_MEDIA_COMMAND,
  ...backupCommands({
    version: readVersion(),
    databaseUrl: () => databaseUrl,
    openServer,
    progress: (line) => process.stderr.write(`${line}\n`),
  }),
};

process.exitCode = await main(process.argv.slice(2));

async function main(argv: string[]): Promise<number> {
  if (argv[0] === 'doctor') return unmigrated((config) => runDoctor(argv.slice(1), config, () => openServer(config)));
  if (argv[0] === 'preflight') return unmigrated((config) => preflight(argv.slice(1), config));
  if (!isAdminCommand(argv, MORE)) {
    const isHelp = argv[0] === 'help' || argv[0] === '--help';
    (isHelp ? process.stdout : process.stderr).write(
      adminUsage({ ...MORE, doctor: DOCTOR_COMMAND, preflight: PREFLIGHT_COMMAND }),
    );
    return isHelp ? 0 : 2;
  }
  try {
    return await run(argv);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

function preflight(args: string[], config: Config): Promise<AdminResult> {
  const open = hasDatabase(config) ? () => openServer(config) : null;
  return runPreflight(args, { config, env: process.env, version: readVersion(), openServer: open });
}

/** A command for which the database is among what is checked: there may be none, and it is not migrated. */
async function unmigrated(check: (config: Config) => Promise<AdminResult>): Promise<number> {
  try {
    return print(await check(readConfig(process.env)));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(argv: string[]): Promise<number> {
  const config = readConfig(process.env);
  prepareDataFolder(config.DATA_DIR, (path, error) => process.stderr.write(`${path}: ${error.message}\n`));
  if (isSetUpCommand(argv[0] ?? '', MORE)) return print(await runAdminCommand(argv, { config }, MORE));
  const server = await openServer(config);
  databaseUrl = server.url;
  try {
    await migrate(server.url);
    const secrets = loadSecrets(config);
    const db = openDatabase({ url: server.url, pipelinedConnections: 1, transactionConnections: 1 });
    try {
      await checkSecretKey(db, secrets);
      const log = createLogger({ level: 'warn' });
      jobs.openWith(() => openJobs({ url: server.url, db, log, worker: false }));
      try {
        const platform = { db, clock: systemClock, secrets, config };
        return print(await runAdminCommand(argv, platform, MORE));
      } finally {
        await jobs.stop();
      }
    } finally {
      await db.close();
    }
  } finally {
    await server.stop();
  }
}

/** The database server; `stop` stops it only if it was started for this command. */
async function openServer(config: Config): Promise<DatabaseServer> {
  const server = await openDatabaseServer(config);
  return {
    url: server.url,
    async stop() {
      if (lockOwner(config.DATA_DIR) === null) await server.stop();
    },
  };
}

function print({ exitCode, stdout, stderr }: AdminResult): number {
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  return exitCode;
}
