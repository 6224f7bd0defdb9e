import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from '../../../platform/db/statement.ts';
import { createAccount } from '../sessions/create-account.ts';
import { type MailServer, openMailServer } from '../sessions/testing.ts';
import { readViewer } from '../viewers.store.ts';
import { settleClosedAccounts } from './close-account.ts';

const PASSWORD = 'correct horse';
const DAY_MS = 86_400_000;

const STATE = sql(
  'test_closing_state',
  `select (select json_agg(a order by a.id)::text from accounts a) as accounts,
     (select json_agg(h order by h.id)::text from channels h) as channels,
     (select count(*)::int from sessions) as sessions,
     (select count(*)::int from pgboss.job where name = 'send-mail') as mails`,
);

describe('deleting an account', () => {
  let server: MailServer;
  let platform: MailServer['platform'];
  const post: MailServer['post'] = (...call) => server.post(...call);
  const state = () => platform.db.run(STATE, []);
  before(async () => {
    server = await openMailServer();
    ({ platform } = server);
  });
  after(() => server.close());
  beforeEach(() => server.settle());

  const credentials = (username: string) => ({ email: `${username}@example.com`, password: PASSWORD });
  async function person(username: string) {
    const subscription = { plan: 'CREATOR_PLUS', state: 'ACTIVE' } as const;
    const { apiKey } = await createAccount(platform, {
      ...{ ...credentials(username), username, name: username, subscription, apiKey: true },
    });
    const { cookie } = await post('sign-in/email', credentials(username));
    return { key: apiKey ?? '', session: { cookie } };
  }
  const settle = async (): Promise<void> => {
    while (await settleClosedAccounts(platform));
  };
  const keyWorks = async (username: string): Promise<boolean> => {
    const hash = sql(
      'test_key',
      'select k.lookup_hash as hash from api_keys k join accounts a on a.id = k.account_id ' + 'where a.username = $1',
    );
    const row = await platform.db.first<{ hash: Buffer }>(hash, [username]);
    if (!row) return false;
    return (await readViewer(platform.db, { kind: 'key', lookupHash: row.hash }, platform.clock.now())) !== null;
  };

  it('signs it out everywhere, stops its key, and tells it until when it can be kept', async () => {
    const { session } = await person('anna');
    assert.equal(await keyWorks('anna'), true);
    const closed = await post('delete-account', { password: PASSWORD }, session);
    const deletesAt = new Date(platform.clock.now() + 30 * DAY_MS).toISOString();
    assert.deepEqual([closed.status, closed.rest], [200, { deletesAt }]);
    assert.equal((await server.get('get-session', session)).rest, null);
    assert.equal(await keyWorks('anna'), false);
    const mail = await server.mailTo(1);
    assert.deepEqual([mail.to, mail.subject], ['anna@example.com', 'Your account will be deleted']);
    const day = new Date(deletesAt).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    assert.ok(mail.text.includes(`will be deleted on ${day}`));

    const signIn = await post('sign-in/email', credentials('anna'));
    assert.deepEqual([signIn.status, signIn.rest], [200, { accountClosed: true }]);
    assert.equal((await server.get('get-session', { cookie: signIn.cookie })).rest, null);
    assert.deepEqual((await post('restore-account', credentials('anna'))).rest, { status: true });
    const again = await post('sign-in/email', credentials('anna'));
    assert.equal((await server.get('get-session', { cookie: again.cookie })).rest.user.username, 'anna');
    assert.equal(await keyWorks('anna'), true);
  });

  it('happens after 30 days, and cannot be undone then', async () => {
    const { session } = await person('bert');
    await post('delete-account', { password: PASSWORD }, session);
    platform.clock.advance(30 * DAY_MS);
    assert.equal((await post('restore-account', credentials('bert'))).status, 401);
    await settle();
    const left = sql(
      'test_left',
      `select 1 from accounts where username = 'bert'
      union all select 1 from channels where handle = 'bert'`,
    );
    assert.deepEqual(await platform.db.run(left, []), []);
    assert.equal((await post('sign-in/email', credentials('bert'))).status, 401);
    await person('bert');
  });

  it('changes nothing without a session or with a wrong password, and for the only operator', async () => {
    const { session } = await person('carl');
    await platform.db.run(sql('test_operator', `update accounts set is_operator = true where username = 'carl'`), []);
    const rows = await state();
    for (const [body, headers, code, field] of [
      [{ password: PASSWORD }, {}, 'UNAUTHENTICATED', undefined],
      [{}, session, 'FIELD_REQUIRED', 'password'],
      [{ password: 'wrong horse' }, session, 'INVALID_INPUT', 'password'],
      [{ password: PASSWORD }, session, 'INVALID_INPUT', undefined],
    ] as const) {
      const { error } = await post('delete-account', body, headers);
      assert.deepEqual([error?.code, error?.field], [code, field]);
    }
    for (const body of [
      credentials('carl'),
      { ...credentials('carl'), password: 'wrong horse' },
      credentials('nobody'),
    ]) {
      const { error } = await post('restore-account', body);
      assert.equal(error?.code, 'UNAUTHENTICATED');
    }
    assert.deepEqual(await state(), rows);
  });

  it('is possible for one of two operators', async () => {
    const { session } = await person('dora');
    await platform.db.run(sql('test_operator', `update accounts set is_operator = true where username = 'dora'`), []);
    assert.equal((await post('delete-account', { password: PASSWORD }, session)).status, 200);
  });

  it('limits guesses of the password with those at the sign-in', async () => {
    const { session } = await person('emil');
    await post('delete-account', { password: PASSWORD }, session);
    for (let n = 0; n < 5; n += 1) await post('restore-account', { ...credentials('emil'), password: 'wrong' });
    assert.equal((await post('restore-account', credentials('emil'))).status, 429);
    assert.equal((await post('sign-in/email', credentials('emil'))).status, 429);
  });
});
