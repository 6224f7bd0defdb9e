import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemClock } from '../../../platform/clock.ts';
import { createLogger } from '../../../platform/log.ts';
import { until } from '../../../testing/until.ts';
import { findAccount } from '../accounts.store.ts';
import { grantOperator, revokeOperator } from '../operators/operator-code.ts';
import { setSubscription } from '../subscriptions/change-subscription.ts';
import { checkGroups, pauseUnconfirmed } from './check-groups.ts';
import { openProviders, watchGroups } from './open-providers.ts';
import { openSignOnWorld, type SignOnWorld } from './testing.ts';

describe('groups at a provider', () => {
  let world: SignOnWorld;
  let opened: ReturnType<typeof openProviders>;
  before(async () => {
    world = await openSignOnWorld();
    opened = openProviders(world.platform);
  });
  after(async () => {
    await opened.close();
    await world.close();
  });

  const person = (subject: string, groups?: readonly string[]) =>
    world.provider.people.set(subject, {
      ...{ email: `${subject}@example.com`, email_verified: true, preferred_username: subject },
      ...(groups === undefined ? {} : { groups }),
    });
  /** What workers do after some seconds. */
  async function pass(seconds: number) {
    world.platform.clock.advance(seconds * 1_000);
    while (await checkGroups(world.platform, opened.providers));
    await pauseUnconfirmed(world.platform);
  }
  const has = async (username: string) => [await world.isOperator(username), await world.planOf(username)];
  async function idOf(username: string) {
    const account = await findAccount(world.platform.db, { username });
    return account?.id ?? assert.fail(username);
  }

  it('make operators and give the highest plan, and take both when they are lost', async () => {
    person('ann', ['staff', 'admins', 'creators']);
    const { cookie } = await world.signIn('ann');
    assert.deepEqual(await has('ann'), [true, 'CREATOR_PLUS']);
    assert.equal((await world.get('get-session', cookie)).body.user.isOperator, true);
    await pass(20);
    assert.deepEqual(await has('ann'), [true, 'CREATOR_PLUS']);
    person('ann', ['staff']);
    await pass(20);
    assert.deepEqual(await has('ann'), [false, 'PREMIUM']);
    assert.equal((await world.get('get-session', cookie)).body.user.isOperator, false);
    person('ann', []);
    await pass(20);
    assert.deepEqual(await has('ann'), [false, 'FREE']);
    assert.equal((await world.get('get-session', cookie)).body.user.username, 'ann');
  });

  it('give something again at the next sign-in', async () => {
    person('ben');
    await world.signIn('ben');
    assert.deepEqual(await has('ben'), [false, 'FREE']);
    person('ben', ['admins']);
    await pass(20);
    assert.deepEqual(await has('ben'), [false, 'FREE']);
    await world.signIn('ben');
    assert.deepEqual(await has('ben'), [true, 'FREE']);
  });

  it('are read with a new access token when the first has ended', async () => {
    person('cem', ['admins']);
    await world.signIn('cem');
    world.platform.clock.advance(3_600_000);
    const before = world.provider.requests.length;
    await pass(20);
    assert.ok(world.provider.requests.slice(before).includes('/token'));
    assert.equal(await world.isOperator('cem'), true);
  });

  it('take the role while the provider hangs, and give it back', async () => {
    person('dan', ['admins', 'creators']);
    await world.signIn('dan');
    world.provider.hangs = true;
    await pass(20);
    assert.deepEqual(await has('dan'), [true, 'CREATOR_PLUS']);
    await pass(30);
    assert.deepEqual(await has('dan'), [false, 'CREATOR_PLUS']);
    world.provider.hangs = false;
    await pass(20);
    assert.deepEqual(await has('dan'), [true, 'CREATOR_PLUS']);
  });

  it('take the role from who has signed out, and leave the plan', async () => {
    person('eva', ['admins', 'creators']);
    const { cookie } = await world.signIn('eva');
    await world.post('sign-out', {}, cookie);
    assert.equal(await world.sessionsOf('eva'), 0);
    await pass(50);
    assert.deepEqual(await has('eva'), [false, 'CREATOR_PLUS']);
  });

  it('end the session whose tokens the provider refuses', async () => {
    person('fay', ['admins']);
    await world.signIn('fay');
    await world.provider.forgetAll();
    await pass(20);
    assert.equal(await world.sessionsOf('fay'), 0);
    await pass(50);
    assert.equal(await world.isOperator('fay'), false);
  });

  it('leave the role and the plan that an account has for another reason', async () => {
    const { db, clock } = world.platform;
    person('gil');
    await world.signIn('gil');
    const id = await idOf('gil');
    await db.transaction((tx) => grantOperator(tx, { email: 'gil@example.com' }, id, clock.now()));
    await db.transaction((tx) => setSubscription(tx, id, { plan: 'PREMIUM_PLUS', state: 'ACTIVE' }, clock.now()));
    person('gil', ['admins', 'creators']);
    await world.signIn('gil');
    assert.deepEqual(await has('gil'), [true, 'PREMIUM_PLUS']);
    person('gil', []);
    await world.signIn('gil');
    await pass(50);
    assert.deepEqual(await has('gil'), [true, 'PREMIUM_PLUS']);
    await revokeOperator(world.platform, id);
  });

  it('give the role again where a command took it', async () => {
    person('ivo', ['admins']);
    await world.signIn('ivo');
    await revokeOperator(world.platform, await idOf('ivo'));
    await pass(20);
    assert.equal(await world.isOperator('ivo'), true);
  });

  it('never make the demo account an operator', async () => {
    world.provider.people.set('demo', {
      ...{ email: 'demo@reelgraph.localhost', email_verified: true, preferred_username: 'demo', groups: ['admins'] },
    });
    assert.equal((await world.signIn('demo')).status, 200);
    assert.equal(await world.isOperator('demo'), false);
  });
});

describe('the operator role while signed in', () => {
  it('ends within a minute of the loss of the group', async () => {
    const world = await openSignOnWorld();
    const platform = { ...world.platform, clock: systemClock, log: createLogger({ level: 'silent' }) };
    const opened = openProviders(platform);
    const watch = watchGroups(platform, opened.providers);
    try {
      const ann = { email: 'ann@example.com', email_verified: true, preferred_username: 'ann' };
      world.provider.people.set('ann', { ...ann, groups: ['admins'] });
      const { cookie } = await world.signIn('ann');
      watch.start();
      assert.equal((await world.get('get-session', cookie)).body.user.isOperator, true);
      world.provider.people.set('ann', ann);
      const lostMs = performance.now();
      await until(async () => !(await world.isOperator('ann')), 'the role ends', 60_000);
      assert.ok(performance.now() - lostMs < 60_000);
      assert.equal((await world.get('get-session', cookie)).body.user.isOperator, false);
    } finally {
      await watch.stop();
      await opened.close();
      await world.close();
    }
  });
});
