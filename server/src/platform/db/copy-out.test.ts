import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { copyIn } from './copy-in.ts';
import { CopyOut } from './copy-out.ts';
import { createTestDatabase, type TestDatabase } from './testing.ts';

const COLUMNS = 'n int, t text, b bytea, j jsonb, a text[], at timestamptz, d double precision, x xid8, u uuid';
const ROWS = `
  (1, '', '\\x', '{}', '{}', 'infinity', 'NaN', '0', null),
  (2, null, null, null, null, '-infinity', null, null, null),
  (3, E'a\\\\b\\tc\\nd\\re\\\\N', '\\x00ff5c0a', '{"a": "\\\\n"}',
    array['', null, E'"\\\\,{}\\n'], '2026-02-03 04:05:06.789012+00',
    0.1, '18446744073709551615', '00000000-0000-8000-8000-000000000001'),
  (4, 'żółć 🎬', '\\x0102', 'null', array['null'], '0044-03-15 12:00:00+00 BC', '-Infinity', '12', null)`;

describe('COPY', () => {
  let database: TestDatabase;
  let client: pg.Client;
  before(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(`create table one (${COLUMNS}); create table other (${COLUMNS})`);
    await client.query(`insert into one values ${ROWS}`);
  });
  after(async () => {
    await client.end();
    await database.close();
  });
  const countOther = async () => (await client.query('select count(*)::int as n from other')).rows[0].n;

  it('carries every value from one table to another', async () => {
    const rows: Buffer[] = [];
    const out = new CopyOut(client, 'copy one to stdout');
    for await (const chunk of out) rows.push(chunk);
    assert.equal(out.rows, 4);
    assert.equal(await copyIn(client, 'copy other from stdin', rows), 4);
    const { rows: different } = await client.query(
      'select n from (table one except table other union all (table other except table one)) d',
    );
    assert.deepEqual(different, []);
    const { rows: kept } = await client.query('select t, b, a from other where n in (1, 2) order by n');
    assert.deepEqual(kept, [
      { t: '', b: Buffer.alloc(0), a: [] },
      { t: null, b: null, a: null },
    ]);
  });

  it('lets a slow reader hold the server, and keeps every row', async () => {
    const out = new CopyOut(client, "copy (select n, repeat('x', 1000) from generate_series(1, 20000) n) to stdout");
    let bytes = 0;
    let most = 0;
    for await (const chunk of out) {
      bytes += chunk.length;
      most = Math.max(most, out.readableLength);
      await new Promise((done) => setImmediate(done));
    }
    assert.deepEqual([out.rows, bytes], [20_000, 20_128_894]);
    assert.ok(most < 4_000_000, `${most} bytes were kept`);
  });

  it('leaves the connection usable when the reader leaves, and when the statement fails', async () => {
    for await (const _ of new CopyOut(client, 'copy (select generate_series(1, 500000)) to stdout')) break;
    assert.equal((await client.query('select 1 as one')).rows[0].one, 1);
    await assert.rejects(async () => {
      for await (const _ of new CopyOut(client, 'copy nothing to stdout'));
    }, /relation "nothing" does not exist/);
    assert.equal((await client.query('select 1 as one')).rows[0].one, 1);
  });

  it('loads nothing when the source of rows fails, or a row is wrong', async () => {
    await client.query('truncate other');
    const failing = async function* () {
      yield Buffer.from(`1${'\t\\N'.repeat(8)}\n`);
      throw new Error('the file is damaged');
    };
    await assert.rejects(copyIn(client, 'copy other from stdin', failing()), /the file is damaged/);
    await assert.rejects(copyIn(client, 'copy other from stdin', [Buffer.from('one\n')]), /invalid input syntax/);
    assert.equal(await countOther(), 0);
  });
});
