import type { Transaction } from './database.ts';
import { sql } from './statement.ts';

const UNLIMITED = sql('unlimited', 'set local statement_timeout = 0');

/** Removes the statement timeout from a transaction: commands of the operator run as long as they need. */
export async function unlimited(tx: Transaction): Promise<void> {
  await tx.run(UNLIMITED, []);
}
