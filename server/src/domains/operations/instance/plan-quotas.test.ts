import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { tablesChanged } from '../../../testing/tables-changed.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';
import { operatorOf } from '../testing.ts';

const QUOTAS =
  'maxUploadBytes storageBytes derivedBytes uploadMinutes generationCredits maxChannels maxLiveInputs maxBroadcasts ' +
  'broadcastMinutes maxBroadcastBitrateBps';
const READ = `{ instance { planQuotas { plan current { ${QUOTAS} } defaults { ${QUOTAS} } } } }`;
const UPDATE = 'mutation ($input: UpdateInstanceInput!) { updateInstance(input: $input) { instance { name } } }';
const CREDITS =
  '{ me { credits { storage { limitBytes storageBalance uploadBalance } derivedStorage { limitBytes } ' +
  'uploadMinutes { limit } generation { limit balance } channels { limit } } } }';
const LOG = '{ operatorActions(first: 1) { edges { node { kind subject details } } } }';
const PUBLISH = 'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { content { id } } }';
const CREATE = 'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { channel { id } } }';
const GIB = 1_073_741_824;

describe('quotas of plans', () => {
  let api: TestCatalog;
  let anna: Person;
  let operator: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, operator] = [await api.person('anna'), await operatorOf(api, 'olga')];
  });
  after(() => api.close());

  const change = (...planQuotas: object[]) => api.ok(operator, UPDATE, { input: { planQuotas } });
  const read = async (plan: string) =>
    (await api.ok(anna, READ)).instance.planQuotas.find((each: { plan: string }) => each.plan === plan);
  const set = (plan: string, state: string) =>
    api.rows('update subscriptions set plan = $2, state = $3 where account_id = $1', [anna.accountId, plan, state]);

  it('are the defaults, until operators change some, and again when these are cleared', async () => {
    const free = {
      ...{ maxUploadBytes: 2 * GIB, storageBytes: 20 * GIB, derivedBytes: 30 * GIB },
      ...{ uploadMinutes: 300, generationCredits: 60, maxChannels: 2 },
      ...{ maxLiveInputs: 5, maxBroadcasts: 2, broadcastMinutes: 1_200, maxBroadcastBitrateBps: 12_000_000 },
    };
    assert.deepEqual(await read('FREE'), { plan: 'FREE', current: free, defaults: free });
    await change(
      { plan: 'FREE', storageBytes: 1_000, maxChannels: 9 },
      { plan: 'TRIAL', uploadMinutes: 7, maxUploadBytes: 1.5 * GIB, maxBroadcastBitrateBps: 2_500_000 },
    );
    assert.deepEqual(await read('FREE'), {
      ...{ plan: 'FREE', defaults: free },
      current: { ...free, storageBytes: 1_000, maxChannels: 9 },
    });
    assert.equal((await read('TRIAL')).current.uploadMinutes, 7);
    assert.equal((await read('PREMIUM')).current.storageBytes, 200 * GIB);
    const [{ node }] = (await api.ok(operator, LOG)).operatorActions.edges;
    const details =
      'Storage (Free): 1000 bytes. Channels (Free): 9. Largest file (trials): 1.50 GiB. ' +
      'Minutes of video per month (trials): 7. Bit rate of broadcasts (trials): 2.5 Mbit/s.';
    assert.deepEqual(node, { kind: 'SETTINGS_CHANGED', subject: 'Server', details });
    await change(
      { plan: 'FREE', storageBytes: null, maxChannels: null },
      { plan: 'TRIAL', uploadMinutes: null, maxUploadBytes: null, maxBroadcastBitrateBps: null },
    );
    assert.deepEqual((await read('FREE')).current, free);
    const repeated = await tablesChanged(api.platform.db, () => change({ plan: 'FREE', storageBytes: null }));
    assert.ok(!repeated.includes('operator_actions'), 'a repetition changes nothing');
  });

  it('apply at once to uploads and channels, and to what accounts see, without another query', async () => {
    await set('PREMIUM_PLUS', 'ACTIVE');
    const video = { input: { title: 'Hills', filename: 'a.mp4', size: 5_000 } };
    const before = await api.counted(() => api.ok(anna, PUBLISH, video));
    await change({
      ...{ plan: 'PREMIUM_PLUS', maxUploadBytes: 6_000, storageBytes: 11_000, derivedBytes: 3_000 },
      ...{ uploadMinutes: 10, generationCredits: 20, maxChannels: 1 },
    });
    const after = await api.counted(() => api.ok(anna, PUBLISH, video));
    assert.deepEqual([after.roundTrips, after.statements], [before.roundTrips, before.statements]);
    const { credits } = (await api.ok(anna, CREDITS)).me;
    assert.deepEqual(credits, {
      storage: { limitBytes: 11_000, storageBalance: 1_000 / 1e9, uploadBalance: 10 },
      ...{ derivedStorage: { limitBytes: 3_000 }, uploadMinutes: { limit: 10 } },
      ...{ generation: { limit: 20, balance: 20 }, channels: { limit: 1 } },
    });
    const refusals: string[] = [];
    const refused = async (query: string, input: object) => {
      const { code, field, message } = await api.refused(anna, query, { input });
      refusals.push(`${code} ${field}: ${message}`);
    };
    const changed = await tablesChanged(api.platform.db, async () => {
      await refused(PUBLISH, { ...video.input, size: 7_000 });
      await refused(PUBLISH, video.input);
      await refused(CREATE, { name: 'Second', handle: 'second' });
    });
    assert.deepEqual(refusals, [
      'INVALID_INPUT input.size: The file has 7000 bytes; the limit of the Premium+ plan is 6000 bytes (0.01 MiB).',
      'INVALID_INPUT input.size: The file has 5000 bytes, but 1000 of the 11000 bytes of storage in the Premium+ ' +
        "plan of the channel's owner are left.",
      'INVALID_INPUT input: The Premium+ plan allows 1 channel, and this account owns 1.',
    ]);
    assert.deepEqual(changed, []);
    await set('PREMIUM_PLUS', 'TRIALING');
    const trialOf = async (trial: number, free: number) => {
      await change(
        { plan: 'TRIAL', maxChannels: 4, storageBytes: trial, uploadMinutes: 7 },
        { plan: 'FREE', storageBytes: free },
      );
      const { storage, uploadMinutes } = (await api.ok(anna, CREDITS)).me.credits;
      return [storage.limitBytes, uploadMinutes.limit];
    };
    assert.deepEqual(await trialOf(12_000, 11_000), [12_000, 300]);
    assert.deepEqual(await trialOf(11_000, 12_000), [12_000, 300], 'never below Free');
    await api.ok(anna, CREATE, { input: { name: 'Second', handle: 'second' } });
  });

  it('are in a range, and only operators change them', async () => {
    const calls = [
      [operator, { plan: 'FREE', maxUploadBytes: 250 * GIB + 1 }, 'INVALID_INPUT input.planQuotas.0.maxUploadBytes'],
      [operator, { plan: 'FREE', storageBytes: -1 }, 'INVALID_INPUT input.planQuotas.0.storageBytes'],
      [operator, { plan: 'FREE', maxChannels: 0 }, 'INVALID_INPUT input.planQuotas.0.maxChannels'],
      [operator, { plan: 'TRIAL', uploadMinutes: 10_000_001 }, 'INVALID_INPUT input.planQuotas.0.uploadMinutes'],
      [
        operator,
        { plan: 'FREE', maxBroadcastBitrateBps: 60_000_001 },
        'INVALID_INPUT input.planQuotas.0.maxBroadcastBitrateBps',
      ],
      [anna, { plan: 'FREE', storageBytes: 1 }, 'UNAUTHORIZED undefined'],
      [await api.signedIn(anna), { plan: 'FREE', storageBytes: 1 }, 'UNAUTHORIZED undefined'],
    ] as const;
    const changed = await tablesChanged(api.platform.db, async () => {
      for (const [who, quotas, expected] of calls) {
        const { code, field } = await api.refused(who, UPDATE, { input: { planQuotas: [quotas] } });
        assert.equal(`${code} ${field}`, expected);
      }
    });
    assert.deepEqual(changed, []);
  });
});
