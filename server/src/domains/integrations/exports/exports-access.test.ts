import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { attempt, EXPORT, linesOf, order, READ, work } from './exports.fixture.ts';
import { forgetSome } from './forget-exports.ts';

const QUERY = '{ contents { edges { node { id } } } }';
const LIST = '{ dataExports(first: 50) { totalCount edges { node { id } } } }';
const CANCEL = 'mutation ($id: DID!) { cancelDataExport(id: $id) { export { status } } }';

describe('access of exports', () => {
  let api: TestCatalog;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    const owner = await api.person('owner');
    for (let n = 0; n < 3; n += 1) await api.content(owner, { status: 'PUBLISHED' });
  });
  after(() => api.close());

  const statusOf = async (id: string) =>
    api.row('select status, error_code as code from data_exports where id = $1', [uuidOf(id)]);
  const listed = async (who: Person) => {
    const { totalCount, edges } = (await api.ok(who, LIST)).dataExports;
    assert.equal(totalCount, edges.length);
    return edges.map(({ node }: { node: { id: string } }) => node.id).sort();
  };

  /** The account with an access token of an application. */
  async function connected(person: Person, application: string): Promise<Person> {
    const token = `${application}-token-of-${person.username}`;
    await api.rows(
      `with client as (insert into oauth_clients (id, client_id, name, redirect_uris)
         values (gen_random_uuid(), $2, 'Application', '[]') on conflict (client_id) do nothing),
       consent as (insert into oauth_consents (id, client_id, account_id, scopes, created_at, updated_at)
         values (gen_random_uuid(), $2, $1, '["mcp:tools"]', now(), now()))
       insert into oauth_access_tokens (id, token, client_id, account_id, expires_at, created_at, scopes)
       values (gen_random_uuid(), $3, $2, $1, now() + interval '9 days', now(), '["mcp:tools"]')`,
      [person.accountId, application, token],
    );
    return { ...person, credential: { kind: 'oauth', tokenHash: token } };
  }

  it('a session sees all of its account, the key those of keys and applications, an application its own', async () => {
    const key = await api.person('key_owner');
    const stranger = await api.person('stranger');
    const session = await api.signedIn(key);
    const [one, other] = [await connected(key, 'one'), await connected(key, 'other')];
    const ids: string[] = [];
    for (const who of [session, key, one, other]) ids.push(await order(api, who, QUERY));
    const [ofSession = '', ofKey = '', ofOne = '', ofOther = ''] = ids;
    assert.deepEqual(await listed(session), [...ids].sort());
    assert.deepEqual(await listed(key), [ofKey, ofOne, ofOther].sort());
    assert.deepEqual(await listed(one), [ofOne]);
    assert.deepEqual(await listed(other), [ofOther]);
    assert.deepEqual(await listed(stranger), []);
    for (const [who, id] of [
      [stranger, ofKey],
      [key, ofSession],
      [one, ofKey],
      [one, ofOther],
    ] as const) {
      for (const document of [READ, CANCEL])
        assert.deepEqual(
          [(await api.refused(who, document, { id })).code, await statusOf(id)],
          ['RESOURCE_NOT_FOUND', { status: 'QUEUED', code: null }],
        );
      assert.deepEqual(await api.ok(who, 'query ($id: DID!) { node(id: $id) { id } }', { id }), { node: null });
    }
  });

  const ended: [what: string, end: (who: Person) => Promise<unknown>, as: 'key' | 'session' | 'oauth', code: string][] =
    [
      [
        'the key is replaced',
        ({ accountId }) => api.domains.accounts.services.regenerateApiKey(accountId),
        'key',
        'UNAUTHENTICATED',
      ],
      [
        'the plan lapses',
        ({ accountId }) =>
          api.rows("update subscriptions set access_until = now() - interval '1 day' where account_id = $1", [
            accountId,
          ]),
        'key',
        'UNAUTHORIZED',
      ],
      [
        'the session ends',
        ({ accountId }) => api.rows('delete from sessions where account_id = $1', [accountId]),
        'session',
        'UNAUTHENTICATED',
      ],
      [
        'the application is disconnected',
        ({ accountId }) => api.rows('delete from oauth_consents where account_id = $1', [accountId]),
        'oauth',
        'UNAUTHENTICATED',
      ],
      [
        'its access tokens expire',
        ({ accountId }) => api.rows('delete from oauth_access_tokens where account_id = $1', [accountId]),
        'oauth',
        'UNAUTHENTICATED',
      ],
    ];
  for (const [index, [what, end, as, code]] of ended.entries())
    it(`an export fails when ${what}, and what was written is deleted`, async () => {
      const person = await api.person(`ended_${index}`);
      const who =
        as === 'key' ? person : as === 'session' ? await api.signedIn(person) : await connected(person, 'app');
      const id = await order(api, who, QUERY);
      await end(person);
      await work(api, id);
      assert.deepEqual(await statusOf(id), { status: 'ERROR', code });
      assert.deepEqual(await linesOf(api, id), []);
      const events = await api.rows('select type, payload ->> $2 as code from events where subject_id = $1', [
        uuidOf(id),
        'code',
      ]);
      assert.deepEqual(events, [{ type: 'export.failed', code }]);
    });

  it('an export goes on with the next access token of its application', async () => {
    const person = await api.person('refreshed');
    const application = await connected(person, 'refreshing');
    const id = await order(api, application, QUERY);
    await api.rows(`update oauth_access_tokens set token = 'next-token' where account_id = $1`, [person.accountId]);
    await attempt(api, id);
    assert.deepEqual(await statusOf(id), { status: 'COMPLETE', code: null });
  });

  const HISTORY = '{ watchHistory { edges { node { watchedAt } } } }';

  it('a scoped token exports what it may read, sees its own exports, and ends them when it is revoked', async () => {
    const person = await api.person('with_token');
    const lookupHash = Buffer.alloc(32, 9);
    await api.rows(
      `insert into api_tokens (id, account_id, name, lookup_hash, hint, permissions, created_at)
       values (gen_random_uuid(), $1, 'Exports', $2, 'rg_…', '{data:export,content:read}', now())`,
      [person.accountId, lookupHash],
    );
    const token: Person = { ...person, credential: { kind: 'token', lookupHash } };
    const error = await api.refused(token, EXPORT, { input: { query: HISTORY } });
    assert.equal(error.code, 'UNAUTHORIZED');
    const ofKey = await order(api, person, QUERY);
    const [complete, ended] = [await order(api, token, QUERY), await order(api, token, QUERY)];
    await work(api, complete);
    assert.deepEqual(await statusOf(complete), { status: 'COMPLETE', code: null });
    assert.deepEqual(await listed(token), [complete, ended].sort());
    assert.deepEqual(await listed(person), [ofKey, complete, ended].sort());
    await api.rows('delete from api_tokens where account_id = $1', [person.accountId]);
    await work(api, ended);
    assert.deepEqual(await statusOf(ended), { status: 'ERROR', code: 'UNAUTHENTICATED' });
  });

  it('an export never reads more than its credential', async () => {
    const person = await api.person('operator');
    await api.rows('update accounts set is_operator = true where id = $1', [person.accountId]);
    const query = '{ invitations { edges { node { id } } } }';
    const session = await api.signedIn(person);
    await work(api, await order(api, session, query));
    const before = await api.row('select count(*)::int as n from data_exports');
    assert.equal((await api.refused(person, EXPORT, { input: { query } })).code, 'UNAUTHORIZED');
    assert.deepEqual(await api.row('select count(*)::int as n from data_exports'), before);
  });

  it('files are deleted after a week, exports are forgotten after a month', async () => {
    const person = await api.person('keeper');
    const id = await order(api, person, QUERY);
    await work(api, id);
    api.clock.advance(7 * 86_400_000 - 60_000);
    await forgetSome(api.platform);
    assert.equal((await linesOf(api, id)).length, 3);
    api.clock.advance(60_000);
    await forgetSome(api.platform);
    const { dataExport } = await api.ok(person, READ, { id });
    assert.deepEqual([dataExport.status, dataExport.url], ['EXPIRED', null]);
    assert.deepEqual(await linesOf(api, id), []);
    const purges = 'select count(*)::int as n from object_purges where key_prefix = $1';
    assert.deepEqual(await api.row(purges, [`exports/${uuidOf(id)}/`]), { n: 1 });
    api.clock.advance(30 * 86_400_000);
    await forgetSome(api.platform);
    assert.deepEqual(await listed(person), []);
  });

  it('an export that is deleted takes its files with it', async () => {
    const person = await api.person('leaver');
    const id = await order(api, person, QUERY);
    await work(api, id);
    await api.rows('delete from data_exports where account_id = $1', [person.accountId]);
    const purges = 'select count(*)::int as n from object_purges where key_prefix = $1';
    assert.deepEqual(await api.row(purges, [`exports/${uuidOf(id)}/`]), { n: 2 });
  });
});

describe('exports in the queue', () => {
  it('are run by a worker', async () => {
    const api = await openTestCatalog({ jobs: true });
    try {
      const id = await order(api, await api.person('waiting'), QUERY);
      await api.domains.integrations.startWork();
      await until(async () => {
        const { status } = await api.row<{ status: string }>('select status from data_exports where id = $1', [
          uuidOf(id),
        ]);
        return status === 'COMPLETE';
      });
    } finally {
      await api.close();
    }
  });
});
