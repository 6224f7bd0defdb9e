/**
 * SQL of the number of rows of a table that the condition holds for, as a list's `total`.
 * @param most Where counting stops; everything is counted if omitted.
 */
export function countRows(table: string, where: (row: string) => string, most?: number): string {
  return most === undefined
    ? `(select count(*) from ${table} n where ${where('n')})`
    : `(select count(*) from (select 1 from ${table} n where ${where('n')} limit ${most}) counted)`;
}
