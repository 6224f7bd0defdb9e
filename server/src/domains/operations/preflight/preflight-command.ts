import type { Config } from '../../../platform/config/config.ts';
import { describeSettings } from '../../../platform/config/config.ts';
import { type Database, openDatabase } from '../../../platform/db/database.ts';
import { describeServer } from '../../../platform/db/local/await-server.ts';
import { inspectSchema } from '../../../platform/db/migrations.ts';
import type { SchemaState } from '../../../platform/db/upgrade/schema-state.ts';
import { type AdminCommands, type AdminResult, readFlags, SWITCH } from '../../accounts/index.ts';
import { type Check, ok, problem, reasonOf, runChecks } from '../doctor/finding.ts';
import { reportOf, secretsIn } from '../doctor/report.ts';
import { settingFindings } from './setting-findings.ts';
import { upgradeChecks } from './upgrade-checks.ts';
import { readOwnSession } from './upgrade-facts.store.ts';

const OPTIONS = { json: SWITCH };

/** For the list of commands; it is run by {@link runPreflight}, because it migrates nothing. */
export const PREFLIGHT_COMMAND: Pick<AdminCommands[string], 'about' | 'usage' | 'options'> = {
  about:
    'Says what the start of this version would do with the database, and changes nothing: migrations, what they lock ' +
    'and what breaks, space, backup, key, settings, running programs and jobs. Exits with 1 if there is a problem; ' +
    'warnings do not count.',
  usage: '[--json]',
  options: OPTIONS,
};

export interface PreflightTools {
  readonly config: Config;
  /** The environment: settings that are none are among it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** Starts the database server of the settings, unless it is running; null where there is no database yet. */
  readonly openServer: (() => Promise<{ readonly url: string; stop(): Promise<void> }>) | null;
}

/** Runs all checks; prints no secrets. Throws UsageError for unknown flags. */
export async function runPreflight(args: string[], tools: PreflightTools): Promise<AdminResult> {
  const flags = readFlags({ options: OPTIONS }, args);
  const settings: Check = { name: 'settings', run: async () => settingFindings(namesIn(tools.env), knownSettings()) };
  const findings = await withDatabase(tools, (checks) => runChecks([...checks, settings], secretsIn(tools.config)));
  return reportOf(findings, { asJson: flags.json === true });
}

/** Calls `run` with the checks of the database, or with one that says why there are none. */
async function withDatabase<T>(tools: PreflightTools, run: (checks: Check[]) => Promise<T>): Promise<T> {
  if (tools.openServer === null) return run([none(tools)]);
  const server = await tools.openServer().catch((error: unknown) => reasonOf(error));
  if (typeof server === 'string') return run([unusable('PostgreSQL in DATA_DIR', server)]);
  let db: Database | null = null;
  try {
    const state = await inspectSchema(server.url).catch((error: unknown) => reasonOf(error));
    const name = `PostgreSQL at ${URL.canParse(server.url) ? describeServer(server.url) : 'DATABASE_URL'}`;
    if (typeof state === 'string') return await run([unusable(name, state)]);
    db = openDatabase({ url: server.url, pipelinedConnections: 1, transactionConnections: 1 });
    return await run(upgradeChecks(await subjectOf(tools, db, state)));
  } finally {
    await db?.close();
    await server.stop();
  }
}

async function subjectOf({ config, version }: PreflightTools, db: Database, state: SchemaState) {
  return { db, config, state, version, ownSessions: await readOwnSession(db) };
}

const none = ({ version, config }: PreflightTools): Check => ({
  name: 'database',
  run: async () => ok(`There is none yet: the start of version ${version} creates one in ${config.DATA_DIR}.`),
});

const unusable = (name: string, reason: string): Check => ({
  name: 'database',
  run: async () => problem(`${name} cannot be used: ${reason}.`, 'Start it, or correct DATABASE_URL or DATA_DIR.'),
});

const knownSettings = () => describeSettings().map(({ name }) => name);

const namesIn = (env: PreflightTools['env']) => Object.keys(env).filter((name) => env[name]);
