import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AppError } from '../../../kernel/errors.ts';
import type { AccountId } from '../../../kernel/ids.ts';
import { secretsFrom } from '../../../platform/config/secret-key.ts';
import { sql } from '../../../platform/db/statement.ts';
import { createAccount } from '../sessions/create-account.ts';
import { startTrial } from '../subscriptions/change-subscription.ts';
import { DAY_MS } from '../subscriptions/subscription.policy.ts';
import { type AccountsTestPlatform, createAccountsTestPlatform } from '../testing.ts';
import { keyReader } from '../tokens/key-reader.ts';
import { viewerSource } from '../viewer.sql.ts';
import { noteKeyUses } from './api-keys.store.ts';
import { generateApiKey } from './generate-api-key.ts';
import { KeyUses } from './last-used.ts';
import { regenerateApiKey } from './regenerate-api-key.ts';
import { revealApiKey } from './reveal-api-key.ts';
import { revokeApiKey } from './revoke-api-key.ts';

const VIEWER = sql('test_key_viewer', viewerSource.key);
const ROW = sql('test_key_row', 'select lookup_hash, sealed, hint, last_used_at from api_keys where account_id = $1');

describe('API keys of an account', () => {
  let platform: AccountsTestPlatform;
  before(async () => {
    platform = await createAccountsTestPlatform();
  });
  after(() => platform.close());

  let created = 0;
  async function newAccount(onTrial = true): Promise<AccountId> {
    created += 1;
    const { accountId } = await createAccount(platform, {
      email: `a${created}@example.com`,
      username: `a${created}`,
      password: 'correct horse',
    });
    if (onTrial) await startTrial(platform, accountId);
    return accountId;
  }
  async function viewerOf(key: string): Promise<Record<string, unknown> | null> {
    return platform.db.first(VIEWER, [keyReader(platform.secrets)(key).lookupHash]);
  }
  const code = (expected: string, message: RegExp) => (error: AppError) =>
    error.code === expected && message.test(error.message);

  it('are generated on trial, found by their hash only, and revealed unchanged', async () => {
    const account = await newAccount();
    const key = await generateApiKey(platform, account);
    assert.equal((await viewerOf(key))?.account_id, account);
    assert.equal(await revealApiKey(platform, account), key);
    const row = await platform.db.first<{ lookup_hash: Buffer; sealed: Buffer; hint: string }>(ROW, [account]);
    assert.ok(row && row.lookup_hash.length === 32);
    assert.equal(
      JSON.stringify([row.sealed.toString('latin1'), row.lookup_hash.toString('latin1'), row.hint]).includes(key),
      false,
    );
  });

  it('are refused without developer access, with a suggested fix', async () => {
    const account = await newAccount(false);
    await assert.rejects(
      generateApiKey(platform, account),
      (error: AppError) => error.code === 'UNAUTHORIZED' && /Start the 14-day trial/.test(error.suggestedFix),
    );
    assert.equal(await platform.db.first(ROW, [account]), null);
  });

  it('are refused after the trial, which cannot be repeated', async () => {
    const account = await newAccount();
    platform.clock.advance(14 * DAY_MS);
    await assert.rejects(generateApiKey(platform, account), code('UNAUTHORIZED', /trial has ended/));
    await assert.rejects(startTrial(platform, account), code('INVALID_INPUT', /has already used its trial/));
  });

  it('are limited to one per account, also when generated concurrently', async () => {
    const account = await newAccount();
    const outcomes = await Promise.allSettled([generateApiKey(platform, account), generateApiKey(platform, account)]);
    assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected']);
    await assert.rejects(generateApiKey(platform, account), code('RESOURCE_ALREADY_EXISTS', /has an API key already/));
  });

  it('are invalid immediately when regenerated; other accounts’ keys are not', async () => {
    const [account, other] = [await newAccount(), await newAccount()];
    const [oldKey, otherKey] = [await generateApiKey(platform, account), await generateApiKey(platform, other)];
    const newKey = await regenerateApiKey(platform, account);
    assert.notEqual(newKey, oldKey);
    assert.equal(await viewerOf(oldKey), null);
    assert.equal((await viewerOf(newKey))?.account_id, account);
    assert.equal(await revealApiKey(platform, account), newKey);
    assert.equal((await viewerOf(otherKey))?.account_id, other);
  });

  it('cannot be regenerated or revealed when there is none', async () => {
    const account = await newAccount();
    await assert.rejects(regenerateApiKey(platform, account), code('RESOURCE_NOT_FOUND', /no API key/));
    await assert.rejects(revealApiKey(platform, account), code('RESOURCE_NOT_FOUND', /no API key/));
  });

  it('can still be revealed after the subscription lapsed', async () => {
    const account = await newAccount();
    const key = await generateApiKey(platform, account);
    platform.clock.advance(30 * DAY_MS);
    assert.equal(await revealApiKey(platform, account), key);
  });

  it('are invalid immediately when revoked', async () => {
    const account = await newAccount();
    const key = await generateApiKey(platform, account);
    assert.equal(await revokeApiKey(platform, account), true);
    assert.equal(await revokeApiKey(platform, account), false);
    assert.equal(await viewerOf(key), null);
  });

  it('report a changed SECRET_KEY', async () => {
    const account = await newAccount();
    const key = await generateApiKey(platform, account);
    const others = { ...platform, secrets: secretsFrom(Buffer.alloc(32, 8)) };
    await assert.rejects(revealApiKey(others, account), code('RESOURCE_NOT_FOUND', /another SECRET_KEY/));
    assert.equal(await platform.db.first(VIEWER, [keyReader(others.secrets)(key).lookupHash]), null);
  });

  it('are refused without a database query when malformed', () => {
    for (const text of ['', 'rg_', 'hello', `rg_${'x'.repeat(38)}`])
      assert.throws(() => keyReader(platform.secrets)(text), { code: 'UNAUTHENTICATED' });
  });

  it('start one trial when it is requested twice concurrently', async () => {
    const account = await newAccount(false);
    const outcomes = await Promise.allSettled([startTrial(platform, account), startTrial(platform, account)]);
    assert.deepEqual(outcomes.map((outcome) => outcome.status).sort(), ['fulfilled', 'rejected']);
  });

  describe('last use', () => {
    const lastUse = async (account: AccountId) =>
      (await platform.db.first<{ last_used_at: string | null }>(ROW, [account]))?.last_used_at;
    const open = () =>
      new KeyUses({
        db: platform.db,
        clock: platform.clock,
        note: noteKeyUses,
        onError: (error) => assert.fail(String(error)),
        writeDelayMs: 5,
      });

    it('is written at most once a minute per key, and the rest on stop', async () => {
      const account = await newAccount();
      await generateApiKey(platform, account);
      const uses = open();
      uses.touch(account);
      await uses.flush(false);
      const first = new Date(platform.clock.now()).toISOString();
      assert.equal(await lastUse(account), first);
      platform.clock.advance(30_000);
      uses.touch(account);
      await uses.flush(false);
      assert.equal(await lastUse(account), first);
      platform.clock.advance(31_000);
      await uses.flush(false);
      const second = new Date(platform.clock.now() - 31_000).toISOString();
      assert.equal(await lastUse(account), second);
      uses.touch(account);
      await uses.stop();
      assert.equal(await lastUse(account), new Date(platform.clock.now()).toISOString());
    });

    it('is written automatically soon after the first use', async () => {
      const account = await newAccount();
      await generateApiKey(platform, account);
      const uses = open();
      uses.touch(account);
      const deadline = Date.now() + 5_000;
      while ((await lastUse(account)) === null && Date.now() < deadline)
        await new Promise((done) => setTimeout(done, 5));
      assert.notEqual(await lastUse(account), null);
      await uses.stop();
    });

    it('of a replaced key does not carry over to the new one', async () => {
      const account = await newAccount();
      await generateApiKey(platform, account);
      const uses = open();
      uses.touch(account);
      platform.clock.advance(1_000);
      await regenerateApiKey(platform, account);
      await uses.stop();
      assert.equal(await lastUse(account), null);
    });

    it('of the new key is written immediately, although the replaced one was used less than a minute ago on any instance', async () => {
      const account = await newAccount();
      await generateApiKey(platform, account);
      const [here, elsewhere] = [open(), open()];
      for (const uses of [here, elsewhere]) {
        uses.touch(account);
        await uses.flush(false);
        platform.clock.advance(1_000);
      }
      await regenerateApiKey(platform, account);
      assert.equal(await lastUse(account), null);
      platform.clock.advance(1_000);
      elsewhere.touch(account);
      await elsewhere.flush(false);
      assert.equal(await lastUse(account), new Date(platform.clock.now()).toISOString());
      for (const uses of [here, elsewhere]) await uses.stop();
    });

    it('is kept and retried when the database is unavailable', async () => {
      const account = await newAccount();
      await generateApiKey(platform, account);
      const failures: unknown[] = [];
      let isAway = true;
      const db = {
        ...platform.db,
        run: (...call: Parameters<typeof platform.db.run>) =>
          isAway ? Promise.reject(new Error('away')) : platform.db.run(...call),
      };
      const uses = new KeyUses({
        db: db as typeof platform.db,
        clock: platform.clock,
        note: noteKeyUses,
        onError: (error) => failures.push(error),
        writeDelayMs: 60_000,
      });
      uses.touch(account);
      await uses.flush();
      assert.equal(failures.length, 1);
      isAway = false;
      await uses.stop();
      assert.notEqual(await lastUse(account), null);
    });
  });
});
