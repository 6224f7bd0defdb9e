import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createAccount, isOperatorCodeValid } from '../domains/accounts/index.ts';
import { ManualClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { secretsFrom } from '../platform/config/secret-key.ts';
import { createTestDatabase, type TestDatabase } from '../platform/db/testing.ts';
import { banner } from './banner.ts';
import { offerOperatorRole } from './operator-offer.ts';

const ACCOUNT = { email: 'demo@reelgraph.localhost', password: 'secret-password', apiKey: 'rg_secret' };
const demo = { account: ACCOUNT, file: '/data/demo.json' };
const SECRETS = /secret-password|rg_secret|rgo_/;

describe('startup banner', () => {
  const local = readConfig({ PORT: '4000' });

  it('shows the password, the key and the code on a terminal', () => {
    const text = banner({ config: local, demo, operator: { code: 'rgo_code' }, isTerminal: true });
    for (const part of ['secret-password', 'Bearer rg_secret', 'http://localhost:4000/settings/server', 'rgo_code'])
      assert.ok(text.includes(part), part);
  });

  it('shows only their locations otherwise', () => {
    const text = banner({ config: local, demo, operator: { file: '/data/operator-code' }, isTerminal: false });
    for (const part of ['demo@reelgraph.localhost', '/data/demo.json', '/data/operator-code'])
      assert.ok(text.includes(part), part);
    assert.doesNotMatch(text, SECRETS);
  });

  for (const [env, line] of [
    [{}, '127.0.0.1:4000 and [::1]:4000 (this machine only'],
    [{ HOST: '0.0.0.0' }, 'port 4000 of all addresses of this machine'],
    [{ BASE_URL: 'https://video.example.com' }, 'port 4000 of all addresses of this machine'],
    [{ HOST: '192.168.1.5' }, 'Listening on:       192.168.1.5:4000\n'],
    [{}, 'Sign-up:            open to everyone'],
    [{ HOST: '0.0.0.0' }, 'Sign-up:            by invitation'],
    [{ SIGN_UP: 'closed' }, 'Sign-up:            closed'],
  ] as const) {
    it(`prints with ${JSON.stringify(env)}: ${line.trim()}`, () => {
      const config = readConfig({ PORT: '4000', ...env });
      assert.ok(banner({ config, demo: null, operator: null, isTerminal: false }).includes(line));
    });
  }
});

describe('operator role at startup', () => {
  let test: TestDatabase;
  let dataDir: string;
  before(async () => {
    test = await createTestDatabase();
    dataDir = mkdtempSync(join(tmpdir(), 'reelgraph-offer-'));
  });
  after(async () => {
    await test.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('is offered until there is an operator: on a terminal with a new code, otherwise in a private file', async () => {
    const clock = new ManualClock(Date.now());
    const platform = {
      db: test.db,
      clock,
      secrets: secretsFrom(Buffer.alloc(32, 7)),
      config: readConfig({ DATA_DIR: dataDir }),
    };
    const file = join(dataDir, 'operator-code');
    const read = () => readFileSync(file, 'utf8').trim();

    assert.deepEqual(await offerOperatorRole(platform, false), { file });
    assert.equal((statSync(file).mode & 0o777).toString(8), '600');
    const first = read();
    await offerOperatorRole(platform, false);
    assert.equal(read(), first, 'a valid code is kept');
    clock.advance(86_400_000);
    await offerOperatorRole(platform, false);
    assert.notEqual(read(), first, 'an expired one is replaced');

    const shown = await offerOperatorRole(platform, true);
    assert.ok(shown && 'code' in shown && (await isOperatorCodeValid(platform, shown.code)));
    assert.throws(read, /ENOENT/);
    await offerOperatorRole(platform, false);

    await createAccount(platform, {
      email: 'olga@example.com',
      username: 'olga',
      password: 'correct horse',
      isOperator: true,
    });
    assert.equal(await offerOperatorRole(platform, false), null);
    assert.throws(read, /ENOENT/);
  });
});
