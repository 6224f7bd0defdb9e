import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { CREATE_INPUT, type LiveFixture, openLiveFixture } from '../live.fixture.ts';

const CREDITS = `{ me { credits { liveInputs { used limit }
  broadcasts { open openLimit minutesUsed minutesLimit bitrateLimitBps resetsAt } } } }`;
const CHANNEL = 'mutation { createChannel(input: { name: "Second", handle: "second" }) { channel { id } } }';
const BROADCAST = `query ($id: DID!) { node(id: $id) { ... on Stream {
  broadcast { state endReason health { minutesLeft } } } } }`;

describe('quotas of live', () => {
  let live: LiveFixture;
  let anna: Person;
  let count = 0;
  before(async () => {
    live = await openLiveFixture();
  });
  after(() => live.close());
  afterEach(() => change({}));

  const change = (quotas: Record<string, number>) =>
    live.api.rows(
      `insert into instance_settings (plan_quotas, updated_at) values ($1, now())
       on conflict (singleton) do update set plan_quotas = $1`,
      [JSON.stringify({ CREATOR_PLUS: quotas })],
    );
  const person = async () => {
    count += 1;
    anna = await live.api.person(`anna${count}`);
  };
  const credits = async () => (await live.api.ok(anna, CREDITS)).me.credits;
  const stored = () =>
    live.api.row<Record<'broadcasts' | 'inputs' | 'contents' | 'events' | 'charged', unknown>>(
      `select (select json_agg(b.id order by b.id) from broadcasts b) as broadcasts,
        (select json_agg(i.id order by i.id) from live_inputs i) as inputs,
        (select json_agg(c.id order by c.id) from contents c) as contents,
        (select count(*) from events) as events, (select sum(duration_ms) from broadcast_charges) as charged`,
    );
  const broadcastOf = async (id: string) => (await live.api.ok(anna, BROADCAST, { id })).node.broadcast;

  it('limit the live inputs of all channels of an account', async () => {
    await person();
    await change({ maxLiveInputs: 2 });
    const { channel } = (await live.api.ok(anna, CHANNEL)).createChannel;
    await live.input(anna);
    await live.input(anna, { channel: channel.id });
    const before = await stored();
    for (const target of [anna.channel, channel.id]) {
      const error = await live.api.refused(anna, CREATE_INPUT, { input: { name: 'More', channel: target } });
      assert.deepEqual(
        [error.code, error.field, error.message],
        [
          ...['INVALID_INPUT', 'input.channel'],
          "The Creator+ plan of the channel's owner allows 2 live inputs, and the channels of the account have 2.",
        ],
      );
    }
    assert.deepEqual(await stored(), before);
    assert.deepEqual((await credits()).liveInputs, { used: 2, limit: 2 });
  });

  it('limit the broadcasts of an account at the same time, and let an encoder continue its own', async () => {
    await person();
    await change({ maxBroadcasts: 1 });
    const [input, other] = [await live.input(anna), await live.input(anna)];
    const encoder = live.publish(input, { seconds: 300 });
    await live.untilState(anna, input, 'LIVE');
    const before = await stored();
    assert.notEqual(await live.publish(other, { seconds: 5, isFast: true }).ended, '');
    assert.equal(
      await live.refusal(anna, other),
      "The Creator+ plan of the channel's owner allows 1 broadcast at the same time. End another one, or choose a " +
        'plan with more broadcasts.',
    );
    const { charged: _now, ...after } = await stored();
    const { charged: _before, ...unchanged } = before;
    assert.deepEqual(after, unchanged);
    const { open, openLimit } = (await credits()).broadcasts;
    assert.deepEqual([open, openLimit], [1, 1]);
    await encoder.kill();
    await live.untilState(anna, input, 'RECONNECTING');
    const again = live.publish(input, { seconds: 300 });
    await live.untilState(anna, input, 'LIVE');
    await again.kill();
  });

  it('end a broadcast with the last minute of the month, say why, and keep what was recorded', async () => {
    await person();
    await change({ broadcastMinutes: 1 });
    const input = await live.input(anna);
    const encoder = live.publish(input, { seconds: 300 });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    await until(async () => (await broadcastOf(id)).health?.minutesLeft === 1, 'what is left is never known');
    await encoder.ended;
    await until(async () => (await broadcastOf(id)).state === 'RECORDED');
    assert.equal((await broadcastOf(id)).endReason, 'MINUTES_USED_UP');
    const ended = await live.api.row<{ payload: object }>(
      `select payload from events where type = 'stream.ended' and subject_id = $1`,
      [uuidOf(id)],
    );
    assert.deepEqual(ended.payload, { reason: 'MINUTES_USED_UP' });
    const now = new Date(live.api.clock.now());
    const resetsAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
    const reason =
      'The owner of the channel has used the 1 minute of broadcasts per month in the Creator+ plan. Broadcast ' +
      `again from ${resetsAt.slice(0, 10)} on, or choose a plan with more minutes.`;
    assert.equal(await live.refusal(anna, input), reason);
    const { broadcasts } = await credits();
    assert.deepEqual([broadcasts.minutesLimit, broadcasts.open, broadcasts.resetsAt], [1, 0, resetsAt]);
    assert.ok(broadcasts.minutesUsed >= 1 && broadcasts.minutesUsed < 1.5, `${broadcasts.minutesUsed} minutes`);
    const recorded = await live.api.row<{ minutes: number }>(
      'select duration_ms / 60000.0::float8 as minutes from video_assets where content_id = $1',
      [uuidOf(id)],
    );
    assert.ok(Math.abs(recorded.minutes - broadcasts.minutesUsed) < 0.001, 'what was recorded is what counts');

    const before = await stored();
    assert.notEqual(await live.publish(input, { seconds: 5, isFast: true }).ended, '');
    assert.deepEqual(await stored(), before);
    live.api.clock.advance(Date.parse(resetsAt) - live.api.clock.now());
    assert.equal((await credits()).broadcasts.minutesUsed, 0);
    assert.equal(await live.publish(input, { seconds: 5, isFast: true }).ended, '');
  });

  it('limit what an encoder sends', async () => {
    await person();
    await change({ maxBroadcastBitrateBps: 200_000 });
    const input = await live.input(anna);
    await live.publish(input, { seconds: 60, isFast: true, args: ['-b:v', '1M', '-minrate', '1M'] }).ended;
    const reason =
      "The encoder sends more than 0.2 Mbit/s, which the Creator+ plan of the channel's owner allows. Lower its bit " +
      'rate, or choose a plan with a higher one.';
    await until(async () => (await live.refusal(anna, input)) === reason, 'it is not refused');
    assert.equal((await credits()).broadcasts.bitrateLimitBps, 200_000);
  });
});
