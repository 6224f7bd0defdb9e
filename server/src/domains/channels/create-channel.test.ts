import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PLAN_CODES, PLANS } from '../../kernel/plans.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';

const CREATE =
  'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { channel ' +
  '{ id handle timeZone viewerRole metadata ' +
  '{ name title summary shortSummary keywords } } } }';
const UPDATE =
  'mutation ($id: DID!, $input: UpdateChannelInput!) { updateChannel(id: $id, input: $input) { channel ' +
  '{ handle timeZone } } }';
const CHANNEL = 'query ($id: DID, $handle: String) { channel(id: $id, handle: $handle) { id handle } }';

describe('additional channels', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  it('are created with the given fields, belong to the account, and write an event', async () => {
    const input = {
      name: 'Night Walks',
      handle: 'night_walks',
      summary: 'a\nb',
      keywords: ['night'],
      timeZone: 'Europe/Berlin',
    };
    const { id, ...channel } = (await api.ok(anna, CREATE, { input })).createChannel.channel;
    assert.deepEqual(channel, {
      handle: 'night_walks',
      timeZone: 'Europe/Berlin',
      viewerRole: 'OWNER',
      metadata: { name: 'Night Walks', title: 'Night Walks', summary: 'a\nb', shortSummary: '', keywords: ['night'] },
    });
    assert.deepEqual(await api.rows('select type, channel_id from events where subject_id = $1', [uuidOf(id)]), [
      { type: 'channel.created', channel_id: uuidOf(id) },
    ]);
    assert.deepEqual((await api.ok(anna, CHANNEL, { handle: 'Night_Walks' })).channel, { id, handle: 'night_walks' });
    const draft =
      'mutation ($channel: DID!) { createContent(channel: $channel, input: { title: "x" }) { channel { id } } }';
    assert.deepEqual((await api.ok(anna, draft, { channel: id })).createContent.channel, { id });
    assert.equal((await api.refused(bert, draft, { channel: id })).code, 'UNAUTHORIZED');
    assert.equal((await api.ok(anna, '{ me { channel { id } } }')).me.channel.id, anna.channel);
  });

  it('are counted and listed with all other channels', async () => {
    const before = (await api.ok(anna, '{ channels { totalCount } }')).channels.totalCount;
    await api.ok(anna, CREATE, { input: { name: 'One more', handle: 'one.more' } });
    assert.equal((await api.ok(anna, '{ channels { totalCount } }')).channels.totalCount, before + 1);
  });

  const good = { name: 'A channel', handle: 'a_channel' };
  const refusals: [string, Record<string, unknown>, string, string][] = [
    ['a blank name', { ...good, name: ' ' }, 'FIELD_REQUIRED', 'input.name'],
    ['a control character', { ...good, title: 'a\u0007' }, 'INVALID_INPUT', 'input.title'],
    ['a handle with a space', { ...good, handle: 'a b' }, 'INVALID_INPUT', 'input.handle'],
    ['a reserved handle', { ...good, handle: 'GraphQL' }, 'INVALID_INPUT', 'input.handle'],
    ['a handle that is taken', { ...good, handle: 'ANNA' }, 'RESOURCE_ALREADY_EXISTS', 'input.handle'],
    ['an offset as time zone', { ...good, timeZone: '+02:00' }, 'INVALID_INPUT', 'input.timeZone'],
    ['a time zone that is not there', { ...good, timeZone: 'Europe/Atlantis' }, 'INVALID_INPUT', 'input.timeZone'],
  ];
  for (const [name, input, code, field] of refusals) {
    it(`are refused with ${name}, and nothing is written`, async () => {
      const before = await api.row('select count(*) as n from channels');
      const error = await api.refused(anna, CREATE, { input });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.deepEqual(await api.row('select count(*) as n from channels'), before);
    });
  }

  it('are limited by the plan, also when created concurrently', async () => {
    await api.rows("update subscriptions set plan = 'PREMIUM' where account_id = $1", [bert.accountId]);
    await api.rows("update subscriptions set plan = 'PREMIUM_PLUS' where account_id = $1", [bert.accountId]);
    const most = PLANS.PREMIUM_PLUS.maxChannels;
    const responses = await Promise.all(
      Array.from({ length: most + 2 }, (_, index) =>
        api.run(bert, CREATE, { input: { name: 'Many', handle: `many-${index}` } }),
      ),
    );
    const errors = responses.flatMap((response) => response.errors);
    assert.deepEqual(
      errors.map(({ code, field }) => [code, field]),
      Array.from({ length: 3 }, () => ['INVALID_INPUT', 'input']),
    );
    assert.match(errors[0]?.message ?? '', new RegExp(`Premium\\+ plan allows ${most} channels`));
    assert.deepEqual(await api.row('select count(*) as n from channels where account_id = $1', [bert.accountId]), {
      n: most,
    });
  });

  it('have a limit that follows the plan', () => {
    assert.deepEqual(
      PLAN_CODES.map((plan) => PLANS[plan].maxChannels),
      [2, 5, 20, 100],
    );
  });

  it('release their handle when they change it', async () => {
    const { channel } = (await api.ok(anna, CREATE, { input: { name: 'Wanderer', handle: 'wanderer' } })).createChannel;
    const { channel: updateChannel } = (
      await api.ok(anna, UPDATE, {
        id: channel.id,
        input: { handle: 'settled', timeZone: 'Asia/Kolkata' },
      })
    ).updateChannel;
    assert.deepEqual(updateChannel, { handle: 'settled', timeZone: 'Asia/Kolkata' });
    const reserved = await api.refused(anna, UPDATE, { id: channel.id, input: { handle: 'admin' } });
    assert.deepEqual([reserved.code, reserved.field], ['INVALID_INPUT', 'input.handle']);
    const second = await api.ok(anna, CREATE, { input: { name: 'Second', handle: 'wanderer' } });
    assert.notEqual(second.createChannel.channel.id, channel.id);
  });

  it('are found by either identifier or handle, but not both; the own one without either', async () => {
    assert.deepEqual((await api.ok(anna, CHANNEL, { id: anna.channel })).channel, { id: anna.channel, handle: 'anna' });
    const counted = await api.counted(() => api.ok(anna, CHANNEL, { handle: 'anna' }));
    assert.deepEqual([counted.result.channel.id, counted.statements, counted.roundTrips], [anna.channel, 1, 1]);
    assert.deepEqual((await api.ok(anna, CHANNEL, {})).channel, { id: anna.channel, handle: 'anna' });
    assert.equal((await api.refused(null, CHANNEL, {})).code, 'UNAUTHENTICATED');
    const cases: [Record<string, unknown>, string, string][] = [
      [{ id: anna.channel, handle: 'anna' }, 'INVALID_INPUT', 'handle'],
      [{ id: 'anna' }, 'INVALID_INPUT', 'id'],
      [{ handle: 'nobody-at-all' }, 'RESOURCE_NOT_FOUND', 'handle'],
    ];
    for (const [variables, code, field] of cases) {
      const error = await api.refused(anna, CHANNEL, variables);
      assert.deepEqual([error.code, error.field], [code, field]);
    }
  });

  it('accept time zones that the database supports, too', async () => {
    const known = new Set(
      (await api.rows<{ name: string }>('select name from pg_timezone_names')).map(({ name }) => name),
    );
    const unknown = Intl.supportedValuesOf('timeZone').filter((name) => !known.has(name));
    assert.deepEqual(unknown, []);
  });
});
