import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { spentCreditsOf } from './generation-charges.sql.ts';

const SPENT = sql('spent_credits', `select ${spentCreditsOf('$1', '$2::timestamptz')} as spent`);

/** Credits that enhancements took from the account in the month of `now` (ISO 8601). */
export async function spentCredits(tx: Executor, accountId: string, now: string): Promise<number> {
  return (await tx.first<{ spent: number }>(SPENT, [accountId, now]))?.spent ?? 0;
}

const CHARGE = sql(
  'charge_credits',
  'insert into generation_charges (job_id, account_id, month, credits) values ($1, $2, $3, $4)',
);

/** Credits that a job takes from an account. `month` is its first day. */
export interface GenerationCharge {
  readonly jobId: string;
  readonly accountId: string;
  readonly month: string;
  readonly credits: number;
}

/** Takes the credits of a job; one that ends without a result refunds them (`refundCredits`). */
export async function insertCharge(
  tx: Executor,
  { jobId, accountId, month, credits }: GenerationCharge,
): Promise<void> {
  await tx.run(CHARGE, [jobId, accountId, month, credits]);
}

const MOVE = sql('move_credits', 'update generation_charges set job_id = $2 where job_id = $1');

/** Has a job keep the credits that another one took, whose result it makes again. */
export async function moveCharge(tx: Executor, fromJobId: string, toJobId: string): Promise<void> {
  await tx.run(MOVE, [fromJobId, toJobId]);
}

const REFUND = sql('refund_credits', 'delete from generation_charges where job_id = $1');

/** Refunds the credits of a job that gained nothing. */
export async function refundCharge(tx: Executor, jobId: string): Promise<void> {
  await tx.run(REFUND, [jobId]);
}
