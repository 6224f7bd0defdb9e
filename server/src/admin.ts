/** `npm run admin -- COMMAND`: the operator's commands, with the platform running or stopped. Prints JSON. */
import { type AdminCommands, adminUsage, isAdminCommand, runAdminCommand } from './domains/accounts/index.ts';
import { LIST_STORAGE_COMMAND, VERIFY_MEDIA_COMMAND } from './domains/assets/index.ts';
import { rebuildSearch } from './domains/discovery/index.ts';
import { rebuildRollUps } from './domains/engagement/index.ts';
import { openDatabaseServer } from './open-platform.ts';
import { systemClock } from './platform/clock.ts';
import { readConfig } from './platform/config/config.ts';
import { loadSecrets } from './platform/config/secret-key.ts';
import { prepareDataFolder } from './platform/data-folder.ts';
import { openDatabase } from './platform/db/database.ts';
import { checkSecretKey } from './platform/db/facts.ts';
import { migrate } from './platform/db/migrations.ts';
import { lockOwner } from './platform/instance-lock.ts';

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
  ...LIST_STORAGE_COMMAND,
  ...VERIFY_MEDIA_COMMAND,
};

process.exitCode = await main(process.argv.slice(2));

async function main(argv: string[]): Promise<number> {
  if (!isAdminCommand(argv, MORE)) {
    const isHelp = argv[0] === 'help' || argv[0] === '--help';
    (isHelp ? process.stdout : process.stderr).write(adminUsage(MORE));
    return isHelp ? 0 : 2;
  }
  try {
    return await run(argv);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

async function run(argv: string[]): Promise<number> {
  const config = readConfig(process.env);
  prepareDataFolder(config.DATA_DIR, (path, error) => process.stderr.write(`${path}: ${error.message}\n`));
  const server = await openDatabaseServer(config);
  try {
    await migrate(server.url);
    const secrets = loadSecrets(config.DATA_DIR, config.SECRET_KEY);
    const db = openDatabase({ url: server.url, pipelinedConnections: 1, transactionConnections: 1 });
    try {
      await checkSecretKey(db, secrets);
      const { exitCode, stdout, stderr } = await runAdminCommand(
        argv,
        { db, clock: systemClock, secrets, config },
        MORE,
      );
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      return exitCode;
    } finally {
      await db.close();
    }
  } finally {
    // Stops the server only if it was started for this command.
    if (lockOwner(config.DATA_DIR) === null) await server.stop();
  }
}
