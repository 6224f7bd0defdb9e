const TRANSITION = {
  insert: 'new table as new_rows',
  update: 'old table as old_rows new table as new_rows',
  delete: 'old table as old_rows',
} as const;

export type Write = keyof typeof TRANSITION;

/** SQL of a statement trigger that sees the rows of the write in new_rows and old_rows. */
export function statementTrigger(name: string, table: string, write: Write, execute: string): string {
  return (
    `create or replace trigger ${name} after ${write} ` +
    `on ${table} referencing ${TRANSITION[write]}\n  for each statement execute function ${execute}();`
  );
}
