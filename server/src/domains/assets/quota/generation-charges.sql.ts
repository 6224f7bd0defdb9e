/** SQL: credits that enhancements took from the account in the month of the instant (both given as SQL). */
export function spentCreditsOf(accountId: string, at: string): string {
  return `counter_value('generation:' || to_char(${at} at time zone 'UTC', 'YYYY-MM'), ${accountId})`;
}

/**
 * SQL that refunds the credits of enhancements without a result. `ended`: a relation of jobs that failed or were
 * cancelled, with their `id`.
 */
export function refundCredits(ended: string): string {
  return `delete from generation_charges g using ${ended} where g.job_id = ${ended}.id`;
}
