import type { Executor } from '../../../platform/db/database.ts';
import type { Statement } from '../../../platform/db/statement.ts';

/**
 * Records uses of credentials without a recorded use after `lastBeforeMs`, and returns the others: id and recorded use.
 */
export type NoteUses = (
  db: Executor,
  uses: readonly { readonly id: string; readonly atMs: number }[],
  lastBeforeMs: number,
) => Promise<ReadonlyMap<string, number>>;

/** By a statement over ids, instants and the latest recorded use; its rows are the uses that it did not write. */
export function notingUses(statement: Statement): NoteUses {
  return async (db, uses, lastBeforeMs) => {
    const times = uses.map(({ atMs }) => new Date(atMs).toISOString());
    const values = [uses.map(({ id }) => id), times, new Date(lastBeforeMs).toISOString()];
    const early = await db.run<{ id: string; lastUsedAt: string }>(statement, values);
    return new Map(early.map(({ id, lastUsedAt }) => [id, Date.parse(lastUsedAt)]));
  };
}
