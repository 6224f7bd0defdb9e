import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { END_BROADCAST, type LiveFixture, openLiveFixture, type TestInput } from '../live.fixture.ts';
import { type ReceivedStream, Receiver } from './receiver.fixture.ts';

const CREATE = `mutation ($input: CreateSimulcastTargetInput!) { createSimulcastTarget(input: $input) {
  simulcastTarget { id } } }`;
const UPDATE = `mutation ($id: DID!, $input: UpdateSimulcastTargetInput!) {
  updateSimulcastTarget(id: $id, input: $input) { simulcastTarget { id } } }`;
const DELETE = 'mutation ($id: DID!) { deleteSimulcastTarget(id: $id) { id } }';
const TARGET = 'query ($id: DID!) { node(id: $id) { ... on SimulcastTarget { state error } } }';
const KEY = 'key-of-the-other-service';

/** What a stream has of pictures and sound. */
const frames = ({ arrivals }: ReceivedStream, track: 'picture' | 'sound') =>
  arrivals.filter(({ what }) => (track === 'sound' ? what === 'sound' : what === 'picture' || what === 'keyframe'));

/** A stream begins as a decoder needs it, at 0, and its times only go forward. */
function assertWhole(stream: ReceivedStream): void {
  assert.deepEqual(
    stream.arrivals.slice(0, 4).map(({ what, timestamp }) => `${what} ${timestamp}`),
    ['metadata 0', 'picture config 0', 'sound config 0', 'keyframe 0'],
  );
  for (const track of ['picture', 'sound'] as const) {
    const times = frames(stream, track).map(({ timestamp }) => timestamp);
    assert.ok(times.length > 0 && (times[0] ?? 99) < 50, `${track} begins at ${times[0]} ms`);
    const steps = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    assert.ok(
      steps.every((step) => step >= 0 && step <= 45),
      `${track}: ${steps.filter((step) => step < 0 || step > 45)}`,
    );
  }
}

describe('simulcast', () => {
  let live: LiveFixture;
  let anna: Person;
  const receivers: Receiver[] = [];
  before(async () => {
    live = await openLiveFixture({ FETCH_ALLOW: '127.0.0.1' });
    anna = await live.api.person('anna');
  });
  after(async () => {
    await live.close();
    for (const receiver of receivers) receiver.close();
  });

  const receiver = async (...options: Parameters<typeof Receiver.open>) => {
    const opened = await Receiver.open(...options);
    receivers.push(opened);
    return opened;
  };
  const add = async ({ id }: TestInput, url: string, streamKey = KEY): Promise<string> => {
    const input = { liveInput: id, name: 'Other service', url, streamKey };
    return (await live.api.ok(anna, CREATE, { input })).createSimulcastTarget.simulcastTarget.id;
  };
  const target = async (id: string): Promise<{ state: string; error: string | null }> =>
    (await live.api.ok(anna, TARGET, { id })).node;
  const untilTarget = (id: string, state: string) =>
    until(async () => (await target(id)).state === state, `the target is never ${state}`);
  const eventsOf = async (id: string) =>
    live.api.rows<{ type: string; payload: Record<string, unknown> }>(
      `select type, payload from events where type like 'stream.simulcast%' and payload ->> 'simulcastTargetId' = $1
       order by id`,
      [uuidOf(id)],
    );

  it('publishes everything at each target, whatever the others do', async () => {
    const input = await live.input(anna);
    const refusal = ({ streamKey }: { streamKey: string }) => ({ description: `Nobody has the key ${streamKey}.` });
    const [good, hanging, refusing, resetting] = [
      ...[await receiver(), await receiver({ hangs: true })],
      ...[await receiver({ refusal }), await receiver({ resetAfter: 30 })],
    ];
    assert.ok(good && hanging && refusing && resetting);
    const ids = {
      good: await add(input, good.url),
      hanging: await add(input, hanging.url),
      refusing: await add(input, refusing.url),
      resetting: await add(input, resetting.url),
    };
    assert.deepEqual(await target(ids.good), { state: 'IDLE', error: null });
    const encoder = live.publish(input, { seconds: 900 });
    const stream = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    assert.equal(good.connections, 0, 'nothing is published before it is live');

    await untilTarget(ids.good, 'LIVE');
    await until(() => resetting.streams.length === 2, 'the stream that was reset does not come again');
    await untilTarget(ids.resetting, 'LIVE');
    await untilTarget(ids.refusing, 'RETRYING');
    assert.equal((await target(ids.refusing)).error, 'The server refuses the stream: Nobody has the key ….');
    await untilTarget(ids.hanging, 'RETRYING');
    assert.equal((await target(ids.hanging)).error, 'The server does not answer.');

    assert.deepEqual([good.connections, good.streams.length], [1, 1]);
    await until(() => frames(good.stream ?? assert.fail(), 'picture').length > 500, 'it does not go on');
    for (const received of [...good.streams, ...resetting.streams]) assertWhole(received);
    const { broadcast } = await live.stream(anna, stream);
    assert.deepEqual([broadcast.state, broadcast.missingMs], ['LIVE', 0]);

    const types = async (id: string) => (await eventsOf(id)).map(({ type }) => type.replace('stream.simulcast_', ''));
    assert.deepEqual(await types(ids.good), ['live']);
    assert.deepEqual(await types(ids.hanging), ['failed']);
    const ofResetting = async () => (await types(ids.resetting)).slice(-2).join();
    await until(async () => (await ofResetting()) === 'failed,live', 'the outage is not noted');
    assert.deepEqual((await eventsOf(ids.refusing))[0]?.payload, {
      ...{ simulcastTargetId: uuidOf(ids.refusing), name: 'Other service' },
      reason: 'The server refuses the stream: Nobody has the key ….',
    });
    const stored = await live.api.rows<{ text: string }>(
      `select to_jsonb(t)::text as text from simulcast_targets t union all select to_jsonb(e)::text from events e`,
    );
    assert.ok(stored.every(({ text }) => !text.includes(KEY)));

    await live.api.ok(anna, END_BROADCAST, { id: stream });
    await until(() => good.stream?.isClosed === true);
    assert.deepEqual([good.stream?.hasEnded, (await target(ids.good)).state], [true, 'IDLE']);
    assert.equal((await target(ids.hanging)).state, 'IDLE');
    await encoder.ended;
    await until(async () => (await live.stream(anna, stream)).broadcast.state === 'RECORDED');
  });

  it('follows targets that are added, switched, changed and deleted meanwhile', async () => {
    const input = await live.input(anna);
    const [first, second] = [await receiver(), await receiver()];
    live.publish(input, { seconds: 900 });
    const stream = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    const id = await add(input, first.url);
    await untilTarget(id, 'LIVE');
    await live.api.ok(anna, UPDATE, { id, input: { name: 'Renamed' } });

    await live.api.ok(anna, UPDATE, { id, input: { url: second.url, streamKey: 'another-key' } });
    await until(() => second.stream !== undefined);
    assert.equal(second.stream?.request.streamKey, 'another-key');
    await until(() => first.stream?.isClosed === true);
    assert.deepEqual([first.stream?.hasEnded, first.connections], [true, 1], 'a new name is no new connection');
    await untilTarget(id, 'LIVE');

    await live.api.ok(anna, UPDATE, { id, input: { isEnabled: false } });
    assert.equal((await target(id)).state, 'IDLE');
    await until(() => second.stream?.isClosed === true);
    await live.api.ok(anna, UPDATE, { id, input: { isEnabled: true } });
    await until(() => second.streams.length === 2, 'it is not published again');
    await live.api.ok(anna, DELETE, { id });
    await until(() => second.stream?.isClosed === true);
    assert.equal(second.stream?.hasEnded, true);
    await live.api.ok(anna, END_BROADCAST, { id: stream });
  });

  it('breaks off with its encoder, and begins again with it', THOROUGH, async () => {
    const input = await live.input(anna);
    const other = await receiver();
    const id = await add(input, other.url);
    const encoder = live.publish(input, { seconds: 900 });
    await untilTarget(id, 'LIVE');
    await encoder.kill();
    await until(() => other.stream?.isClosed === true);
    assert.equal(other.stream?.hasEnded, false);
    await untilTarget(id, 'IDLE');
    live.publish(input, { seconds: 900 });
    await until(() => other.streams.length === 2, 'it does not come again');
    await untilTarget(id, 'LIVE');
    await until(() => frames(other.stream ?? assert.fail(), 'sound').length > 50);
    assertWhole(other.stream ?? assert.fail());
    const stream = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    await live.api.ok(anna, END_BROADCAST, { id: stream });
  });

  it('publishes at another live input of this server, which ends with it', THOROUGH, async () => {
    const [input, other] = [await live.input(anna), await live.input(anna)];
    await add(input, other.ingest.rtmp ?? assert.fail('it receives RTMP'), other.streamKey);
    live.publish(input, { seconds: 30, args: ['-g', '25'] });
    const id = (await live.untilState(anna, other, 'LIVE')) ?? assert.fail('there is a stream');
    assert.match(await live.text((await live.stream(anna, id)).outputAssets.video.hls), /RESOLUTION=320x180/);
    await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
    assert.equal(await live.refusal(anna, other), null);
  });
});
