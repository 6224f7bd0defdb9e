import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from './statement.ts';
import { createTestDatabase, type TestDatabase } from './testing.ts';

// An index over all referring rows: it begins with the columns of the key, and omits at most nulls.
const WITHOUT_INDEX = `
  select k.conrelid::regclass || ' (' || (select string_agg(attname, ', ') from pg_attribute where attrelid = k.conrelid
    and attnum = any(k.conkey)) || ')' as key
  from pg_constraint k where k.contype = 'f' and k.connamespace = 'public'::regnamespace and not exists (
    select 1 from pg_index i where i.indrelid = k.conrelid
      and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey
      and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) ~ '^\\(\\w+ IS NOT NULL\\)$'))
  order by 1`;

/** Scanned once per deleted channel: an index over all contents of a channel would duplicate those of its lists. */
const READ_AS_A_WHOLE = ['contents (channel_id)'];

describe('foreign keys', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  it('have an index each, so that a deletion never scans a table', async () => {
    const keys = await test.db.run<{ key: string }>(sql('without_index', WITHOUT_INDEX), []);
    assert.deepEqual(
      keys.map(({ key }) => key),
      READ_AS_A_WHOLE,
    );
  });

  it('are reported without one', async () => {
    await test.db.run(sql('plant', 'create table planted (id uuid, account_id uuid references accounts)'), []);
    const keys = await test.db.run<{ key: string }>(sql('without_index', WITHOUT_INDEX), []);
    assert.deepEqual(
      keys.map(({ key }) => key),
      [...READ_AS_A_WHOLE, 'planted (account_id)'],
    );
  });
});
