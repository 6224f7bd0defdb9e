import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { ATTEMPT_LIMITS, type AttemptKind } from './attempt.policy.ts';

/** A counter: its kind, and the HMAC of its subject. */
export interface Counter {
  readonly kind: AttemptKind;
  readonly subject: Buffer;
}

// One statement counts and decides, so that concurrent attempts on several instances cannot exceed the limit.
const TAKE = sql(
  'take_attempt',
  `insert into attempt_counters as c (kind, subject, attempts, blocked_until, expires_at)
   values ($1, $2, 1, '-infinity', $3::timestamptz + make_interval(secs => $7))
   on conflict (kind, subject) do update set
     attempts = case when c.expires_at <= $3 then 1 else c.attempts + 1 end,
     blocked_until = case when c.expires_at > $3 and c.attempts + 1 >= $4::int
       then $3 + make_interval(secs => least($6::float8, $5::float8 * 2 ^ least(c.attempts + 1 - $4::int, 30)))
         else '-infinity' end,
     expires_at = excluded.expires_at
   where c.blocked_until <= $3 or c.expires_at <= $3
   returning attempts`,
);
const BLOCKED = sql(
  'blocked_until',
  'select blocked_until as until from attempt_counters where kind = $1 and subject = $2',
);
const GIVE_BACK = sql(
  'refund_attempt',
  `update attempt_counters set attempts = greatest(attempts - 1, 0),
     blocked_until = case when attempts - 1 < $3::int then '-infinity' else blocked_until end
   where kind = $1 and subject = $2`,
);
const CLEAR = sql('clear_attempts', 'delete from attempt_counters where kind = $1 and subject = $2');
const FORGET = sql('delete_expired_attempts', 'delete from attempt_counters where expires_at <= $1');

/** Counts an attempt and returns how many there were; null, without counting, when it is not allowed now. */
export async function takeAttempt(db: Executor, { kind, subject }: Counter, nowIso: string): Promise<number | null> {
  const { free, firstWaitSeconds, longestWaitSeconds, forgetSeconds } = ATTEMPT_LIMITS[kind];
  const values = [kind, subject, nowIso, free, firstWaitSeconds, longestWaitSeconds, forgetSeconds];
  return (await db.first<{ attempts: number }>(TAKE, values))?.attempts ?? null;
}

/** Until when no attempt is allowed; null when one is. */
export async function blockedUntil(db: Executor, { kind, subject }: Counter): Promise<string | null> {
  return (await db.first<{ until: string }>(BLOCKED, [kind, subject]))?.until ?? null;
}

/** Removes one attempt. */
export async function giveBackAttempt(db: Executor, { kind, subject }: Counter): Promise<void> {
  await db.run(GIVE_BACK, [kind, subject, ATTEMPT_LIMITS[kind].free]);
}

/** Resets the counter. */
export async function clearAttempts(db: Executor, { kind, subject }: Counter): Promise<void> {
  await db.run(CLEAR, [kind, subject]);
}

/** Deletes expired counters. */
export async function forgetAttempts(db: Executor, nowIso: string): Promise<void> {
  await db.run(FORGET, [nowIso]);
}
