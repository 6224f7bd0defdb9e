import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { END_BROADCAST, type LiveFixture, openLiveFixture, type TestInput } from '../live.fixture.ts';

const SCHEDULE = 'mutation ($input: ScheduleStreamInput!) { scheduleStream(input: $input) { stream { id } } }';
const STREAM = `query ($id: DID!) { content(id: $id) { id shortUrl publishedAt metadata { title visibility }
  ... on Stream { broadcast { state scheduledAt startedAt } chat { isOpen } } } }`;
const FOLLOW = 'mutation ($channel: DID!) { followChannel(channel: $channel) { ok } }';
const NOTIFICATIONS = '{ notifications { edges { node { kind content { id } } } } }';
const SHOW = 'mutation ($id: DID!) { updateContent(id: $id, input: { visibility: PUBLIC }) { id } }';
const MINUTE = 60_000;

describe('an encoder and scheduled broadcasts', () => {
  let live: LiveFixture;
  let anna: Person;
  let bert: Person;
  before(async () => {
    live = await openLiveFixture();
    [anna, bert] = [await live.api.person('anna'), await live.api.person('bert')];
    await live.api.ok(bert, FOLLOW, { channel: anna.channel });
    await live.api.platform.events.start();
  });
  after(async () => {
    await live.api.platform.events.stop();
    await live.close();
  });

  const schedule = async (input: TestInput, minutes: number, values: Record<string, unknown> = {}): Promise<string> => {
    const scheduledAt = new Date(live.api.clock.now() + minutes * MINUTE).toISOString();
    const given = { liveInput: input.id, title: `In ${minutes} minutes`, scheduledAt, ...values };
    return (await live.api.ok(anna, SCHEDULE, { input: given })).scheduleStream.stream.id;
  };
  const stream = async (id: string) => (await live.api.ok(anna, STREAM, { id })).content;
  const stateOf = async (id: string) => (await stream(id)).broadcast.state;
  /** Publishes all at once; returns the streams of the input, which are complete. */
  const broadcast = async (input: TestInput): Promise<string[]> => {
    assert.equal(await live.publish(input, { seconds: 5, isFast: true }).ended, '');
    const open = `select 1 from broadcasts where input_id = $1 and state not in ('SCHEDULED', 'RECORDED')`;
    await until(async () => (await live.api.rows(open, [uuidOf(input.id)])).length === 0, 'it is never recorded');
    const recorded = await live.api.rows<{ id: string }>(
      `select content_id as id from broadcasts where input_id = $1 and state = 'RECORDED' order by connected_at`,
      [uuidOf(input.id)],
    );
    return recorded.map(({ id }) => `did:reelgraph:content/stream/${id}`);
  };
  const notified = async (id: string): Promise<number> => {
    const { edges } = (await live.api.ok(bert, NOTIFICATIONS)).notifications;
    return edges.filter(({ node }: { node: { content: { id: string } } }) => node.content.id === id).length;
  };
  /** Waits until all events are consumed. */
  const consumed = async (): Promise<void> => {
    const { last } = await live.api.row<{ last: number }>('select max(id) as last from events');
    const done = `select 1 from event_cursors where consumer = 'social.notifications' and event_id >= $1`;
    await until(async () => (await live.api.rows(done, [last])).length > 0);
  };

  it('make one stream, from the schedule to the recording', async () => {
    const input = await live.input(anna);
    const id = await schedule(input, 20, { title: 'Eclipse', visibility: 'PUBLIC' });
    const { shortUrl, publishedAt } = await stream(id);
    await consumed();
    assert.equal(await notified(id), 0);
    live.api.clock.advance(MINUTE);
    const encoder = live.publish(input, { seconds: 300 });
    assert.equal(await live.untilState(anna, input, 'LIVE'), id);
    const shown = await stream(id);
    assert.deepEqual([shown.shortUrl, shown.metadata], [shortUrl, { title: 'Eclipse', visibility: 'PUBLIC' }]);
    assert.ok(shown.publishedAt > publishedAt);
    assert.ok(shown.broadcast.startedAt < shown.broadcast.scheduledAt);
    assert.equal(shown.chat.isOpen, true);
    await consumed();
    assert.equal(await notified(id), 1);

    await encoder.kill();
    await live.untilState(anna, input, 'RECONNECTING');
    live.publish(input, { seconds: 300 });
    assert.equal(await live.untilState(anna, input, 'LIVE'), id);
    await live.api.ok(anna, END_BROADCAST, { id });
    await until(async () => (await stateOf(id)) === 'RECORDED');
    const { outputAssets } = await live.stream(bert, id);
    assert.match(await live.text(outputAssets.video.hls), /RESOLUTION=320x180/);
    await consumed();
    assert.equal(await notified(id), 1);
    const streams = await live.api.rows('select id from contents where channel_id = $1', [anna.channelId]);
    assert.deepEqual(streams, [{ id: uuidOf(id) }]);
  });

  it('meet at the nearest time', async () => {
    const input = await live.input(anna);
    const [second, first] = [await schedule(input, 26), await schedule(input, 6)];
    assert.deepEqual(await broadcast(input), [first]);
    live.api.clock.advance(10 * MINUTE);
    assert.deepEqual(await broadcast(input), [first, second]);
  });

  it('do not meet long before and long after the time', async () => {
    const input = await live.input(anna);
    const [late, early] = [await schedule(input, 0), await schedule(input, 391)];
    live.api.clock.advance(360 * MINUTE);
    const [own, ...more] = await broadcast(input);
    assert.ok(own && own !== early && own !== late);
    assert.deepEqual(more, []);
    assert.deepEqual(await Promise.all([early, late].map(stateOf)), ['SCHEDULED', 'SCHEDULED']);
    live.api.clock.advance(2 * MINUTE);
    assert.deepEqual(await broadcast(input), [own, early]);
  });

  it('do not meet where its stream is deleted, or a video was uploaded for it', async () => {
    const input = await live.input(anna);
    const [deleted, uploaded] = [await schedule(input, 1), await schedule(input, 2)];
    await live.api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: deleted });
    await live.api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes)
       values (gen_random_uuid(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/a', 5)`,
      [anna.channelId, uuidOf(uploaded)],
    );
    const [own, ...more] = await broadcast(input);
    assert.ok(own && own !== deleted && own !== uploaded);
    assert.deepEqual(more, []);
  });

  it('meet again where nothing was played', async () => {
    const input = await live.input(anna);
    const id = await schedule(input, 10);
    await live.publish(input, { seconds: 1, isFast: true }).ended;
    await live.untilState(anna, input, 'IDLE');
    assert.equal(await stateOf(id), 'SCHEDULED');
    assert.deepEqual(await broadcast(input), [id]);
  });

  it('tell followers once a stream that is live becomes public', async () => {
    const input = await live.input(anna);
    const id = await schedule(input, 0, { visibility: 'PRIVATE' });
    const encoder = live.publish(input, { seconds: 300 });
    assert.equal(await live.untilState(anna, input, 'LIVE'), id);
    await consumed();
    assert.equal(await notified(id), 0);
    await live.api.ok(anna, SHOW, { id });
    await consumed();
    assert.equal(await notified(id), 1);
    await encoder.kill();
  });
});
