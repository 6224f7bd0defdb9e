import { EventEmitter, once } from 'node:events';
import { type Database, openDatabase } from '../../../platform/db/database.ts';
import { describeServer } from '../../../platform/db/local/await-server.ts';
import { inspectSchema, readMigrations } from '../../../platform/db/migrations.ts';
import { NotificationListener } from '../../../platform/db/notification-listener.ts';
import { pendingMigrations, UnusableSchemaError } from '../../../platform/db/upgrade/schema-state.ts';
import { createLogger } from '../../../platform/log.ts';
import { readVersion } from '../../../platform/version.ts';
import { type DatabaseFacts, readDatabaseFacts, sendProbe } from './database-facts.store.ts';
import { type Check, type Finding, ok, problem, reasonOf, warning } from './finding.ts';

const OLDEST = 180_000;
/** Of one process: for requests, transactions, jobs, sign-in and notifications. */
const CONNECTIONS_OF_PROCESS = 24;
const SMALL_BUFFERS = 128 * 1024 ** 2;
/** Requests between processes are signed for a minute. */
const MOST_SKEW_MS = 30_000;
const NOTED_SKEW_MS = 2_000;
const PROBE_CHANNEL = 'reelgraph_doctor';
const NOTIFIED_MS = 3_000;

/** A PostgreSQL that may be started for it. */
export type OpenServer = () => Promise<{ readonly url: string; stop(): Promise<void> }>;

/** PostgreSQL: its version and settings, the schema, the clock, and what is in between. */
export function databaseChecks(openServer: OpenServer): Check[] {
  return [{ name: 'database', limitMs: 60_000, run: () => checkDatabase(openServer) }];
}

async function checkDatabase(openServer: OpenServer): Promise<Finding[]> {
  const server = await openServer();
  const db = openDatabase({ url: server.url, pipelinedConnections: 1, transactionConnections: 1 });
  try {
    const sentMs = Date.now();
    const facts = await readDatabaseFacts(db);
    if (!facts) return [problem('PostgreSQL returns no settings.', 'Check DATABASE_URL.')];
    return [
      ...settingFindings(facts),
      clockFinding(facts.nowMs - (sentMs + Date.now()) / 2),
      await schemaFinding(server.url),
      await poolerFinding(db, server.url, facts),
    ];
  } catch (error) {
    return [connectionProblem(server.url, reasonOf(error))];
  } finally {
    await db.close();
    await server.stop();
  }
}

function connectionProblem(url: string, reason: string): Finding {
  const where = `PostgreSQL at ${URL.canParse(url) ? describeServer(url) : 'DATABASE_URL'}`;
  if (/unsupported startup parameter/.test(reason))
    return problem(
      `${where} is behind a pooler that refuses startup parameters: ${reason}.`,
      'Connect to PostgreSQL itself, or set ignore_startup_parameters and pool_mode = session in PgBouncer.',
    );
  return problem(`${where} cannot be used: ${reason}.`, 'Start it, or correct DATABASE_URL.');
}

/** Pure. */
export function settingFindings(facts: DatabaseFacts): Finding[] {
  const { version, encoding, timeZone, maxConnections, reservedConnections, sharedBufferBytes } = facts;
  const available = maxConnections - reservedConnections;
  const processes = Math.floor(available / CONNECTIONS_OF_PROCESS);
  const connections = `max_connections lets ${available} connections, for ${processes} processes at a time`;
  const restart = 'Raise max_connections: a process needs up to 24, and one more runs during a restart.';
  return [
    versionFinding(version),
    encoding === 'UTF8'
      ? ok('The encoding is UTF8.')
      : problem(`The encoding is ${encoding}: not every text can be stored.`, 'Create the database with UTF8.'),
    timeZone === 'UTC'
      ? ok('Connections have the time zone UTC.')
      : problem(`Connections have the time zone ${timeZone}.`, 'Let the pooler pass startup parameters on.'),
    processes < 2 ? warning(`${connections}.`, restart) : ok(`${connections}.`),
    sharedBufferBytes < SMALL_BUFFERS
      ? warning('shared_buffers is less than 128 MB.', 'Set it to a quarter of the memory of a machine of its own.')
      : ok(`shared_buffers is ${Math.round(sharedBufferBytes / 1024 ** 2)} MB.`),
  ];
}

/** Pure; the version is such as 180001. */
export function versionFinding(version: number): Finding {
  const name = `PostgreSQL ${Math.floor(version / 10_000)}.${version % 10_000}`;
  return version < OLDEST ? problem(`${name} is too old.`, 'Use PostgreSQL 18 or newer.') : ok(`${name}.`);
}

/** Pure; how far the clock of the database is ahead. */
export function clockFinding(skewMs: number): Finding {
  const seconds = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs < 0 ? 'behind' : 'ahead of'}`;
  const found = `The clock of the database is ${seconds} that of this machine.`;
  const advice = 'Synchronize the clocks of both machines by NTP.';
  if (Math.abs(skewMs) > MOST_SKEW_MS) return problem(found, advice);
  return Math.abs(skewMs) > NOTED_SKEW_MS ? warning(found, advice) : ok('The clocks of database and machine agree.');
}

async function schemaFinding(url: string): Promise<Finding> {
  try {
    const pending = pendingMigrations(await inspectSchema(url), await readMigrations(), readVersion());
    return pending.length === 0
      ? ok('The schema is that of this version.')
      : warning(
          `The schema is not that of this version: ${pending.length} migrations are not applied.`,
          'The next start migrates it; npm run admin -- preflight says what that does.',
        );
  } catch (error) {
    if (!(error instanceof UnusableSchemaError)) throw error;
    return problem(error.message, 'This version does not start with this database.');
  }
}

/** Whether a session that listens gets what another one sends, within three seconds. */
async function notificationArrives(db: Database, url: string): Promise<boolean> {
  const wakes = new EventEmitter();
  const log = createLogger({ level: 'silent' });
  const listener = new NotificationListener({ url, channel: PROBE_CHANNEL, log, wake: () => wakes.emit('wake') });
  try {
    // It wakes once when it listens.
    const [listens] = [once(wakes, 'wake', { signal: AbortSignal.timeout(NOTIFIED_MS) }), listener.start()];
    await listens;
    const arrives = once(wakes, 'wake', { signal: AbortSignal.timeout(NOTIFIED_MS) });
    await sendProbe(db, PROBE_CHANNEL);
    await arrives;
    return true;
  } catch {
    return false;
  } finally {
    await listener.stop();
  }
}

/** Notifications reach a session only where it keeps its connection, which a pooler of transactions takes away. */
async function poolerFinding(db: Database, url: string, { port }: DatabaseFacts): Promise<Finding> {
  const given = Number(new URL(url).port || 5432);
  const between =
    port !== null && port !== given ? ` Port ${given} leads to port ${port}: something is in between.` : '';
  return (await notificationArrives(db, url))
    ? ok(`Notifications of PostgreSQL arrive.${between}`)
    : problem(
        `Notifications of PostgreSQL do not arrive: live updates are late, and jobs start late.${between}`,
        'Connect to PostgreSQL itself, or use pool_mode = session.',
      );
}
