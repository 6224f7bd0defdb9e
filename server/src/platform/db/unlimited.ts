import type { Transaction } from './database.ts';
import { sql } from './statement.ts';

const UNLIMITED = sql('unlimited', 'set local statement_timeout = 0');

/** Lifts the time limit from the statements of a transaction: what an operator starts goes on for as long as it needs. */
export async function unlimited(tx: Transaction): Promise<void> {
  await tx.run(UNLIMITED, []);
}
