import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from './testing.ts';
import { typeParsers } from './types.ts';

describe('in_json', () => {
  let database: TestDatabase;
  let client: pg.Client;

  before(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url, types: typeParsers, options: '-c timezone=UTC' });
    await client.connect();
  });
  after(async () => {
    await client.end();
    await database.close();
  });

  const cases: Array<[sql: string, expected: unknown]> = [
    [`timestamptz '2026-11-20 20:33:31.123956+00'`, '2026-11-20T20:33:31.123Z'],
    [`timestamptz '2026-11-20 20:33:31+02'`, '2026-11-20T18:33:31.000Z'],
    [`timestamptz 'infinity'`, 'infinity'],
    [`null::timestamptz`, null],
    [`array[1, 2]`, [1, 2]],
    [`9007199254740991::bigint`, 9_007_199_254_740_991],
    [`12.50::numeric`, 12.5],
    [`1.5::float8`, 1.5],
    [`true`, true],
    [`'text'`, 'text'],
    [`'2026-11-20T20:33:31+00:00'::text`, '2026-11-20T20:33:31+00:00'],
    [`'A'::citext`, 'A'],
    [`uuid '01a1fbd9-f9ef-7000-a2d5-0118192635b4'`, '01a1fbd9-f9ef-7000-a2d5-0118192635b4'],
    [`jsonb '{"a": [1, null]}'`, { a: [1, null] }],
    [`null`, null],
  ];
  for (const [sql, expected] of cases) {
    test(`${sql} is the same in JSON as in a column`, async () => {
      const { rows } = await client.query(`select ${sql} as one, json_build_array(in_json(${sql})) as packed`);
      assert.deepEqual(rows, [{ one: expected, packed: [expected] }]);
    });
  }

  test('adds nothing to a statement: PostgreSQL puts the value in place of the call', async () => {
    const { rows } = await client.query(
      'explain (verbose, costs off) select in_json(id), in_json(created_at) from contents',
    );
    const plan = rows.map((row) => Object.values(row)[0]).join('\n');
    assert.doesNotMatch(plan, /in_json/);
    assert.match(plan, /Output: id, CASE WHEN/);
  });
});
