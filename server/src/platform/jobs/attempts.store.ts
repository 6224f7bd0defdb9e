import type { Executor } from '../db/database.ts';
import { sql } from '../db/statement.ts';
import { SUSPICIOUS_DEATHS } from './interruptions.ts';

/** A process writes that it runs this often. */
export const SEEN_MS = 2_000;
/** A process that was not seen for this long has died. Leases and heartbeats of its work end later. */
const UNSEEN = `interval '6 seconds'`;
const KEPT = `interval '25 hours'`;

const SEE = sql(
  'see_work_process',
  `with gone as (delete from work_processes where seen_at < now() - ${KEPT}),
     ended as (delete from work_attempts where ended_at < now() - ${KEPT}),
     forgotten as (delete from interrupted_work where last_at < now() - 2 * ${KEPT})
   insert into work_processes (id) values ($1) on conflict (id) do update set seen_at = now()`,
);

/** Writes that a process runs. */
export async function seeProcess(db: Executor, processId: string): Promise<void> {
  await db.run(SEE, [processId]);
}

const STOP = sql('stop_work_process', 'update work_processes set seen_at = now(), has_stopped = true where id = $1');

/** Writes that a process has stopped, which is no interruption. */
export async function stopProcess(db: Executor, processId: string): Promise<void> {
  await db.run(STOP, [processId]);
}

/** How the state of interrupted work is called: tried again; set apart; tried alone. */
export type InterruptedState = 'AGAIN' | 'APART' | 'ALONE';

/** What is known of work before an attempt at it. */
export interface PastOfWork {
  /** Attempts that others began and nobody ended, which are settled now. */
  readonly lost: number;
  /** Those of them whose process died. */
  readonly died: number;
  /** Null where it was not interrupted before. */
  readonly state: InterruptedState | null;
  /** With those that were settled before. */
  readonly interruptions: number;
  readonly deaths: number;
  /** Since the first interruption and since the last one; 0 without. */
  readonly sinceMs: number;
  readonly pausedMs: number;
}

const PAST = sql(
  'past_of_work',
  `with lost as (
     update work_attempts a set
       ended_at = case when p.seen_at < now() - ${UNSEEN} then p.seen_at else now() end,
       outcome = case when p.seen_at < now() - ${UNSEEN} and not p.has_stopped then 'DIED' else 'LOST' end
     from work_processes p where a.work = $1 and a.outcome is null and p.id = a.process_id
     returning a.outcome
   )
   select count(lost.outcome)::int as lost, (count(*) filter (where lost.outcome = 'DIED'))::int as died, i.state,
     coalesce(i.interruptions, 0) as interruptions, coalesce(i.deaths, 0) as deaths,
     coalesce(1000 * extract(epoch from now() - i.first_at), 0)::float8 as "sinceMs",
     coalesce(1000 * extract(epoch from now() - i.last_at), 0)::float8 as "pausedMs"
   from (values (1)) one left join lost on true left join interrupted_work i on i.work = $1
   group by i.work`,
);

/** Settles the attempts at some work that were interrupted, and returns what is known of it. */
export async function pastOfWork(db: Executor, work: string): Promise<PastOfWork> {
  const past = await db.first<PastOfWork>(PAST, [work]);
  if (!past) throw new Error('the attempts could not be read');
  return past;
}

const WRITE = sql(
  'write_interrupted_work',
  `insert into interrupted_work (work, subject, interruptions, deaths, first_at, last_at, state)
   values ($1, $2, $3, $4, now(), now(), $5)
   on conflict (work) do update set interruptions = excluded.interruptions, deaths = excluded.deaths,
     state = excluded.state, last_at = now(),
     first_at = case when excluded.interruptions = 1 then now() else interrupted_work.first_at end`,
);

/** Writes what becomes of work that was interrupted. */
export async function writeInterrupted(
  db: Executor,
  { work, subject }: { readonly work: string; readonly subject: string | null },
  { interruptions, deaths }: Pick<PastOfWork, 'interruptions' | 'deaths'>,
  state: InterruptedState,
): Promise<void> {
  await db.run(WRITE, [work, subject, interruptions, deaths, state]);
}

const SET_STATE = sql('set_interrupted_state', 'update interrupted_work set state = $2 where work = $1');

export async function setInterruptedState(db: Executor, work: string, state: InterruptedState): Promise<void> {
  await db.run(SET_STATE, [work, state]);
}

const SURVIVED = sql(
  'others_survived',
  `with deaths as (
     select a.ended_at as at from work_attempts a where a.work = $1 and a.outcome = 'DIED'
     order by a.started_at desc limit ${SUSPICIOUS_DEATHS}
   ),
   since as (select min(at) as at from deaths)
   select exists (
     select from work_processes p, since where p.seen_at > since.at
       and not exists (select from work_attempts a where a.work = $1 and a.process_id = p.id)
       and (exists (select from deaths d where p.started_at < d.at and p.seen_at > d.at + ${UNSEEN})
         or p.seen_at - greatest(p.started_at, since.at) > $2 * interval '1 second')
   ) or exists (
     select from work_attempts o, since where o.work <> $1 and o.outcome in ('DONE', 'FAILED') and o.ended_at > since.at
       and not exists (select from work_attempts a where a.work = $1 and a.process_id = o.process_id
         and a.started_at < o.ended_at and coalesce(a.ended_at, 'infinity') > o.ended_at)
   ) as survived`,
);

/**
 * Whether something else survived one of the last three deaths of the processes that worked on some work, or went on
 * without it since: a process that did not work on it and outlived one of them or ran for `quietSeconds`, or work that
 * has ended while this was not running beside it.
 */
export async function haveOthersSurvived(db: Executor, work: string, quietSeconds: number): Promise<boolean> {
  return (await db.first<{ survived: boolean }>(SURVIVED, [work, quietSeconds]))?.survived ?? false;
}

const DEATHS = sql(
  'recent_deaths',
  `select 1 from work_processes where not has_stopped and seen_at < now() - ${UNSEEN}
     and seen_at > now() - $1 * interval '1 second' limit 1`,
);

/** Whether a process has died in the last seconds. */
export async function hasAnyDied(db: Executor, seconds: number): Promise<boolean> {
  return (await db.first(DEATHS, [seconds])) !== null;
}

const BEGIN = sql(
  'begin_work_attempt',
  `with process as (
     insert into work_processes (id) values ($3) on conflict (id) do update set seen_at = now() returning id
   )
   insert into work_attempts (id, work, process_id) select $1, $2, id from process`,
);

/** Writes that a process begins to work on something. */
export async function beginAttempt(db: Executor, id: string, work: string, processId: string): Promise<void> {
  await db.run(BEGIN, [id, work, processId]);
}

/** How an attempt ended: the work is done or given up; it failed and may be tried again; it was handed back. */
export type AttemptOutcome = 'DONE' | 'FAILED' | 'RETURNED';

const END = sql(
  'end_work_attempt',
  `with ended as (
     update work_attempts set ended_at = now(), outcome = $2 where id = $1 and outcome is null returning work
   ),
   done as (delete from interrupted_work i using ended where i.work = ended.work and $2 = 'DONE')
   update interrupted_work i set deaths = 0, state = 'AGAIN' from ended where i.work = ended.work and $2 = 'FAILED'`,
);

/** Writes how an attempt ended. A failure shows that the process survives the work. */
export async function endAttempt(db: Executor, id: string, outcome: AttemptOutcome): Promise<void> {
  await db.run(END, [id, outcome]);
}

const CONVICT = sql(
  'end_interrupted_work',
  `with found as (delete from interrupted_work where work = $1 returning state),
   deaths as (select process_id from work_attempts where work = $1 and outcome = 'DIED')
   update interrupted_work i set deaths = 0, state = 'AGAIN'
   where $2 and i.work <> $1 and exists (select from work_attempts a join deaths d on d.process_id = a.process_id
     where a.work = i.work and a.outcome = 'DIED')`,
);

/** Forgets work that is given up. Where it ended its processes, what else they worked on is not suspected any more. */
export async function endInterrupted(db: Executor, work: string, endedItsProcesses: boolean): Promise<void> {
  await db.run(CONVICT, [work, endedItsProcesses]);
}
