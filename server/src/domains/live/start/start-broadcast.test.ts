import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createHttpServer } from '../../../http/server.ts';
import { testRunner } from '../../../media/testing.ts';
import { freePort } from '../../../platform/config/free-port.ts';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { END_BROADCAST, type LiveFixture, openLiveFixture, type TestInput } from '../live.fixture.ts';
import { registerLive } from '../register.ts';

const START = 'mutation ($id: DID!) { startBroadcast(id: $id) { liveInput { id state } } }';
const INPUT = 'query ($id: DID!) { node(id: $id) { ... on LiveInput { start state preview currentStream { id } } } }';
const SCHEDULE = `mutation ($input: ScheduleStreamInput!) { scheduleStream(input: $input) { stream { id } } }`;
const CANCEL = 'mutation ($id: DID!) { cancelStream(id: $id) { stream { id } } }';
const IN_STATE = `query ($states: [BroadcastState!], $channel: DID) {
  contents(first: 20, filter: { broadcastStates: $states, channel: $channel }) { edges { node { id } } } }`;
const UPCOMING = `query ($channel: DID) { scheduledStreams(channel: $channel, first: 20) { edges { node { id } } } }`;

interface Stored {
  readonly broadcasts: unknown;
  readonly contents: unknown;
  readonly videos: number;
  readonly segments: number;
  readonly events: readonly string[] | null;
}

describe('a broadcast that is started by hand', () => {
  let live: LiveFixture;
  let anna: Person;
  let carl: Person;
  let vera: Person;
  before(async () => {
    live = await openLiveFixture();
    [anna, carl, vera] = [await live.api.person('anna'), await live.api.person('carl'), await live.api.person('vera')];
    await live.api.join(anna.channel, vera, 'VIEWER');
  });
  after(() => live.close());

  const inputOf = async ({ id }: TestInput) => (await live.api.ok(anna, INPUT, { id })).node;
  const previewed = async (input: TestInput): Promise<string> => {
    await until(async () => (await inputOf(input)).preview !== null, 'there is no preview');
    return (await inputOf(input)).preview;
  };
  const stored = () =>
    live.api.row<Stored>(
      `select (select json_agg(b order by b.id) from (select id, state, start_mode, start_requested_at, content_id
          from broadcasts) b) as broadcasts,
        (select json_agg(c.id order by c.id) from contents c) as contents,
        (select count(*) from video_assets) as videos, (select count(*) from broadcast_segments) as segments,
        (select json_agg(e.type order by e.id) from events e) as events`,
    );
  const start = (who: Person, { id }: TestInput) => live.api.ok(who, START, { id });
  const idsIn = async (state: string) =>
    (await live.api.ok(carl, IN_STATE, { states: [state], channel: anna.channel })).contents.edges.map(
      ({ node }: { node: { id: string } }) => node.id,
    );

  it('is seen by its channel alone until then, and its recording begins there', async () => {
    const input = await live.input(anna, { start: 'MANUAL', visibility: 'PUBLIC' });
    const refused = async (who: Person) => {
      const { code, field, message } = await live.api.refused(who, START, { id: input.id });
      return `${code} ${field}: ${message}`;
    };
    const idle = await stored();
    assert.equal(await refused(anna), 'INVALID_INPUT id: No encoder is connected to this live input.');
    assert.deepEqual(await stored(), idle);

    const encoder = live.publish(input, { seconds: 300 });
    const preview = await previewed(input);
    const master = await live.text(preview);
    assert.match(master, /RESOLUTION=320x180/);
    const playlist = new URL('live/video/index.m3u8', preview).href;
    const [, segment = ''] = /^(seg-\d+\.m4s)$/m.exec(await live.text(playlist)) ?? [];
    const [init, picture] = await Promise.all(
      ['init.mp4', segment].map(async (name) => (await fetch(new URL(name, playlist))).arrayBuffer()),
    );
    assert.ok((init?.byteLength ?? 0) > 500 && (picture?.byteLength ?? 0) > 1_000);
    assert.equal((await fetch(preview)).headers.get('cache-control'), 'no-store');
    const { state, currentStream } = await inputOf(input);
    assert.deepEqual([state, currentStream], ['CONNECTED', null]);
    const before = await stored();
    assert.match(await refused(carl), /^RESOURCE_NOT_FOUND id:/);
    assert.match(await refused(vera), /^UNAUTHORIZED id:/);
    for (const hidden of await Promise.all([carl, vera].map((who) => live.api.run(who, INPUT, { id: input.id }))))
      assert.equal(hidden.data.node, null);
    assert.deepEqual(await stored(), before);
    const { contents, videos, segments, events } = before;
    assert.deepEqual([contents, videos, segments], [null, 0, 0]);
    assert.deepEqual(
      events?.filter((type: string) => type.startsWith('stream.')),
      ['stream.connected'],
    );

    live.api.clock.advance(60_000);
    const startedAfter = live.api.clock.now();
    assert.deepEqual(await start(anna, input), { startBroadcast: { liveInput: { id: input.id, state: 'CONNECTED' } } });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    assert.equal((await fetch(preview)).status, 404);
    assert.equal((await inputOf(input)).preview, null);
    const running = await stored();
    assert.equal(await refused(anna), 'INVALID_INPUT id: This live input is live already.');
    assert.deepEqual((await stored()).broadcasts, running.broadcasts);
    const { broadcast, outputAssets } = await live.stream(carl, id);
    assert.equal(Date.parse(broadcast.startedAt), startedAfter);
    assert.match(await live.text(outputAssets.video.hls), /RESOLUTION=320x180/);
    const first = await live.api.row(
      `select s.number, s.start_ticks as "startTicks", s.audio_bytes > 0 as "hasSound" from broadcast_segments s
       join broadcasts b on b.id = s.broadcast_id where b.content_id = $1 order by s.number limit 1`,
      [uuidOf(id)],
    );
    assert.deepEqual(first, { number: 0, startTicks: 0, hasSound: true });
    await live.api.ok(anna, END_BROADCAST, { id });
    await encoder.ended;
    await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
  });

  it('waits again where its encoder is gone before, and its stream is announced meanwhile', async () => {
    const input = await live.input(anna, { start: 'MANUAL' });
    const scheduledAt = new Date(live.api.clock.now() + 600_000).toISOString();
    const values = { liveInput: input.id, title: 'Eclipse', visibility: 'PUBLIC', scheduledAt };
    const { id } = (await live.api.ok(anna, SCHEDULE, { input: values })).scheduleStream.stream;
    const encoder = live.publish(input, { seconds: 300 });
    await previewed(input);
    assert.equal((await live.stream(carl, id)).broadcast.state, 'SCHEDULED');
    assert.deepEqual([await idsIn('SCHEDULED'), await idsIn('CONNECTED')], [[id], []]);
    const upcoming = (await live.api.ok(anna, UPCOMING, { channel: anna.channel })).scheduledStreams.edges;
    assert.deepEqual(upcoming, [{ node: { id } }]);
    const before = await stored();
    const refused = await live.api.refused(anna, CANCEL, { id });
    assert.deepEqual(
      [refused.code, refused.field, refused.message],
      ['INVALID_INPUT', 'id', 'An encoder is connected for this broadcast.'],
    );
    assert.deepEqual(await stored(), before);
    await encoder.kill();
    await live.untilState(anna, input, 'IDLE');
    assert.equal((await inputOf(input)).preview, null);
    const again = live.publish(input, { seconds: 300 });
    await previewed(input);
    await start(anna, input);
    assert.equal(await live.untilState(anna, input, 'LIVE'), id);
    assert.deepEqual([await idsIn('SCHEDULED'), await idsIn('LIVE')], [[], [id]]);
    await again.kill();
    // It continues by itself: it was started.
    await live.untilState(anna, input, 'RECONNECTING');
    const last = live.publish(input, { seconds: 300 });
    assert.equal(await live.untilState(anna, input, 'LIVE'), id);
    await last.kill();
  });

  it('refuses what no broadcast can be made of, also before it is started', async () => {
    const input = await live.input(anna, { start: 'MANUAL' });
    await live.publish(input, { seconds: 30, isFast: true, args: ['-g', '5000', '-keyint_min', '5000'] }).ended;
    await until(async () => (await live.refusal(anna, input))?.startsWith('No keyframe came for 12 seconds.') ?? false);
    await live.untilState(anna, input, 'IDLE');
  });

  it('is previewed at an address that cannot be guessed, and that ends', async () => {
    const input = await live.input(anna, { start: 'MANUAL' });
    const encoder = live.publish(input, { seconds: 300 });
    const preview = await previewed(input);
    await live.text(preview);
    const forged = [
      preview.replace(/(?<=live-previews\/\d+\.)./, (first) => (first === 'x' ? 'y' : 'x')),
      preview.replace(/live-previews\/(\d+)/, (_, expires) => `live-previews/${Number(expires) + 3_600}`),
      preview.replace(/[0-9a-f-]{36}\/master/, '01a1facb-422b-7000-b9e0-9276b51acd0e/master'),
      preview.replace('master.m3u8', '../../x.m4s'),
      preview.replace('master.m3u8', 'live/video/secret.m4s'),
    ];
    for (const url of forged) assert.equal((await fetch(url)).status, 404, url);
    const broadcast = /([0-9a-f-]{36})\/master/.exec(preview)?.[1];
    assert.equal((await fetch(`${live.address}/media/${broadcast}/${broadcast}/live/master.m3u8`)).status, 404);
    await encoder.kill();
    await until(async () => (await fetch(preview)).status === 404);
  });

  it('is previewed by another process', async () => {
    const { platform, domains } = live.api;
    const port = await freePort();
    const config = { ...platform.config, NODE_URL: `http://127.0.0.1:${port}` };
    const other = registerLive(
      { ...platform, config, databaseUrl: platform.test.url },
      testRunner,
      () => domains.media.imageDecoder,
    );
    const server = createHttpServer({
      ...{ platform, version: 'test', routes: [...other.routes], engine: domains.engine },
      credentials: domains.accounts,
    });
    await server.listen(port, '127.0.0.1');
    try {
      const input = await live.input(anna, { start: 'MANUAL' });
      const encoder = live.publish(input, { seconds: 300 });
      const elsewhere = (await previewed(input)).replace(live.address, `http://127.0.0.1:${port}`);
      assert.match(await live.text(elsewhere), /RESOLUTION=320x180/);
      assert.match(await live.text(new URL('live/audio/index.m3u8', elsewhere).href), /seg-\d+\.m4s/);
      await encoder.kill();
    } finally {
      await server.close({ graceMs: 0 });
      await other.close();
    }
  });
});
