import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '../kernel/ids.ts';
import { sql } from '../platform/db/statement.ts';
import { createTestDatabase, type TestDatabase } from '../platform/db/testing.ts';
import { tablesChanged } from './tables-changed.ts';

let database: TestDatabase;
before(async () => {
  database = await createTestDatabase();
});
after(() => database?.close());

const id = newId();
const changedBy = (...statements: string[]) =>
  tablesChanged(database.db, async () => {
    for (const text of statements) await database.db.run(sql(`try ${text}`, text), []);
  });
const INSERT_KEY = `insert into api_keys (account_id, id, lookup_hash, sealed, hint)
  values ('${id}', '${id}', sha256('key'), 'sealed', 'abcd')`;

describe('the tables that a call changed', () => {
  test('are those with a row that was added, changed or removed', async () => {
    await database.db.run(sql('without_accounts', 'alter table api_keys drop constraint api_keys_account_id_fkey'), []);
    assert.deepEqual(await changedBy("insert into platform_metadata values ('a', '1')"), ['platform_metadata']);
    assert.deepEqual(await changedBy("update platform_metadata set value = value where name = 'a'"), [
      'platform_metadata',
    ]);
    assert.deepEqual(await changedBy("delete from platform_metadata where name = 'a'", INSERT_KEY), [
      'api_keys',
      'platform_metadata',
    ]);
  });

  test('are none where no row was found, or only the last use of a key was noted', async () => {
    assert.deepEqual(await changedBy("delete from platform_metadata where name = 'missing'"), []);
    assert.deepEqual(await changedBy('update api_keys set last_used_at = now()'), []);
    assert.deepEqual(await changedBy("update api_keys set hint = 'efgh'"), ['api_keys']);
  });

  test('are none where the transaction failed', async () => {
    assert.deepEqual(
      await tablesChanged(database.db, async () => {
        const failing = sql('fails', "insert into platform_metadata values ('a', '1'), ('a', '2')");
        await assert.rejects(database.db.run(failing, []));
      }),
      [],
    );
  });
});
