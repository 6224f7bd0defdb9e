import type { CheckResult, SandboxHealth, WorkerHealth } from '../../../platform/health/health.ts';
import type { Backlog } from '../../../platform/jobs/jobs.ts';
import type { SpaceReading } from '../../../platform/storage/storage-space.ts';

/** Parts of a server that operators look after. */
export const CHECKED = {
  DATABASE: 'PostgreSQL and its schema.',
  OBJECT_STORE: 'The storage of files.',
  DISK_SPACE: 'Free space of that storage.',
  WORKERS: 'Processes that do the work in the background.',
  SANDBOX: 'Isolation of the programs that read media.',
  MAIL: 'Delivery of messages.',
} as const;

/** The state of a part, in words, and what to do about it. */
export interface ServerCheck {
  readonly part: keyof typeof CHECKED;
  /** WARNING: it works with limits. ERROR: it does not work. */
  readonly state: 'OK' | 'WARNING' | 'ERROR';
  readonly message: string;
  /** Null where nothing is to be done. */
  readonly fix: string | null;
}

/** What is known about a server. */
export interface ServerFacts {
  /** As `/readyz` shows them. */
  readonly checks: Readonly<Record<string, CheckResult>>;
  readonly space: SpaceReading | null;
  readonly storedBytes: number;
  readonly workers: readonly Pick<WorkerHealth, 'host' | 'sandbox'>[];
  readonly sandbox: SandboxHealth | null;
  readonly transport: 'FOLDER' | 'SMTP';
  readonly mail: Backlog;
  readonly jobsWaiting: number;
}

type Judged = Omit<ServerCheck, 'part'>;

const ok = (message: string): Judged => ({ state: 'OK', message, fix: null });

/** The state of every part, in the order of CHECKED. Pure. */
export function serverChecks(facts: ServerFacts): ServerCheck[] {
  return [
    { part: 'DATABASE', ...databaseCheck(facts) },
    { part: 'OBJECT_STORE', ...storeCheck(facts) },
    { part: 'DISK_SPACE', ...spaceCheck(facts) },
    { part: 'WORKERS', ...workersCheck(facts) },
    { part: 'SANDBOX', ...sandboxCheck(facts) },
    { part: 'MAIL', ...mailCheck(facts) },
  ];
}

function databaseCheck({ checks }: ServerFacts): Judged {
  if (checks.migrations?.ok === false)
    return {
      state: 'ERROR',
      message: 'The schema of the database is not that of this version.',
      fix: 'Restart all processes with the same version; the first one to start migrates the database.',
    };
  if (checks.database?.ok === false || checks.jobQueue?.ok === false)
    return {
      state: 'ERROR',
      message: 'The database or its job queue did not respond within 3 seconds.',
      fix: 'Look at the load of the database and at its log; the log of this server has the reason.',
    };
  return ok(`Responds in ${checks.database?.ms ?? 0} ms.`);
}

function storeCheck({ checks }: ServerFacts): Judged {
  if (checks.objectStore?.ok !== false) return ok('Files can be written and deleted.');
  return {
    state: 'ERROR',
    message: 'A file could not be written: uploads and processing fail.',
    fix: 'Check STORAGE and its credentials, and the permissions of DATA_DIR; the log of this server has the reason.',
  };
}

/** Below this share of the capacity, storage should be added. */
const LOW_SHARE = 0.1;

function spaceCheck({ space, storedBytes }: ServerFacts): Judged {
  if (!space) return ok('The storage has no known limit.');
  const free = space.kind === 'disk' ? space.freeBytes - space.reserveBytes : space.totalBytes - storedBytes;
  if (free <= 0)
    return {
      state: 'ERROR',
      message: 'The storage is full: uploads are refused until there is space.',
      fix: 'Delete contents or originals, add storage, or raise STORAGE_CAPACITY. Storage shows what needs space.',
    };
  if (free < LOW_SHARE * space.totalBytes)
    return {
      state: 'WARNING',
      message: 'Less than a tenth of the storage is free.',
      fix: 'Add storage soon; uploads are refused when it is full.',
    };
  return ok(`${Math.round((100 * free) / space.totalBytes)} % of the storage is free.`);
}

function workersCheck({ workers, jobsWaiting }: ServerFacts): Judged {
  if (workers.length > 0) return ok(workers.length === 1 ? 'One worker runs.' : `${workers.length} workers run.`);
  return {
    state: 'ERROR',
    message: `No worker runs: nothing is processed, and no mail is sent. Waiting jobs of videos: ${jobsWaiting}.`,
    fix: 'Start one with npm start -- --role worker, or without --role in the same process.',
  };
}

function sandboxCheck({ workers, sandbox }: ServerFacts): Judged {
  const states = [
    ...workers.map((worker) => worker.sandbox),
    ...(sandbox ? [{ state: sandbox.state, ...sandbox.details }] : []),
  ];
  const worst = states.find(({ state }) => state === 'refusing') ?? states.find(({ state }) => state === 'incomplete');
  if (!worst) return ok('Programs that read media are isolated completely.');
  const fix = [...worst.advice, 'Run reelgraph doctor on the machine; the guide to self-hosting explains it.'].join(
    ' ',
  );
  return worst.state === 'refusing'
    ? { state: 'ERROR', message: 'No media is processed: SANDBOX=require needs more isolation than there is.', fix }
    : { state: 'WARNING', message: 'Programs that read media are isolated incompletely.', fix };
}

function mailCheck({ transport, mail }: ServerFacts): Judged {
  if (mail.failing > 0)
    return {
      state: 'ERROR',
      message: `${count(mail.failing)} could not be delivered yet and will be retried for a day.`,
      fix:
        transport === 'SMTP'
          ? 'Check SMTP_URL and the mail server; the log of the workers has its answer.'
          : 'Check the permissions of the folder mail in DATA_DIR.',
    };
  if (transport === 'FOLDER')
    return {
      state: 'WARNING',
      message: 'Messages are written to a folder: nobody gets mail.',
      fix: 'Set MAIL=smtp and SMTP_URL, or pass messages on from the page Mail.',
    };
  return ok(mail.waiting === 0 ? 'Messages are sent by SMTP.' : `Sent by SMTP; ${count(mail.waiting)} wait.`);
}

function count(messages: number): string {
  return messages === 1 ? 'One message' : `${messages} messages`;
}
