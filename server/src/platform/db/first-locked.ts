import type { Executor } from './database.ts';
import type { Statement } from './statement.ts';

/**
 * The first row of a statement that locks rows and asks other tables about them. Runs it twice: PostgreSQL answers
 * subqueries of a statement that waited for a lock as of its beginning, so only the second run sees what the first one
 * waited for (PostgreSQL documentation, 13.2.1 Read Committed Isolation Level).
 */
export async function firstLocked<Row extends object>(
  tx: Executor,
  statement: Statement,
  params: readonly unknown[],
): Promise<Row | null> {
  await tx.run(statement, params);
  return tx.first<Row>(statement, params);
}
