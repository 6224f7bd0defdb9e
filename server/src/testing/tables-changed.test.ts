import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog } from '../domains/catalog/testing.ts';
import { tablesChanged } from './tables-changed.ts';

let api: TestCatalog;
let anna: Person;
before(async () => {
  api = await openTestCatalog();
  anna = await api.person('anna');
});
after(() => api?.close());

const changedBy = (text: string) => tablesChanged(api.platform.db, () => api.rows(text));
const WATCH = `insert into watch_events (day, session_id, seq, kind, content_id, channel_id, viewer, occurred_at,
  country, device, os, browser, position_ms, ranges, value_ms)
  select current_date, gen_random_uuid(), 0, 'START', id, channel_id, gen_random_uuid(), now(), 'ZZ', 'OTHER', 'Other',
    'Other', 0, '{}', 0 from contents limit 1`;

test('a row that is added, updated or removed counts, also by a cascade or in a partition', async () => {
  await api.content(anna);
  assert.deepEqual(await changedBy('update account_settings set keep_history = not keep_history'), [
    'account_settings',
  ]);
  assert.deepEqual(await changedBy('update account_settings set keep_history = false where false'), []);
  assert.deepEqual(await changedBy('update account_settings set keep_history = keep_history'), []);
  await api.rows('select watch_events_prepare(current_date, current_date)');
  assert.deepEqual(await changedBy(WATCH), ['watch_events']);
  const deleted = await changedBy('delete from contents');
  for (const table of ['contents', 'counters']) assert.ok(deleted.includes(table), deleted.join());
});

test('what is rolled back, and a column that records calls, does not count', async () => {
  const rolledBack = tablesChanged(api.platform.db, () =>
    assert.rejects(
      api.platform.db.transaction(async (tx) => {
        await tx.executeSql('delete from contents');
        throw new Error('no');
      }),
      /no/,
    ),
  );
  assert.deepEqual(await rolledBack, []);
  assert.deepEqual(await changedBy('update api_keys set last_used_at = now()'), []);
  assert.deepEqual(await changedBy(`update api_keys set hint = 'rg_…'`), ['api_keys']);
});
