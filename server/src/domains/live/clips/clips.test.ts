import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { openTestRunner } from '../../../media/testing.ts';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { verifyMedia } from '../../delivery/verification/verify-media.ts';
import { dropSegmentsBefore } from '../broadcasts/broadcast-segments.store.ts';
import { END_BROADCAST, type LiveFixture, openLiveFixture, type TestInput } from '../live.fixture.ts';

const run = promisify(execFile);
const CLIP = `mutation ($input: CreateClipInput!) { createClip(input: $input) {
  content { id kind status metadata { title visibility } clippedFrom { id } clipRange { startMs endMs } }
  job { status } } }`;
const RANGE = `query ($id: DID!) { node(id: $id) { ... on Stream {
  broadcast { state clippableRange { startMs endMs } } } } }`;
const WAIT =
  'mutation ($id: DID!) { waitForProcessing(input: { contentId: $id, timeoutSeconds: 60 }) { status error } }';
const PLAYED = `query ($id: DID!) { content(id: $id) { status outputAssets { video { hls } }
  assets { videos { edges { node { duration width height } } } } } }`;

/** A grey whose brightness tells the second of the encoder, in a size. */
const seconds = (size = '320:180') => [
  '-vf',
  `scale=32:18,geq=lum='20+8*mod(floor(T),25)':cb=128:cr=128,scale=${size}`,
];
/** A brightness that no second before the 20th has. */
const bright = (size: string) => ['-vf', `scale=32:18,geq=lum=180:cb=128:cr=128,scale=${size}`];

describe('a clip of a broadcast', { timeout: 120_000 }, () => {
  let live: LiveFixture;
  let anna: Person;
  let bert: Person;
  before(async () => {
    live = await openLiveFixture();
    [anna, bert] = [await live.api.person('anna'), await live.api.person('bert')];
  });
  after(() => live.close());

  const rangeOf = async (id: string) => (await live.api.ok(anna, RANGE, { id })).node.broadcast.clippableRange;
  const create = (content: string, startMs: number, endMs: number, who = anna) =>
    live.api.run(who, CLIP, { input: { content, startMs, endMs, title: 'Goal' } });
  const created = async (content: string, startMs: number, endMs: number): Promise<string> => {
    const { data, errors } = await create(content, startMs, endMs);
    assert.deepEqual(errors, []);
    return data.createClip.content.id;
  };
  /** Publishes until so much is stored; the stream. */
  async function broadcast(input: TestInput, untilMs: number, args = seconds()) {
    const encoder = live.publish(input, { seconds: 600, args });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    await until(async () => ((await rangeOf(id))?.endMs ?? 0) >= untilMs, 'too little is stored');
    return { id, encoder };
  }
  const counts = () =>
    live.api.row(
      `select (select count(*) from contents) as contents, (select count(*) from transcode_jobs) as jobs,
        (select count(*) from events where type not like 'stream.%') as events,
        (select count(*) from captions) as captions,
        (select count(*) from pgboss.job where name = 'clip-broadcast') as orders`,
    );

  it('is refused to others and for ranges that are not there, and nothing is written', async () => {
    const input = await live.input(anna);
    const { id, encoder } = await broadcast(input, 6_000);
    const before = await counts();
    const [hidden] = (await create(id, 0, 2_000, bert)).errors;
    assert.deepEqual([hidden?.code, hidden?.field], ['RESOURCE_NOT_FOUND', 'input.content']);
    const cases: [startMs: number, endMs: number, field: string, message: RegExp][] = [
      [-1, 2_000, 'input.startMs', /not a time/],
      [3_600_000, 3_610_000, 'input.startMs', /has not come so far/],
      [0, 3_600_000, 'input.endMs', /has not come so far/],
      [0, 999, 'input.endMs', /shorter than a second/],
      [2_000, 1_000, 'input.endMs', /shorter than a second/],
    ];
    for (const [startMs, endMs, field, message] of cases) {
      const [error] = (await create(id, startMs, endMs)).errors;
      assert.deepEqual([error?.code, error?.field], ['INVALID_INPUT', field], `${startMs} to ${endMs}`);
      assert.match(error?.message ?? '', message);
      assert.ok(error?.suggestedFix);
    }
    await encoder.kill();
    await live.untilState(anna, input, 'RECONNECTING');
    await live.api.rows('update broadcast_segments set start_ticks = start_ticks + 90 * 700000 where number > 1');
    const [long] = (await create(id, 0, 601_000)).errors;
    assert.match(long?.message ?? '', /at most 10 minutes/);
    const [missing] = (await create(id, 300_000, 400_000)).errors;
    assert.match(missing?.message ?? '', /could be stored/);
    await live.api.rows('delete from broadcast_segments where number = 0');
    const [removed] = (await create(id, 0, 2_000)).errors;
    assert.deepEqual([removed?.field, removed?.code], ['input.startMs', 'INVALID_INPUT']);
    assert.match(removed?.message ?? '', /not kept any more/);
    await live.api.rows('delete from broadcast_segments');
    const [none] = (await create(id, 0, 2_000)).errors;
    assert.deepEqual([none?.field, none?.code], ['input.content', 'INVALID_INPUT']);
    assert.match(none?.message ?? '', /stored yet/);
    assert.deepEqual(await counts(), before);
  });

  it('keeps its segments while the window of the broadcast moves on', async () => {
    const input = await live.input(anna, { recording: 'ROLLING' });
    const { id, encoder } = await broadcast(input, 8_000);
    await encoder.kill();
    await live.untilState(anna, input, 'RECONNECTING');
    const { broadcast_id: of } = await live.api.row<{ broadcast_id: string }>(
      'select id as broadcast_id from broadcasts where content_id = $1',
      [uuidOf(id)],
    );
    const numbers = async () =>
      (
        await live.api.rows<{ number: number }>(
          'select number from broadcast_segments where broadcast_id = $1 order by 1',
          [of],
        )
      ).map(({ number }) => number);
    await live.api.rows(
      `update broadcast_segments set start_ticks = start_ticks + 90 * 20000 where broadcast_id = $1 and number > 1`,
      [of],
    );
    const { endMs } = await rangeOf(id);
    const clip = await created(id, endMs - 1_500, endMs);
    const { platform } = live.api;
    assert.deepEqual(
      (await dropSegmentsBefore(platform.db, of, 99)).map(({ number }) => number).sort(),
      [0, 0, 1, 1],
      'those long before it are not needed',
    );
    assert.equal((await numbers())[0], 2);
    await live.api.rows(`update contents set status = 'READY' where id = $1`, [uuidOf(clip)]);
    await dropSegmentsBefore(platform.db, of, 99);
    assert.deepEqual(await numbers(), []);
  });

  describe('that a worker makes', () => {
    before(async () => {
      const { domains, platform } = live.api;
      const tools = { runner: await openTestRunner(), toneMapping: true };
      await domains.live.startWork();
      await domains.media.startMediaWork(tools);
      await domains.live.startMediaWork(tools);
      await platform.events.start();
    });
    after(async () => {
      await live.api.platform.events.stop();
      await live.api.platform.jobs.stop({ graceMs: 10_000 });
      await live.api.domains.media.close();
    });

    const ended = async (id: string) => (await live.api.ok(anna, WAIT, { id })).waitForProcessing;
    const played = async (id: string) => {
      const { status, outputAssets, assets } = (await live.api.ok(anna, PLAYED, { id })).content;
      return { status, hls: outputAssets?.video.hls, ...assets.videos.edges[0]?.node };
    };
    /** The brightness of the frames of its file, as seconds of the encoder, and how many of them follow each other. */
    async function framesOf(id: string): Promise<[second: number, frames: number][]> {
      const { key } = await live.api.row<{ key: string }>(
        'select source_key as key from video_assets where content_id = $1',
        [uuidOf(id)],
      );
      const raw = await live.api.platform.store.withLocalFile(key, async (path) => {
        const decode = ['-v', 'error', '-i', path, '-an', '-vf', 'scale=2:2', '-fps_mode', 'passthrough'];
        const output = ['-pix_fmt', 'yuv420p', '-f', 'rawvideo', '-'];
        return (await run('ffmpeg', [...decode, ...output], { encoding: 'buffer' })).stdout;
      });
      const frames: [number, number][] = [];
      for (let at = 0; at < raw.length; at += 6) {
        const second = Math.round(((raw[at] ?? 0) - 20) / 8);
        const last = frames.at(-1);
        if (last?.[0] === second) last[1] += 1;
        else frames.push([second, 1]);
      }
      return frames;
    }
    const tracksOf = async (id: string) => {
      const { key } = await live.api.row<{ key: string }>(
        'select source_key as key from video_assets where content_id = $1',
        [uuidOf(id)],
      );
      return live.api.platform.store.withLocalFile(key, async (path) => {
        const show = ['-show_entries', 'stream=codec_name,duration', '-of', 'csv=p=0'];
        const { stdout } = await run('ffprobe', ['-v', 'error', ...show, path]);
        return stdout
          .trim()
          .split('\n')
          .map((line) => line.replace(/(\d\.\d)\d+$/, '$1'));
      });
    };
    const near = (found: [number, number][], expected: [number, number][], offBy = 1) => {
      assert.deepEqual(
        found.map(([second]) => second),
        expected.map(([second]) => second),
        JSON.stringify(found),
      );
      for (const [index, [, frames]] of expected.entries())
        assert.ok(Math.abs((found[index]?.[1] ?? 0) - frames) <= offBy, JSON.stringify(found));
    };

    it('has exactly its range, is there while the broadcast goes on, and outlives it', async () => {
      const input = await live.input(anna, { visibility: 'PUBLIC' });
      const { id, encoder } = await broadcast(input, 8_000);
      const { data } = await create(id, 4_520, 7_000);
      const { content, job } = data.createClip;
      const clip: string = content.id;
      assert.deepEqual(
        { ...content, job },
        {
          ...{ id: clip, kind: 'FEATURE', status: 'PROCESSING', metadata: { title: 'Goal', visibility: 'PRIVATE' } },
          ...{ clippedFrom: { id }, clipRange: { startMs: 4_520, endMs: 7_000 }, job: { status: 'QUEUED' } },
        },
      );
      assert.equal((await create(id, 0, 2_000, bert)).errors[0]?.code, 'UNAUTHORIZED');
      assert.deepEqual(await ended(clip), { status: 'COMPLETE', error: null });
      assert.equal((await live.stream(anna, id)).broadcast.state, 'LIVE');
      const { hls, ...facts } = await played(clip);
      assert.deepEqual(facts, { status: 'READY', duration: 2.48, width: 320, height: 180 });
      assert.deepEqual(await tracksOf(clip), ['h264,2.4', 'aac,2.4']);
      near(await framesOf(clip), [
        [4, 12],
        [5, 25],
        [6, 25],
      ]);
      const events = await live.api.rows<{ type: string }>(
        `select type from events where subject_id = $1 and type like 'content.%' order by id`,
        [uuidOf(clip)],
      );
      assert.equal(events[0]?.type, 'content.created');

      await live.api.ok(anna, END_BROADCAST, { id });
      await encoder.ended;
      await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
      await live.api.rows('delete from contents where id = $1', [uuidOf(id)]);
      await live.api.platform.store.deletePrefix(`media/${uuidOf(id)}/`);
      assert.match(await live.text(hls), /RESOLUTION=320x180/);
      const { problems } = await verifyMedia(live.api.platform, { repair: false, graceMs: 3_600_000 });
      assert.deepEqual(
        problems.filter((problem) => JSON.stringify(problem).includes(uuidOf(clip))),
        [],
      );
    });

    it('goes across an encoder that comes back with a larger picture, also when it is recorded', THOROUGH, async () => {
      const input = await live.input(anna);
      const { id, encoder } = await broadcast(input, 6_000);
      await encoder.kill();
      await live.untilState(anna, input, 'RECONNECTING');
      const { endMs: cutMs } = await rangeOf(id);
      const { encoder: second } = await broadcast(input, cutMs + 4_000, bright('640:360'));
      const clip = await created(id, cutMs - 1_000, cutMs + 1_000);
      assert.deepEqual(await ended(clip), { status: 'COMPLETE', error: null });
      const { duration, status, width, height } = await played(clip);
      assert.deepEqual([status, width, height], ['READY', 640, 360]);
      // The time line goes on after the sound of the first encoder.
      assert.ok(Math.abs(duration - 2) < 0.05, `${duration} s`);
      const [video, audio] = await tracksOf(clip);
      assert.match(`${video} ${audio}`, /^h264,(?:1\.9|2\.0) aac,(?:1\.9|2\.0)$/);
      const frames = await framesOf(clip);
      const before = frames.slice(0, -1).reduce((sum, [, count]) => sum + count, 0);
      near(
        [[0, before], frames.at(-1) ?? assert.fail()],
        [
          [0, 25],
          [20, 25],
        ],
      );
      assert.ok(
        frames.slice(0, -1).every(([second]) => second >= 4 && second < 20),
        JSON.stringify(frames),
      );

      await live.api.ok(anna, END_BROADCAST, { id });
      await second.ended;
      await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
      assert.equal(await rangeOf(id), null);
      const again = await created(id, cutMs - 1_000, cutMs + 1_000);
      assert.deepEqual(await ended(again), { status: 'COMPLETE', error: null });
      near(await framesOf(again), frames, 2);
      const [late] = (await create(id, 3_600_000, 3_601_000)).errors;
      assert.match(late?.message ?? '', /after the end of the video/);
    });

    it('is made of the file of its recording once there is one', THOROUGH, async () => {
      const input = await live.input(anna);
      await live.publish(input, { seconds: 6, isFast: true, args: seconds() }).ended;
      const recorded = () =>
        live.api.rows<{ id: string }>(
          `select b.content_id as id from broadcasts b join video_assets v on v.id = b.video_asset_id
           where b.input_id = $1 and b.state = 'RECORDED' and v.size_bytes > 0`,
          [uuidOf(input.id)],
        );
      await until(async () => (await recorded()).length > 0, 'the recording has no file');
      const id = `did:reelgraph:content/stream/${(await recorded())[0]?.id}`;
      const clip = await created(id, 2_000, 4_000);
      assert.deepEqual(await ended(clip), { status: 'COMPLETE', error: null });
      near(await framesOf(clip), [
        [2, 25],
        [3, 25],
      ]);
    });
  });
});
