import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { endPool } from './end-pool.ts';
import { createEmptyDatabase, type EmptyDatabase } from './testing.ts';

describe('ending a pool', () => {
  let database: EmptyDatabase;
  before(async () => {
    database = await createEmptyDatabase();
  });
  after(() => database?.close());

  for (const [what, end, expected] of [
    ['reports no connection that the server ends meanwhile', endPool, []],
    ['would otherwise report it', (pool: pg.Pool) => pool.end(), ['terminated']],
  ] as const)
    it(what, async () => {
      const pool = new pg.Pool({ connectionString: database.url });
      const reports: string[] = [];
      pool.on('error', ({ message }) => reports.push(message));
      const client = await pool.connect();
      client.release();
      const ended = end(pool);
      client.emit('error', new Error('terminated'));
      await ended;
      assert.deepEqual(reports, expected);
    });
});
