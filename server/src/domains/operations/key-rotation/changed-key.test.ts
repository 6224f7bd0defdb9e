import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { type Secrets, secretsFrom } from '../../../platform/config/secret-key.ts';
import { checkSecretKey } from '../../../platform/db/facts.ts';
import { sql } from '../../../platform/db/statement.ts';
import { type Accounts, registerAccounts } from '../../accounts/index.ts';
import { createInvitation, requireInvitation } from '../../accounts/operators/invitations.ts';
import {
  type AccountsTestPlatform,
  createAccountsTestPlatform,
  createTestAccount,
  serveRoutes,
} from '../../accounts/testing.ts';
import { newTokenFor } from '../../accounts/tokens/new-token.ts';
import { insertToken } from '../../accounts/tokens/tokens.store.ts';
import { readViewer } from '../../accounts/viewers.store.ts';
import { rotateSecretKey } from './rotate-secret-key.ts';

const OLD = Buffer.alloc(32, 7);
const NEW = Buffer.alloc(32, 8);
const PASSWORD = 'correct horse';
const ORIGIN = 'http://reelgraph.test';

/** The server with one key and others, on one database. */
interface Server {
  readonly platform: AccountsTestPlatform;
  readonly accounts: Accounts;
  readonly address: string;
  close(): Promise<void>;
}

describe('after a change of SECRET_KEY', () => {
  let base: AccountsTestPlatform;
  let former: Server;
  let changed: Server;
  let alone: Server;
  let cookie: string;
  let apiKey: string;
  let token: string;
  let accountId: string;

  before(async () => {
    base = await createAccountsTestPlatform();
    former = await serve(secretsFrom(OLD));
    const account = await createTestAccount(base, 'ada');
    ({ accountId } = account);
    apiKey = account.apiKey ?? assert.fail('the account has no key');
    cookie = await signIn(former);
    const made = newTokenFor(
      account.accountId,
      { name: 'robot', permissions: ['account:read'], channelIds: null, isTest: false, expiresAtMs: null },
      base.secrets,
      base.clock.now(),
    );
    token = made.token;
    assert.equal(await base.db.transaction((tx) => insertToken(tx, made.stored)), true);
    base.clock.advance(60_000);
    changed = await serve(secretsFrom(NEW, [OLD]));
    alone = await serve(secretsFrom(NEW));
  });
  after(async () => {
    for (const server of [former, changed, alone]) await server.close();
    await base.close();
  });

  async function serve(secrets: Secrets): Promise<Server> {
    const platform = { ...base, secrets };
    if (secrets.accepted.some(({ fingerprint }) => fingerprint === base.secrets.fingerprint))
      await checkSecretKey(base.db, secrets);
    const accounts = registerAccounts(platform, {
      ...{ databaseUrl: base.databaseUrl, version: '1.2.3' },
      quotaOf: () => assert.fail('nothing is charged'),
    });
    const { address, close } = await serveRoutes(accounts.routes);
    return {
      ...{ platform, accounts, address },
      async close() {
        await close();
        await accounts.stop();
      },
    };
  }
  async function signIn({ address }: Server): Promise<string> {
    const response = await fetch(`${address}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: ORIGIN },
      body: JSON.stringify({ email: 'ada@example.com', password: PASSWORD }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    const cookies = response.headers.getSetCookie().map((each) => each.split(';')[0]);
    return cookies.join('; ');
  }
  async function sessionAt({ address }: Server, sent: string): Promise<string | null> {
    const response = await fetch(`${address}/api/auth/get-session`, { headers: { cookie: sent } });
    return ((await response.json()) as { user?: { username: string } } | null)?.user?.username ?? null;
  }
  async function ownerOf({ platform, accounts }: Server, text: string): Promise<string | null> {
    const credential = await accounts.findCredential(text);
    assert.notEqual(credential.kind, 'anonymous');
    if (credential.kind === 'anonymous') return null;
    return (await readViewer(platform.db, credential, platform.clock.now()))?.accountId ?? null;
  }
  async function tokenHash(): Promise<Buffer | undefined> {
    const row = await base.db.first<{ hash: Buffer }>(
      sql('test_token', 'select lookup_hash as hash from api_tokens'),
      [],
    );
    return row?.hash;
  }

  it('sessions go on, for requests and for the sign-in library, while the former key is accepted', async () => {
    const read = ({ accounts }: Server) => accounts.sessionTokenFrom({ headers: { cookie } } as IncomingMessage);
    assert.match(read(changed) ?? '', /^\w{32}$/);
    assert.equal(read(changed), read(former));
    assert.equal(read(alone), null);
    assert.equal(await sessionAt(changed, cookie), 'ada');
    assert.equal(await sessionAt(alone, cookie), null);
    const forged = cookie.replace(/session_token=([^.]+)\.[^;]+/, `session_token=$1.${'A'.repeat(43)}%3D`);
    assert.notEqual(forged, cookie);
    assert.equal(await sessionAt(changed, forged), null);
  });

  it('API keys and tokens are found; without the former key they are not, and nothing changes', async () => {
    const before = await tokenHash();
    assert.deepEqual([await ownerOf(alone, apiKey), await ownerOf(alone, token)], [null, null]);
    assert.deepEqual(await tokenHash(), before);
    const { left } = await rotateSecretKey(changed.platform);
    assert.deepEqual(left['API tokens that were not used since'], 1);
    assert.equal(await ownerOf(changed, token), accountId);
    assert.deepEqual(await tokenHash(), alone.platform.secrets.mac('token-lookup', token));
    assert.equal(await ownerOf(changed, apiKey), accountId);
    assert.deepEqual([await ownerOf(alone, apiKey), await ownerOf(alone, token)], [accountId, accountId]);
  });

  it('a process that still has the former key as its own finds what has the new one, and leaves it', async () => {
    const behind = { ...base, secrets: secretsFrom(OLD, [NEW]) };
    const accounts = registerAccounts(behind, {
      databaseUrl: base.databaseUrl,
      version: '1',
      quotaOf: () => assert.fail(),
    });
    try {
      assert.equal(await ownerOf({ platform: behind, accounts, address: '', close: async () => {} }, token), accountId);
      assert.deepEqual(await tokenHash(), alone.platform.secrets.mac('token-lookup', token));
    } finally {
      await accounts.stop();
    }
  });

  it('open invitations work', async () => {
    const { code } = await createInvitation(base, null, {});
    await assert.rejects(requireInvitation(alone.platform, code, 'new@example.com'), { code: 'INVALID_INPUT' });
    assert.match(await requireInvitation(changed.platform, code, 'new@example.com'), /^[0-9a-f-]{36}$/);
    assert.match(await requireInvitation(alone.platform, code, 'new@example.com'), /^[0-9a-f-]{36}$/);
  });
});
