/** SQL: whether the account has a connection to YouTube that works. */
export function hasWorkingConnection(accountId: string): string {
  return `exists (select 1 from youtube_connections y where y.account_id = ${accountId} and y.broken_at is null)`;
}
