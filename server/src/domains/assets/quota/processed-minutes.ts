/** SQL: milliseconds of video processed for the account in the month of the instant (both given as SQL). */
export function processedMsOf(accountId: string, at: string): string {
  return `counter_value('minutes:' || to_char(${at} at time zone 'UTC', 'YYYY-MM'), ${accountId})`;
}
