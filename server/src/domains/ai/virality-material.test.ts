import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { newId } from '../../kernel/ids.ts';
import { openTestCatalog, type TestCatalog, uuidOf } from '../catalog/testing.ts';
import { readMaterial } from './virality.store.ts';

let api: TestCatalog;
before(async () => {
  api = await openTestCatalog();
});
after(() => api.close());

it('models learn from the impressions of the title and image that a content has', async () => {
  const anna = await api.person('anna');
  const content = uuidOf(await api.content(anna, { status: 'PUBLISHED' }));
  await api.rows(
    `insert into content_daily (content_id, channel_id, day, impressions, clicks)
     values ($1, $2, '2026-05-01', 400, 20), ($1, $2, '2026-05-02', 600, 90)`,
    [content, anna.channelId],
  );
  const material = async (day = '2026-05-01') => {
    const [found] = await readMaterial(api.platform.db, 10, day, 100);
    return [found?.impressions, found?.clicks];
  };
  assert.deepEqual(await material(), [1_000, 110]);

  const test = newId();
  await api.rows(
    `insert into content_tests (id, content_id, variants, apply_winner, min_days, max_days, started_at)
     values ($1, $2, 3, true, 1, 14, '2026-05-02')`,
    [test, content],
  );
  await api.rows(
    `insert into content_test_variants (id, test_id, position, title, impressions, clicks)
     select gen_random_uuid(), $1, n, 'Title ' || n, 200, 30 * n from generate_series(0, 2) n`,
    [test],
  );
  assert.deepEqual(await material(), [600, 20], 'as it was, without the other two');
  assert.deepEqual(await material('2026-05-03'), [0, 0], 'nothing of a test that started before');
  await api.rows("update content_tests set applied = 2, applied_at = '2026-05-03' where id = $1", [test]);
  assert.deepEqual(await material(), [600, 80], 'with the one that was applied, without the other two');
});
