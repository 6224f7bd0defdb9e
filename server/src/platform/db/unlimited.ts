import type { Transaction } from './database.ts';
import { sql } from './statement.ts';

const UNLIMITED = sql('unlimited', 'set local statement_timeout = 0');

/** Removes the statement timeout from a transaction: for commands of the operator. */
export async function unlimited(tx: Transaction): Promise<void> {
  await tx.run(UNLIMITED, []);
}
