import { type Job, PgBoss } from 'pg-boss';
import type { AppError } from '../../kernel/errors.ts';
import type { Database, Transaction } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { withReconnect } from '../db/with-reconnect.ts';
import type { Logger } from '../log.ts';
import { type Attempt, Attempts, type Work } from './attempts.ts';
import { decideAfterFailure, type JobDefinition, type JobHandler } from './job.ts';

/** Jobs waiting and running, as of the last pass of a supervisor (about a second ago while a worker runs). */
export interface QueueDepth {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
}

/** Jobs of one kind that wait for a worker. */
export interface Backlog {
  readonly waiting: number;
  /** Those of which an attempt failed; they are tried again. */
  readonly failing: number;
  /** When the oldest began to wait, for its first attempt or another one, ISO 8601; null without one. */
  readonly oldestAt: string | null;
}

export interface SendOptions {
  /** Earliest start, in seconds from now. */
  readonly startAfterSeconds?: number;
  /** Jobs of a kind with a higher one are run first; default 0. */
  readonly priority?: number;
}

/** Background work, stored in PostgreSQL beside its data. */
export interface Jobs {
  /** What this process works on, for work that is no job: it is interrupted with the process, too. */
  readonly attempts: Pick<Attempts, 'begin' | 'isOpen'>;
  /** Adds a job inside the caller's transaction: it exists only if the transaction commits. */
  send<Payload extends object>(
    tx: Transaction,
    job: JobDefinition<Payload>,
    payload: Payload,
    options?: SendOptions,
  ): Promise<void>;
  /** Runs jobs of this kind here from now on. */
  work<Payload extends object>(handler: JobHandler<Payload>): Promise<void>;
  depths(): Promise<QueueDepth[]>;
  /** Jobs of a kind that wait, and how the attempts so far went. */
  backlog(job: JobDefinition<object>): Promise<Backlog>;
  /** Kinds of jobs that run in this process, with their numbers. */
  running(): Readonly<Record<string, number>>;
  start(): Promise<void>;
  /** Takes no more jobs and hands running ones to other workers, waiting at most `graceMs` for their handlers. */
  stop(options: { graceMs: number }): Promise<void>;
}

export interface JobsOptions {
  readonly url: string;
  readonly db: Database;
  readonly log: Logger;
  /** Whether this process works: workers look after lost jobs, other processes only send. */
  readonly worker: boolean;
}

/** Opens the queue; nothing happens before `start`. */
export function openJobs(options: JobsOptions): Jobs {
  return new PgBossJobs(options);
}

/** What is stored: failures are counted here, and interruptions by `Attempts`. */
interface Envelope<Payload> {
  readonly payload: Payload;
  readonly failures: number;
  /** Id of the job in all its attempts; absent in the first row of it, whose id it is. */
  readonly work?: string;
  /** Absent: 0. */
  readonly priority?: number;
}

const SUPERVISE_SECONDS = 1;
const POLL_SECONDS = 1;
const POLL_LOST_SECONDS = 5;
const KEEP_FINISHED_SECONDS = 24 * 3600;
/** Of pg-boss, for jobs whose worker was lost: no limit. */
const LOST_LIMIT = 1_000_000;
const BACKLOG = sql(
  'job_backlog',
  `select count(*)::int as waiting, count(*) filter (where (data ->> 'failures')::int > 0)::int as failing,
     min(created_on) as "oldestAt"
   from pgboss.job where name = $1 and state in ('created', 'retry')`,
);
const lostQueue = (name: string) => `${name}.lost`;
/** A handler that takes too long is stopped so long before pg-boss takes the job away. */
const EXPIRES_SECONDS = 5;

function workOf({ name }: JobDefinition<object>, { work, payload }: Envelope<object>): Work {
  return { work: `${name} ${work}`, subject: 'jobId' in payload ? String(payload.jobId) : null };
}

/**
 * pg-boss underneath. It notices a lost worker by the heartbeat and makes the job available again at once, without a
 * limit; how it goes on is decided by `Attempts`. Failures are settled here: the job is completed and sent again with a
 * delay in one transaction, fenced by the claim, so that a worker that lost its claim settles nothing.
 */
class PgBossJobs implements Jobs {
  readonly #boss: PgBoss;
  readonly #db: Database;
  readonly #log: Logger;
  readonly #queues = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  #working: string[] = [];
  readonly #running = new Map<string, number>();
  readonly attempts: Attempts;

  constructor({ url, db, log, worker }: JobsOptions) {
    this.#db = db;
    this.#log = log;
    this.attempts = new Attempts(db, log);
    this.#boss = new PgBoss({
      connectionString: url,
      application_name: 'reelgraph jobs',
      max: worker ? 4 : 2,
      schedule: false,
      supervise: worker,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      useListenNotify: worker,
    });
    this.#boss.on('error', (error) => this.#log.error({ error }, 'job queue error'));
    this.#boss.on('warning', ({ message, data }) => this.#log.warn({ data }, message));
  }

  start(): Promise<void> {
    return withReconnect(() => this.#startBoss(), { log: this.#log, step: 'job queue' });
  }

  /** Stop what a failed start had started: the next attempt would start it twice. */
  async #startBoss(): Promise<void> {
    try {
      await this.#boss.start();
    } catch (error) {
      await this.#boss.stop({ graceful: false }).catch(() => {});
      throw error;
    }
  }

  async send<Payload extends object>(
    tx: Transaction,
    job: JobDefinition<Payload>,
    payload: Payload,
    options: SendOptions = {},
  ): Promise<void> {
    await this.#ensureQueue(job);
    const { priority = 0, startAfterSeconds = 0 } = options;
    const envelope = { payload, failures: 0, ...(priority === 0 ? {} : { priority }) };
    await this.#sendEnvelope(tx, job, envelope, startAfterSeconds);
  }

  async work<Payload extends object>(handler: JobHandler<Payload>): Promise<void> {
    const { job } = handler;
    await withReconnect(() => this.#ensureQueue(job), { log: this.#log, step: `queue ${job.name}` });
    const every = (seconds: number) => ({ pollingIntervalSeconds: seconds, notifyPollingIntervalSeconds: seconds });
    this.#working.push(job.name, lostQueue(job.name));
    await this.#boss.work<Envelope<Payload>>(
      job.name,
      {
        ...every(POLL_SECONDS),
        localConcurrency: handler.concurrency ?? 1,
        heartbeatRefreshSeconds: job.heartbeatSeconds / 4,
      },
      // A batch has one job, the default of pg-boss.
      ([claimed]) => (claimed ? this.#counted(job.name, () => this.#perform(handler, claimed)) : Promise.resolve()),
    );
    // Jobs of earlier versions, which had a limit.
    await this.#boss.work<Envelope<Payload>>(lostQueue(job.name), every(POLL_LOST_SECONDS), async ([claimed]) => {
      if (claimed) await this.#db.transaction((tx) => this.#sendEnvelope(tx, job, claimed.data, 0));
    });
  }

  async depths(): Promise<QueueDepth[]> {
    const queues = await this.#boss.getQueues();
    return queues.map((queue) => ({ name: queue.name, waiting: queue.queuedCount, running: queue.activeCount }));
  }

  async backlog({ name }: JobDefinition<object>): Promise<Backlog> {
    return (await this.#db.first<Backlog>(BACKLOG, [name])) ?? { waiting: 0, failing: 0, oldestAt: null };
  }

  running(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#running);
  }

  async stop({ graceMs }: { graceMs: number }): Promise<void> {
    // Stop fetching before the abort: a released job must not return to this worker.
    await Promise.all(this.#working.map((name) => this.#boss.offWork(name, { wait: false })));
    this.#stopping.abort(new Error('the worker is stopping'));
    await this.#boss.stop({ graceful: true, timeout: graceMs });
    await this.attempts.stop();
  }

  async #counted(name: string, work: () => Promise<void>): Promise<void> {
    this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
    try {
      await work();
    } finally {
      const left = (this.#running.get(name) ?? 1) - 1;
      if (left === 0) this.#running.delete(name);
      else this.#running.set(name, left);
    }
  }

  async #perform<Payload extends object>(handler: JobHandler<Payload>, claimed: Job<Envelope<Payload>>): Promise<void> {
    const { job } = handler;
    const envelope = { ...claimed.data, work: claimed.data.work ?? claimed.id };
    const { payload, failures } = envelope;
    const work = workOf(job, envelope);
    const begun = await this.attempts
      .begin(work, AbortSignal.any([claimed.signal, this.#stopping.signal]))
      .catch(async (error: unknown) => {
        if (!this.#stopping.signal.aborted) throw error;
        await this.#sendAgain(job, claimed, envelope, 0);
      });
    if (!begun) return;
    if (begun.kind === 'wait') return this.#sendAgain(job, claimed, envelope, begun.afterSeconds);
    if (begun.kind === 'give-up') return this.#giveUp(handler, payload, begun.reason);
    const { attempt } = begun;
    const tooLong = AbortSignal.timeout(Math.max(1, job.expireInSeconds - EXPIRES_SECONDS) * 1_000);
    const signal = AbortSignal.any([claimed.signal, this.#stopping.signal, tooLong]);
    try {
      signal.throwIfAborted();
      await handler.handle(payload, { signal, attempt: failures + attempt.interruptions + 1 });
      await attempt.end('DONE');
    } catch (error) {
      await this.#settleFailure(handler, claimed, envelope, attempt, error);
    }
  }

  async #settleFailure<Payload extends object>(
    handler: JobHandler<Payload>,
    claimed: Job<Envelope<Payload>>,
    envelope: Envelope<Payload>,
    attempt: Attempt,
    error: unknown,
  ): Promise<void> {
    const { payload, failures } = envelope;
    if (claimed.signal.aborted || this.#stopping.signal.aborted) await attempt.end('RETURNED');
    // The claim is gone: another worker has the job, and this one settles nothing.
    if (claimed.signal.aborted) throw error;
    if (this.#stopping.signal.aborted) return this.#sendAgain(handler.job, claimed, envelope, 0);
    const decision = decideAfterFailure(error, failures, handler.job.retryLimit);
    await attempt.end(decision.kind === 'give-up' ? 'DONE' : 'FAILED');
    if (decision.kind === 'give-up') return this.#giveUp(handler, payload, decision.reason);
    const { afterSeconds, counted } = decision;
    const next = counted ? { ...envelope, failures: failures + 1 } : envelope;
    const facts = { error, job: handler.job.name, id: claimed.id, failures: next.failures, afterSeconds };
    this.#log.warn(facts, counted ? 'job failed, will be retried' : 'job waits for storage space');
    await this.#sendAgain(handler.job, claimed, next, afterSeconds);
  }

  async #giveUp<Payload extends object>(
    handler: JobHandler<Payload>,
    payload: Payload,
    reason: AppError,
  ): Promise<void> {
    this.#log.warn({ error: reason, job: handler.job.name }, 'job failed for good');
    await handler.giveUp(payload, reason);
  }

  async #sendAgain<Payload extends object>(
    job: JobDefinition<Payload>,
    claimed: Job<Envelope<Payload>>,
    envelope: Envelope<Payload>,
    afterSeconds: number,
  ): Promise<void> {
    await this.#db.transaction(async (tx) => {
      // `affected` is missing in the published type of the answer.
      const settled = (await this.#boss.complete(job.name, claimed, null, { db: tx })) as { affected?: number };
      if (settled.affected === 1) await this.#sendEnvelope(tx, job, envelope, afterSeconds);
    });
  }

  async #sendEnvelope<Payload extends object>(
    tx: Transaction,
    job: JobDefinition<Payload>,
    envelope: Envelope<Payload>,
    startAfter: number,
  ): Promise<void> {
    const { priority } = envelope;
    await this.#boss.send(job.name, envelope, {
      db: tx,
      ...(startAfter > 0 ? { startAfter } : {}),
      ...(priority === undefined ? {} : { priority }),
    });
  }

  #ensureQueue<Payload extends object>(job: JobDefinition<Payload>): Promise<void> {
    let ready = this.#queues.get(job.name);
    if (!ready) {
      ready = this.#createQueue(job);
      this.#queues.set(job.name, ready);
      ready.catch(() => this.#queues.delete(job.name));
    }
    return ready;
  }

  async #createQueue<Payload extends object>(job: JobDefinition<Payload>): Promise<void> {
    const lost = lostQueue(job.name);
    await this.#boss.createQueue(lost, {
      retryLimit: 100,
      retryDelay: 5,
      retryBackoff: true,
      retryDelayMax: 300,
      notify: true,
    });
    const settings = {
      retryLimit: LOST_LIMIT,
      retryDelay: 0,
      retryBackoff: false,
      heartbeatSeconds: job.heartbeatSeconds,
      expireInSeconds: job.expireInSeconds,
      deleteAfterSeconds: KEEP_FINISHED_SECONDS,
      deadLetter: lost,
      notify: true,
    };
    await this.#boss.createQueue(job.name, settings);
    await this.#boss.updateQueue(job.name, settings); // an older version may have created it with other settings
  }
}
