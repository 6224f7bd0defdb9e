import type { Config } from '../../../platform/config/config.ts';
import { hasSecretKey, loadSecrets } from '../../../platform/config/secret-key.ts';
import type { Database } from '../../../platform/db/database.ts';
import { findSecretKeyProblem, LAST_BACKUP_AT, recallFact } from '../../../platform/db/facts.ts';
import { type Migration, readMigrations } from '../../../platform/db/migrations.ts';
import { pendingMigrations, type SchemaState, UnusableSchemaError } from '../../../platform/db/upgrade/schema-state.ts';
import { DiskSpace } from '../../../platform/storage/storage-space.ts';
import { versionFinding } from '../doctor/database-checks.ts';
import { readDatabaseFacts } from '../doctor/database-facts.store.ts';
import { type Check, type Finding, ok, problem, warning } from '../doctor/finding.ts';
import { bytesText, bytesToWrite, migrationFindings, planMigrations } from './migration-findings.ts';
import { countJobs, readSessions, readTableSizes, type Session } from './upgrade-facts.store.ts';

const DAY_MS = 86_400_000;

/** A database, and the program that would be started on it. */
export interface UpgradeSubject {
  readonly db: Database;
  readonly config: Config;
  readonly state: SchemaState;
  readonly version: string;
  /** Processes of PostgreSQL that serve this command. */
  readonly ownSessions: readonly number[];
  readonly now?: () => number;
  /** Those of the program by default. */
  readonly migrations?: readonly Migration[];
}

/** What the start of the program would do, and what speaks against it. They change nothing. */
export function upgradeChecks(subject: UpgradeSubject): Check[] {
  const always: Check[] = [
    { name: 'postgresql', run: () => checkPostgres(subject) },
    { name: 'version', run: () => checkVersion(subject) },
  ];
  if (subject.state.applied.size === 0) return always;
  return [
    ...always,
    { name: 'migrations', run: () => checkMigrations(subject) },
    { name: 'disk', run: () => checkDisk(subject) },
    { name: 'backup', run: () => checkBackup(subject) },
    { name: 'secret key', run: () => checkKey(subject) },
    { name: 'programs', run: () => checkPrograms(subject) },
    { name: 'jobs', run: () => checkJobs(subject) },
  ];
}

async function checkPostgres({ db }: UpgradeSubject): Promise<Finding> {
  const facts = await readDatabaseFacts(db);
  return facts ? versionFinding(facts.version) : problem('PostgreSQL returns no settings.', 'Check DATABASE_URL.');
}

async function pendingOf({ state, migrations, version }: UpgradeSubject): Promise<Migration[]> {
  return pendingMigrations(state, migrations ?? (await readMigrations()), version);
}

/** Those that would run; none for a database with which the program does not start. */
async function plannedOf(subject: UpgradeSubject) {
  try {
    return planMigrations(await pendingOf(subject));
  } catch (error) {
    if (error instanceof UnusableSchemaError) return [];
    throw error;
  }
}

async function checkVersion(subject: UpgradeSubject): Promise<Finding> {
  const { state, version } = subject;
  if (state.applied.size === 0) return ok(`The database is empty: the start creates the schema of version ${version}.`);
  try {
    await pendingOf(subject);
  } catch (error) {
    if (!(error instanceof UnusableSchemaError)) throw error;
    return problem(error.message, `Version ${version} does not start with this database.`);
  }
  const last = state.version === null ? 'does not say its version' : `is of version ${state.version}`;
  return ok(`The database ${last}, and this program is version ${version}.`);
}

async function checkMigrations(subject: UpgradeSubject): Promise<Finding[]> {
  const planned = await plannedOf(subject);
  const functions = (await pendingOf(subject).catch(() => [])).filter(({ isRepeatable }) => isRepeatable).length;
  const sizes = await sizesOf(subject);
  return [
    ...(planned.length === 0 ? [ok('No migration would run.')] : []),
    ...migrationFindings(planned, { version: subject.state.version, sizes }),
    ...(functions > 0 ? [ok(`${functions} files of functions and triggers would be replaced.`)] : []),
  ];
}

async function sizesOf(subject: UpgradeSubject) {
  const tables = (await plannedOf(subject)).flatMap(({ changes }) => changes.flatMap(({ table }) => table ?? []));
  return readTableSizes(subject.db, [...new Set(tables)]);
}

async function checkDisk(subject: UpgradeSubject): Promise<Finding> {
  const { DATABASE_URL, DATA_DIR } = subject.config;
  const needed = bytesToWrite(await plannedOf(subject), await sizesOf(subject));
  if (needed === 0) return ok('No table is written again, and no index is built.');
  const what = `The migrations write up to ${bytesText(needed)}`;
  if (DATABASE_URL !== undefined)
    return warning(`${what} to the disk of PostgreSQL.`, 'See that it has that space: it cannot be seen from here.');
  const { freeBytes } = await new DiskSpace(DATA_DIR).read();
  const found = `${what}, and ${bytesText(freeBytes)} are free.`;
  return freeBytes < needed ? problem(found, 'Make space on the disk of DATA_DIR.') : ok(found);
}

async function checkBackup({ db, now = Date.now }: UpgradeSubject): Promise<Finding> {
  const at = await recallFact(db, LAST_BACKUP_AT);
  const advice = 'Make one with the version that runs now: npm run admin -- backup --to FOLDER.';
  if (at === null) return warning('No backup of this database is known.', advice);
  const hours = Math.floor((now() - Date.parse(at)) / 3_600_000);
  const found = `The last known backup is of ${at}, ${hours} hours ago.`;
  return now() - Date.parse(at) > DAY_MS ? warning(found, advice) : ok(found);
}

async function checkKey({ db, config }: UpgradeSubject): Promise<Finding> {
  if (!hasSecretKey(config)) {
    const advice = 'Set SECRET_KEY, or put the file back: a new key cannot read what is encrypted.';
    return problem(`There is no SECRET_KEY, and no file secret-key in ${config.DATA_DIR}.`, advice);
  }
  const found = await findSecretKeyProblem(db, loadSecrets(config));
  return found === null
    ? ok('SECRET_KEY is accepted by this database.')
    : problem(found, 'Give this version the settings of the running one.');
}

async function checkPrograms({ db, version, ownSessions }: UpgradeSubject): Promise<Finding[]> {
  const sessions = await readSessions(db, ownSessions);
  return sessions.length === 0 ? [ok('No program uses the database now.')] : sessions.map(programFinding(version));
}

const programFinding =
  (version: string) =>
  (session: Session): Finding => {
    const { address, connections } = session;
    const where = address === null ? 'this machine' : address;
    return ok(
      `Version ${session.version} uses the database from ${where} (${connections} connections)` +
        `${session.version === version ? '' : '; it goes on beside the new one until you end it'}.`,
    );
  };

async function checkJobs({ db }: UpgradeSubject): Promise<Finding> {
  const { waiting, running } = await countJobs(db);
  return ok(`${waiting} jobs wait and ${running} run; they are kept.`);
}
