import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';

const CREATE = 'mutation ($input: CreateTokenInput!) { createToken(input: $input) { token { id } } }';
const TOKENS = '{ tokens(first: 1) { totalCount } }';

let api: TestCatalog;
before(async () => {
  api = await openTestCatalog();
});
after(() => api?.close());

type Input = Readonly<Record<string, unknown>>;

describe('createToken refuses, and stores nothing', () => {
  const cases: readonly [name: string, input: Input, code: string, field: string][] = [
    ['no name', { name: '  ' }, 'FIELD_REQUIRED', 'input.name'],
    ['a long name', { name: 'x'.repeat(81) }, 'INVALID_INPUT', 'input.name'],
    ['a name with a line break', { name: 'a\nb' }, 'INVALID_INPUT', 'input.name'],
    ['no permission', { permissions: [] }, 'FIELD_REQUIRED', 'input.permissions'],
    ['an unknown permission', { permissions: ['content:fly'] }, 'INVALID_INPUT', 'input.permissions'],
    ['the management of tokens', { permissions: ['token:manage'] }, 'INVALID_INPUT', 'input.permissions'],
    ['no channel', { channels: [] }, 'INVALID_INPUT', 'input.channels'],
    ['what is no channel', { channels: ['nonsense'] }, 'INVALID_INPUT', 'input.channels'],
    [
      'a test token for channels',
      { test: true, channels: ['did:reelgraph:channel/x'] },
      'INVALID_INPUT',
      'input.channels',
    ],
    [
      'a test token for the account itself',
      { test: true, permissions: ['account:update'] },
      'INVALID_INPUT',
      'input.permissions',
    ],
    ['the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'INVALID_INPUT', 'input.expiresAt'],
    ['six years', { expiresAt: '2099-01-01T00:00:00Z' }, 'INVALID_INPUT', 'input.expiresAt'],
  ];
  let key: Person;
  before(async () => {
    key = await api.person('kate');
  });
  for (const [name, input, code, field] of cases) {
    it(name, async () => {
      const all = { name: 'Script', permissions: ['content:read'], ...input };
      const refused = await api.refused(key, CREATE, { input: all });
      assert.deepEqual([refused.code, refused.field], [code, field]);
      assert.equal((await api.ok(key, TOKENS)).tokens.totalCount, 0);
    });
  }

  it("another account's channel", async () => {
    const { channel } = await api.person('liam');
    const input = { name: 'Script', permissions: ['content:read'], channels: [key.channel, channel] };
    const refused = await api.refused(key, CREATE, { input });
    assert.deepEqual([refused.code, refused.field], ['RESOURCE_NOT_FOUND', 'input.channels']);
  });

  it('a name in use, also in another case and at the same moment', async () => {
    const owner = await api.person('mona');
    const input = { name: 'Script', permissions: ['content:read'] };
    const both = await Promise.all([
      api.run(owner, CREATE, { input }),
      api.run(owner, CREATE, { input: { ...input, name: 'SCRIPT' } }),
    ]);
    const codes = both.flatMap(({ errors }) => errors.map(({ code, field }) => [code, field]));
    assert.deepEqual(codes, [['RESOURCE_ALREADY_EXISTS', 'input.name']]);
    assert.equal((await api.ok(owner, TOKENS)).tokens.totalCount, 1);
  });

  it('a permission of a higher plan', async () => {
    const owner = await api.person('nils');
    await api.rows(`update subscriptions set plan = 'PREMIUM_PLUS' where account_id = $1`, [owner.accountId]);
    const refused = await api.refused(owner, CREATE, { input: { name: 'Script', permissions: ['content:enhance'] } });
    assert.deepEqual([refused.code, refused.field], ['UNAUTHORIZED', 'input.permissions']);
    assert.match(refused.message, /content:enhance comes with the Creator\+ plan/);
  });

  it('more than a hundred tokens', async () => {
    const owner = await api.person('olga');
    await api.rows(
      `insert into api_tokens (id, account_id, name, lookup_hash, hint, permissions, created_at)
       select uuidv7(), $1, 'Token ' || n, sha256(n::text::bytea), 'rgt_', array['content:read'], now()
       from generate_series(1, 100) n`,
      [owner.accountId],
    );
    const refused = await api.refused(owner, CREATE, { input: { name: 'Script', permissions: ['content:read'] } });
    assert.deepEqual(
      [refused.code, refused.message],
      ['INVALID_INPUT', 'This account has 100 tokens, which is the limit.'],
    );
  });
});
