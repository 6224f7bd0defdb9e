import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestCatalog } from '../catalog/testing.ts';

export { encodeCursor } from './events/event-cursor.ts';

/**
 * Waits until all written events are part of the log: tests share one PostgreSQL, and a running transaction of another
 * test holds back newer events.
 */
export async function settleLog(api: Pick<TestCatalog, 'row'>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    const { settled } = await api.row<{ settled: boolean }>(
      'select not exists (select 1 from events where xact >= pg_snapshot_xmin(pg_current_snapshot())) as settled',
    );
    if (settled) return;
    await sleep(20);
  }
  assert.fail('the log never settled');
}
