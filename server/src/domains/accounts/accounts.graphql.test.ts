import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { type Credential, createEngine, type Engine, Graph, type Services } from '../../gql/index.ts';
import type { AccountId, ChannelId } from '../../kernel/ids.ts';
import { sql } from '../../platform/db/statement.ts';
import { type Accounts, declareAccounts, registerAccounts } from './index.ts';
import { createAccount } from './sessions/create-account.ts';
import { setSubscription } from './subscriptions/change-subscription.ts';
import { DAY_MS, isTrialAvailable, type OperatorSetting, stateAt } from './subscriptions/subscription.policy.ts';
import { type AccountsTestPlatform, createAccountsTestPlatform } from './testing.ts';

const ADD_SESSION = sql(
  'test_add_session',
  'insert into sessions (id, account_id, token, expires_at) values (gen_random_uuid(), $1, $2, $3)',
);
const SETTINGS = `{ developerSettings { eligible reason howToBecomeEligible trialAvailable apiKey
  { hint createdAt lastUsedAt }
  subscription { state plan { name price interval } trial { active startedAt endsAt converted } } } }`;

// biome-ignore lint/suspicious/noExplicitAny: responses are compared, not typed
type Data = any;

describe('accounts through GraphQL', () => {
  let platform: AccountsTestPlatform;
  let accounts: Accounts;
  let engine: Engine;
  let created = 0;
  let person: { accountId: AccountId; channelId: ChannelId; username: string; session: Credential };

  before(async () => {
    platform = await createAccountsTestPlatform();
    accounts = registerAccounts(platform, {
      databaseUrl: platform.databaseUrl,
      version: '1.2.3',
      quotaOf: (id) => engine.quotaOf(id),
    });
    const { viewerSource, authorize, onViewer } = accounts;
    const graph = new Graph();
    declareAccounts(graph);
    // Only this domain is declared, so only its services are needed.
    const services = { accounts: accounts.services } as Services;
    const env = { baseUrl: platform.config.BASE_URL, namespace: 'test' };
    const { db, clock, log } = platform;
    engine = createEngine({
      schema: graph.schema(),
      db,
      clock,
      viewerSource,
      authorize,
      onViewer,
      services,
      env,
      log,
    });
  });
  after(async () => {
    await accounts.stop();
    await platform.close();
  });
  beforeEach(async () => {
    created += 1;
    const username = `user${created}`;
    const account = await createAccount(platform, {
      email: `${username}@example.com`,
      username,
      password: 'correct horse',
    });
    const token = `token-${created}`;
    await platform.db.run(ADD_SESSION, [
      account.accountId,
      token,
      new Date(platform.clock.now() + 365 * DAY_MS).toISOString(),
    ]);
    person = { ...account, session: { kind: 'session', token } };
  });

  async function run(credential: Credential, query: string) {
    const signal = new AbortController().signal;
    return engine.execute({ query, credential, queriesOnly: false, requestId: 'test', signal });
  }
  async function data(credential: Credential, query: string): Promise<Data> {
    const { body } = await run(credential, query);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return JSON.parse(JSON.stringify(body.data));
  }
  async function refusal(credential: Credential, query: string) {
    const { body } = await run(credential, query);
    const [error] = body.errors ?? [];
    assert.ok(error, 'an error was expected');
    return { code: error.extensions?.code, message: error.message, suggestedFix: error.extensions?.suggestedFix };
  }
  const subscribe = (setting: OperatorSetting) =>
    platform.db.transaction((tx) => setSubscription(tx, person.accountId, setting, platform.clock.now()));
  async function newKey(): Promise<{ key: string; credential: Credential }> {
    await subscribe({ plan: 'CREATOR_PLUS', state: 'ACTIVE' });
    const { key } = (await data(person.session, 'mutation { generateApiKey { key } }')).generateApiKey;
    return { key, credential: accounts.credentialFromKey(key) };
  }

  it('verifies a key and returns its permissions, in one statement', async () => {
    const { credential } = await newKey();
    const query =
      '{ verifyConnection { authenticated user { id username email } channel { id name } subscription { plan state ' +
      '} permissions serverVersion } }';
    await data(credential, query);
    const before = { ...platform.db.statistics };
    const { verifyConnection } = await data(credential, query);
    assert.deepEqual(
      [platform.db.statistics.roundTrips - before.roundTrips, platform.db.statistics.statements - before.statements],
      [1, 1],
    );
    const { permissions, ...rest } = verifyConnection;
    assert.deepEqual(rest, {
      authenticated: true,
      user: {
        id: `did:test:channel/${person.channelId}`,
        username: person.username,
        email: `${person.username}@example.com`,
      },
      channel: { id: `did:test:channel/${person.channelId}`, name: person.username },
      subscription: { plan: 'Creator+', state: 'ACTIVE' },
      serverVersion: '1.2.3',
    });
    assert.ok(permissions.includes('content:create'));
    assert.equal(permissions.includes('api_key:manage'), false);
  });

  it('returns the account and its subscription, in one statement', async () => {
    await subscribe({ plan: 'PREMIUM_PLUS', state: 'CANCELED', endsAtMs: Date.parse('2099-01-01T00:00:00Z') });
    const query =
      '{ me { id username email subscription { plan { name price interval } state billAt endsAt canceledAt trial ' +
      '{ active startedAt } } } }';
    const before = platform.db.statistics.statements;
    const { me } = await data(person.session, query);
    assert.equal(platform.db.statistics.statements - before, 1);
    assert.deepEqual(me, {
      id: `did:test:channel/${person.channelId}`,
      username: person.username,
      email: `${person.username}@example.com`,
      subscription: {
        plan: { name: 'Premium+', price: 19.99, interval: 'MONTHLY' },
        state: 'CANCELED',
        billAt: null,
        endsAt: '2099-01-01T00:00:00.000Z',
        canceledAt: new Date(platform.clock.now()).toISOString(),
        trial: { active: false, startedAt: null },
      },
    });
  });

  it('goes from Free to a trial to a key, and returns the next step each time', async () => {
    const free = (await data(person.session, SETTINGS)).developerSettings;
    assert.deepEqual(
      [free.eligible, free.trialAvailable, free.apiKey, free.subscription.plan.name],
      [false, true, null, 'Free'],
    );
    assert.match(free.reason, /Free plan has no developer access/);
    assert.match(free.howToBecomeEligible, /^Start the 14-day trial/);
    const refused = await refusal(person.session, 'mutation { generateApiKey { key } }');
    assert.deepEqual([refused.code, refused.suggestedFix], ['UNAUTHORIZED', free.howToBecomeEligible]);

    const trial = (
      await data(
        person.session,
        'mutation { startTrial { developerSettings { eligible reason trialAvailable subscription { state trial ' +
          '{ active endsAt } } } } }',
      )
    ).startTrial.developerSettings;
    const endsAt = new Date(platform.clock.now() + 14 * DAY_MS).toISOString();
    assert.deepEqual(trial, {
      eligible: true,
      reason: null,
      trialAvailable: false,
      subscription: { state: 'TRIALING', trial: { active: true, endsAt } },
    });
    assert.equal(
      (await refusal(person.session, 'mutation { startTrial { developerSettings { eligible } } }')).code,
      'INVALID_INPUT',
    );

    const { generateApiKey } = await data(
      person.session,
      'mutation { generateApiKey { key apiKey { hint createdAt lastUsedAt } curlCommand } }',
    );
    assert.deepEqual(generateApiKey.apiKey, {
      hint: `${generateApiKey.key.slice(0, 7)}…${generateApiKey.key.slice(-4)}`,
      createdAt: new Date(platform.clock.now()).toISOString(),
      lastUsedAt: null,
    });
    assert.ok(generateApiKey.curlCommand.includes(`-H 'Authorization: Bearer ${generateApiKey.key}'`));
    assert.equal(
      (await refusal(person.session, 'mutation { generateApiKey { key } }')).code,
      'RESOURCE_ALREADY_EXISTS',
    );
    assert.deepEqual(await data(person.session, 'mutation { revealApiKey { key } }'), {
      revealApiKey: { key: generateApiKey.key },
    });
  });

  it('refuses the old key and accepts the new one immediately after regenerating', async () => {
    const { credential } = await newKey();
    await data(credential, '{ me { username } }');
    const { regenerateApiKey } = await data(
      person.session,
      'mutation { regenerateApiKey { key apiKey { lastUsedAt } } }',
    );
    const refused = await run(credential, '{ me { username } }');
    assert.equal(refused.failure, 'UNAUTHENTICATED');
    assert.equal(
      (await data(accounts.credentialFromKey(regenerateApiKey.key), '{ me { username } }')).me.username,
      person.username,
    );
  });

  it('refuses a key after the trial, with a suggested fix, while the session still works', async () => {
    await data(person.session, 'mutation { startTrial { developerSettings { eligible } } }');
    const { generateApiKey } = await data(person.session, 'mutation { generateApiKey { key } }');
    const credential = accounts.credentialFromKey(generateApiKey.key);
    await data(credential, '{ me { id } }');
    platform.clock.advance(14 * DAY_MS);
    const refused = await refusal(credential, '{ verifyConnection { authenticated } }');
    assert.equal(refused.code, 'UNAUTHORIZED');
    assert.match(refused.message, /The Creator\+ trial has ended/);
    assert.match(String(refused.suggestedFix), /Move to Premium\+ or Creator\+/);
    const settings = (await data(person.session, SETTINGS)).developerSettings;
    assert.deepEqual(
      [settings.eligible, settings.trialAvailable, settings.subscription.state],
      [false, false, 'EXPIRED'],
    );
    assert.equal(settings.subscription.trial.active, false);
    await subscribe({ plan: 'PREMIUM_PLUS', state: 'ACTIVE' });
    assert.equal(
      (await data(credential, '{ verifyConnection { authenticated } }')).verifyConnection.authenticated,
      true,
    );
  });

  for (const operation of [
    '{ developerSettings { eligible } }',
    ...[
      'generateApiKey { key }',
      'regenerateApiKey { key }',
      'revealApiKey { key }',
      'startTrial { developerSettings { eligible } }',
    ].map((field) => `mutation { ${field} }`),
  ]) {
    it(`is not open to keys: ${operation}`, async () => {
      const { credential, key } = await newKey();
      const refused = await refusal(credential, operation);
      assert.equal(refused.code, 'UNAUTHORIZED');
      assert.match(String(refused.suggestedFix), /Sign in/);
      assert.equal((await data(person.session, 'mutation { revealApiKey { key } }')).revealApiKey.key, key);
    });
    it(`is not open to anyone without a credential: ${operation}`, async () => {
      assert.equal((await refusal({ kind: 'anonymous' }, operation)).code, 'UNAUTHENTICATED');
    });
  }

  it('returns the last use of a key, and none for a refused key', async () => {
    const { credential } = await newKey();
    await data(credential, '{ me { id } }');
    const usedAt = new Date(platform.clock.now()).toISOString();
    await subscribe({ plan: 'FREE', state: 'ACTIVE' });
    platform.clock.advance(DAY_MS);
    await refusal(credential, '{ me { id } }');
    await accounts.writeKeyUses();
    assert.equal((await data(person.session, SETTINGS)).developerSettings.apiKey.lastUsedAt, usedAt);
  });

  it('derives state and trial like the lifecycle table', async () => {
    const now = platform.clock.now();
    const settings: OperatorSetting[] = [
      { plan: 'FREE', state: 'ACTIVE' },
      { plan: 'PREMIUM', state: 'ACTIVE' },
      { plan: 'CREATOR_PLUS', state: 'PAST_DUE' },
      { plan: 'CREATOR_PLUS', state: 'EXPIRED' },
      { plan: 'CREATOR_PLUS', state: 'CANCELED', endsAtMs: now + 1 },
      { plan: 'CREATOR_PLUS', state: 'CANCELED', endsAtMs: now },
      { plan: 'CREATOR_PLUS', state: 'TRIALING', endsAtMs: now + 1 },
      { plan: 'CREATOR_PLUS', state: 'TRIALING', endsAtMs: now },
    ];
    for (const setting of settings) {
      const facts = await subscribe(setting);
      const response = await data(
        person.session,
        '{ developerSettings { trialAvailable subscription { state } } verifyConnection { subscription { state } } }',
      );
      const { trialAvailable, subscription } = response.developerSettings;
      const expected = stateAt(facts, now);
      assert.deepEqual(
        [subscription.state, response.verifyConnection.subscription.state, trialAvailable],
        [expected, expected, isTrialAvailable(facts, now)],
        JSON.stringify(setting),
      );
    }
  });
});
