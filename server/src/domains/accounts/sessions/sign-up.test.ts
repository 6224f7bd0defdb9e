import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../../platform/db/statement.ts';
import { languageOfAddress } from '../accounts.store.ts';
import { type Accounts, registerAccounts } from '../register.ts';
import { DAY_MS } from '../subscriptions/subscription.policy.ts';
import { type AccountsTestPlatform, createAccountsTestPlatform, serveRoutes } from '../testing.ts';
import { createAccount } from './create-account.ts';

const LAST_USE = sql(
  'test_last_use',
  `select last_used_at as at from api_keys k join accounts a on a.id = k.account_id where a.username = $1::citext`,
);

describe('the accounts domain behind https', () => {
  let platform: AccountsTestPlatform;
  let accounts: Accounts;
  let server: Awaited<ReturnType<typeof serveRoutes>>;
  before(async () => {
    platform = await createAccountsTestPlatform({ BASE_URL: 'https://video.example' });
    accounts = registerAccounts(platform, {
      databaseUrl: platform.databaseUrl,
      version: '1.2.3',
      quotaOf: () => ({ limit: 2, remaining: 1, restoreRate: 1, resetAtMs: 0 }),
    });
    server = await serveRoutes(accounts.routes);
  });
  after(async () => {
    await server.close();
    await accounts.stop();
    await platform.close();
  });

  async function newKey(username: string): Promise<string> {
    const person = { email: `${username}@example.com`, username, password: 'correct horse' };
    const { apiKey } = await createAccount(platform, {
      ...person,
      subscription: { plan: 'CREATOR_PLUS', state: 'TRIALING' },
      apiKey: true,
    });
    return apiKey ?? '';
  }

  it('gives the account the language of its page', async () => {
    for (const [username, language] of [
      ['jean', 'fr'],
      ['jane', 'en'],
    ] as const) {
      await fetch(`${server.address}/api/auth/sign-up/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: 'https://video.example', 'accept-language': language },
        body: JSON.stringify({ email: `${username}@example.com`, username, password: 'correct horse' }),
      });
      assert.equal(await languageOfAddress(platform.db, `${username}@example.com`), language);
    }
    assert.equal(await languageOfAddress(platform.db, 'nobody@example.com'), null);
  });

  it('gives a session a Secure cookie that its own reader accepts', async () => {
    const response = await fetch(`${server.address}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://video.example' },
      body: JSON.stringify({ email: 'ann@example.com', username: 'ann', password: 'correct horse' }),
    });
    const [cookie = ''] = response.headers.getSetCookie();
    assert.match(cookie, /^__Host-reelgraph\.session_token=/);
    for (const attribute of [/; Secure/i, /; HttpOnly/i, /; SameSite=Lax/i, /; Path=\/(;|$)/i])
      assert.match(cookie, attribute);
    assert.doesNotMatch(cookie, /domain/i);
    const headers = { cookie: `theme=dark; ${cookie.split(';')[0]}` };
    // Only headers are read.
    const token = accounts.sessionTokenFrom({ headers } as Parameters<Accounts['sessionTokenFrom']>[0]);
    assert.ok(token);
    const viewer = await accounts.requireViewer({ kind: 'session', token }, 'api_key:manage');
    assert.deepEqual([viewer.username, viewer.plan, viewer.credential], ['ann', 'FREE', 'session']);
    platform.clock.advance(31 * DAY_MS);
    await assert.rejects(accounts.requireViewer({ kind: 'session', token }, 'account:read'), {
      code: 'UNAUTHENTICATED',
    });
  });

  it('accepts a key during the trial, and explains the refusal afterwards', async () => {
    const key = await newKey('ben');
    const credential = accounts.credentialFromKey(key);
    const viewer = await accounts.requireViewer(credential, 'asset:upload');
    assert.deepEqual([viewer.username, viewer.credential, viewer.state], ['ben', 'key', 'TRIALING']);
    await assert.rejects(accounts.requireViewer(credential, 'api_key:manage'), { code: 'UNAUTHORIZED' });
    platform.clock.advance(14 * DAY_MS);
    await assert.rejects(accounts.requireViewer(credential, 'asset:upload'), {
      code: 'UNAUTHORIZED',
      message: /trial has ended/,
      suggestedFix: /Move to Premium\+/,
    });
  });

  it('refuses a missing and an unknown credential', async () => {
    await assert.rejects(accounts.requireViewer({ kind: 'anonymous' }, 'content:read'), { code: 'UNAUTHENTICATED' });
    await assert.rejects(accounts.requireViewer({ kind: 'key', lookupHash: Buffer.alloc(32) }, 'content:read'), {
      code: 'UNAUTHENTICATED',
    });
    await assert.rejects(accounts.requireViewer({ kind: 'session', token: 'x'.repeat(32) }, 'content:read'), {
      code: 'UNAUTHENTICATED',
    });
  });

  it('notes the use of a key that is let in, and of no other', async () => {
    const own = registerAccounts(platform, {
      databaseUrl: platform.databaseUrl,
      version: '1.2.3',
      quotaOf: () => ({ limit: 2, remaining: 1, restoreRate: 1, resetAtMs: 0 }),
    });
    const [used, refused] = [await newKey('cleo'), await newKey('dina')];
    await own.requireViewer(own.credentialFromKey(used), 'content:read');
    await assert.rejects(own.requireViewer(own.credentialFromKey(refused), 'api_key:manage'));
    await own.stop();
    assert.deepEqual(await platform.db.first(LAST_USE, ['cleo']), { at: new Date(platform.clock.now()).toISOString() });
    assert.deepEqual(await platform.db.first(LAST_USE, ['dina']), { at: null });
  });
});
