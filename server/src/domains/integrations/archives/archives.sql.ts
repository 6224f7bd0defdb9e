/** SQL: whether the row is the archive that the account (as SQL) requested last. */
export function isLatestArchive(row: string, accountId: string): string {
  return (
    `${row}.id = (select x.id from account_archives x where x.account_id = ${accountId} ` +
    'order by x.created_at desc, x.id desc limit 1)'
  );
}
