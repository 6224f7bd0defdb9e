import type { Readiness, SandboxHealth, WorkerHealth } from '../../../platform/health/health.ts';
import type { Backlog, QueueDepth } from '../../../platform/jobs/jobs.ts';
import { sendMailJob } from '../../../platform/mail/send-mail.job.ts';
import type { Platform } from '../../../platform/platform.ts';
import { runningWorkers } from '../../../platform/running-workers.ts';
import { readStorage } from '../../assets/index.ts';
import { countServer, type ServerCounts } from './counts.store.ts';
import { type ServerCheck, serverChecks } from './server-checks.ts';

/** Workers that are shown. */
export const MOST_WORKERS = 100;

/** What this process knows of its health; the same that `/readyz` shows. */
export interface OwnHealth {
  readonly readiness: () => Promise<Readiness>;
  /** Null where nothing isolates media tools. */
  readonly sandbox: () => SandboxHealth | null;
}

interface RunningWork {
  readonly name: string;
  readonly count: number;
}

/** The state of a server, as operators see it. */
export interface ServerStatus {
  readonly version: string;
  readonly checks: readonly ServerCheck[];
  readonly counts: ServerCounts & { readonly storedBytes: number };
  readonly workers: readonly {
    readonly host: string;
    readonly seenAt: string;
    readonly sandbox: string;
    readonly running: readonly RunningWork[];
  }[];
  readonly queues: readonly QueueDepth[];
  readonly mail: Backlog & { readonly transport: 'FOLDER' | 'SMTP' };
  readonly space: { readonly totalBytes: number; readonly freeBytes: number } | null;
}

type Needs = Pick<Platform, 'config' | 'db' | 'jobs' | 'space' | 'clock'>;

/** Reads the state of the server: from its health checks, the queue and the tables. */
export async function readServerStatus(platform: Needs, health: OwnHealth, version: string): Promise<ServerStatus> {
  const { config, db, jobs, clock } = platform;
  const [{ checks }, counts, { total }, workers, queues, mail, space] = await Promise.all([
    health.readiness(),
    countServer(db, new Date(clock.now()).toISOString()),
    readStorage(db, 0),
    runningWorkers<WorkerHealth['sandbox']>(db),
    jobs.depths(),
    jobs.backlog(sendMailJob),
    platform.space.read(),
  ]);
  const storedBytes = total.totalBytes;
  const transport = config.MAIL === 'smtp' ? 'SMTP' : 'FOLDER';
  const { jobsWaiting } = counts;
  const sandbox = health.sandbox();
  return {
    version,
    checks: serverChecks({ checks, space, storedBytes, workers, sandbox, transport, mail, jobsWaiting }),
    counts: { ...counts, storedBytes },
    workers: workers.slice(0, MOST_WORKERS).map(({ host, seenAt, sandbox: { state }, running }) => ({
      host,
      seenAt,
      sandbox: state.toUpperCase(),
      running: Object.entries(running).map(([name, count]) => ({ name, count })),
    })),
    queues: queues.filter(({ waiting, running }) => waiting + running > 0),
    mail: { transport, ...mail },
    space: space && {
      totalBytes: space.totalBytes,
      freeBytes: space.kind === 'disk' ? space.freeBytes : Math.max(0, space.totalBytes - storedBytes),
    },
  };
}
