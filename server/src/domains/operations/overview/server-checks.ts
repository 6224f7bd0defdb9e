import { plural, sentences, type Text, t, textOf } from '../../../kernel/languages/message.ts';
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
  readonly message: Text;
  /** Null where nothing is to be done. */
  readonly fix: Text | null;
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

const ok = (message: Text): Judged => ({ state: 'OK', message, fix: null });

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
      message: t`The schema of the database is not that of this version.`,
      fix: t`Restart all processes with the same version; the first one to start migrates the database.`,
    };
  if (checks.database?.ok === false || checks.jobQueue?.ok === false)
    return {
      state: 'ERROR',
      message: t`The database or its job queue did not respond within 3 seconds.`,
      fix: t`Look at the load of the database and at its log; the log of this server has the reason.`,
    };
  return ok(t`Responds in ${checks.database?.ms ?? 0} ms.`);
}

function storeCheck({ checks }: ServerFacts): Judged {
  if (checks.objectStore?.ok !== false) return ok(t`Files can be written and deleted.`);
  return {
    state: 'ERROR',
    message: t`A file could not be written: uploads and processing fail.`,
    fix: t`Check STORAGE and its credentials, and the permissions of DATA_DIR; the log of this server has the reason.`,
  };
}

/** Below this share of the capacity, storage should be added. */
const LOW_SHARE = 0.1;

function spaceCheck({ space, storedBytes }: ServerFacts): Judged {
  if (!space) return ok(t`The storage has no known limit.`);
  const free = space.kind === 'disk' ? space.freeBytes - space.reserveBytes : space.totalBytes - storedBytes;
  if (free <= 0)
    return {
      state: 'ERROR',
      message: t`The storage is full: uploads are refused until there is space.`,
      fix: t`Delete contents or originals, add storage, or raise STORAGE_CAPACITY. Storage shows what needs space.`,
    };
  if (free < LOW_SHARE * space.totalBytes)
    return {
      state: 'WARNING',
      message: t`Less than a tenth of the storage is free.`,
      fix: t`Add storage soon; uploads are refused when it is full.`,
    };
  return ok(t`${Math.round((100 * free) / space.totalBytes)} % of the storage is free.`);
}

function workersCheck({ workers, jobsWaiting }: ServerFacts): Judged {
  if (workers.length > 0) return ok(t`${plural(workers.length, { one: 'One worker runs', other: '# workers run' })}.`);
  return {
    state: 'ERROR',
    message: t`No worker runs: nothing is processed, and no mail is sent. Waiting jobs of videos: ${jobsWaiting}.`,
    fix: t`Start one with npm start -- --role worker, or without --role in the same process.`,
  };
}

function sandboxCheck({ workers, sandbox }: ServerFacts): Judged {
  const states = [
    ...workers.map((worker) => worker.sandbox),
    ...(sandbox ? [{ state: sandbox.state, ...sandbox.details }] : []),
  ];
  const worst = states.find(({ state }) => state === 'refusing') ?? states.find(({ state }) => state === 'incomplete');
  if (!worst) return ok(t`Programs that read media are isolated completely.`);
  const { advice } = worst;
  const doctor = t`Run reelgraph doctor on the machine; the guide to self-hosting explains it.`;
  const fix = sentences(...advice.map(textOf), doctor);
  return worst.state === 'refusing'
    ? { state: 'ERROR', message: t`No media is processed: SANDBOX=require needs more isolation than there is.`, fix }
    : { state: 'WARNING', message: t`Programs that read media are isolated incompletely.`, fix };
}

function mailCheck({ transport, mail }: ServerFacts): Judged {
  if (mail.failing > 0)
    return {
      state: 'ERROR',
      message: t`${plural(mail.failing, { one: 'One message', other: '# messages' })} could not be delivered yet and
        will be retried for a day.`,
      fix:
        transport === 'SMTP'
          ? t`Check SMTP_URL and the mail server; the log of the workers has its answer.`
          : t`Check the permissions of the folder mail in DATA_DIR.`,
    };
  if (transport === 'FOLDER')
    return {
      state: 'WARNING',
      message: t`Messages are written to a folder: nobody gets mail.`,
      fix: t`Set MAIL=smtp and SMTP_URL, or pass messages on from the page Mail.`,
    };
  return ok(
    mail.waiting === 0
      ? t`Messages are sent by SMTP.`
      : t`Sent by SMTP; ${plural(mail.waiting, { one: 'One message', other: '# messages' })} wait.`,
  );
}
