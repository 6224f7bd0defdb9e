import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { Credential } from '../../../gql/index.ts';
import { sql } from '../../../platform/db/statement.ts';
import { makeOperatorCode } from '../index.ts';
import { createAccount } from '../sessions/create-account.ts';
import { DEMO_EMAIL } from './operator.policy.ts';
import { openWorld, PASSWORD, type Person, type World } from './testing.ts';

const DAY_MS = 86_400_000;

describe('the operator code of the first start', () => {
  let world: World;
  let person: Person;
  let count = 0;
  before(async () => {
    world = await openWorld({});
  });
  after(() => world.close());
  beforeEach(async () => {
    count += 1;
    person = await world.person(`person${count}`);
  });
  afterEach(() => world.platform.db.run(sql('test_no_operators', 'update accounts set is_operator = false'), []));

  const claim = (who: Credential, code: string) =>
    world.run(who, `mutation { claimOperator(input: { code: "${code}" }) { isOperator } }`);
  async function refusal(who: Credential, code: string) {
    const before = await world.rows();
    const { error } = await claim(who, code);
    assert.deepEqual(await world.rows(), before);
    return error;
  }

  it('makes one account an operator', async () => {
    const code = await makeOperatorCode(world.platform);
    assert.match(code, /^rgo_[0-9A-Za-z]{24}$/);
    assert.equal(JSON.stringify(await world.rows()).includes(code.slice(4)), false);
    const other = await world.person('second');
    const isClaimable = async (): Promise<unknown> =>
      (await world.run(other.session, '{ me { canClaimOperator } }')).data.me.canClaimOperator;
    assert.equal(await isClaimable(), true);
    assert.equal((await claim(person.session, ` ${code} `)).data.claimOperator.isOperator, true);
    assert.equal(await isClaimable(), false);
    const [noted] = await world.platform.db.run(
      sql('test_claim', 'select operator_name, action, subject from operator_actions'),
      [],
    );
    assert.deepEqual(noted, { operator_name: 'person1', action: 'OPERATOR_CLAIMED', subject: 'person1' });
    assert.deepEqual(
      [(await refusal(other.session, code))?.code, (await refusal(other.session, code))?.field],
      ['INVALID_INPUT', 'input.code'],
    );
  });

  it('is valid for a day, or until it is replaced', async () => {
    const first = await makeOperatorCode(world.platform);
    const second = await makeOperatorCode(world.platform);
    assert.equal((await refusal(person.session, first))?.code, 'INVALID_INPUT');
    world.platform.clock.advance(DAY_MS);
    assert.equal((await refusal(person.session, second))?.code, 'INVALID_INPUT');
  });

  it('is invalid once the admin command has created an operator', async () => {
    const code = await makeOperatorCode(world.platform);
    await world.admin('grant-operator', '--username', `person${count}`);
    const other = await world.person('third');
    assert.equal((await refusal(other.session, code))?.code, 'INVALID_INPUT');
  });

  it('requires a session, not a key', async () => {
    const code = await makeOperatorCode(world.platform);
    assert.equal((await refusal(person.key, code))?.code, 'UNAUTHORIZED');
    assert.equal((await refusal({ kind: 'anonymous' }, code))?.code, 'UNAUTHENTICATED');
  });

  it('allows five attempts', async () => {
    const code = await makeOperatorCode(world.platform);
    for (let n = 0; n < 5; n += 1) assert.equal((await refusal(person.session, 'rgo_guess'))?.code, 'INVALID_INPUT');
    assert.equal((await refusal(person.session, code))?.code, 'RATE_LIMIT_EXCEEDED');
    world.platform.clock.advance(30_000);
    assert.equal((await claim(person.session, code)).error, null);
  });

  it('never makes the demo account an operator', async () => {
    const demo = await createAccount(world.platform, { email: DEMO_EMAIL, username: 'demo', password: PASSWORD });
    await world.platform.db.run(
      sql(
        'test_demo_session',
        `insert into sessions (id, account_id, token, expires_at) values (gen_random_uuid(), $1, 'demo', 'infinity')`,
      ),
      [demo.accountId],
    );
    const code = await makeOperatorCode(world.platform);
    const error = await refusal({ kind: 'session', token: 'demo' }, code);
    assert.deepEqual([error?.code, error?.message], ['UNAUTHORIZED', 'The demo account cannot be an operator.']);
    const before = await world.rows();
    assert.equal((await world.admin('grant-operator', '--username', 'demo')).error.code, 'UNAUTHORIZED');
    await assert.rejects(
      world.platform.db.run(sql('test_force', `update accounts set is_operator = true where username = 'demo'`), []),
      /accounts_demo_not_operator/,
    );
    assert.deepEqual(await world.rows(), before);
    await assert.rejects(
      createAccount(world.platform, {
        email: 'DEMO@reelgraph.localhost',
        username: 'demo2',
        password: PASSWORD,
        isOperator: true,
      }),
    );
    assert.deepEqual(await world.rows(), before);
  });
});
