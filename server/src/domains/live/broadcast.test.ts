import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { isDeepStrictEqual, promisify } from 'node:util';
import { testRunner } from '../../media/testing.ts';
import { sql } from '../../platform/db/statement.ts';
import { until } from '../../testing/until.ts';
import { type Person, uuidOf } from '../catalog/testing.ts';
import { PLAYER_REQUEST } from '../delivery/files/file-request.fixture.ts';
import { verifyMedia } from '../delivery/verification/verify-media.ts';
import { END_BROADCAST, type LiveFixture, openLiveFixture } from './live.fixture.ts';
import { followBroadcasts } from './recording/follow-broadcasts.ts';
import { storeRecording } from './recording/store-recording.handler.ts';
import { registerLive } from './register.ts';

const run = promisify(execFile);
const ROTATE = 'mutation ($id: DID!) { rotateLiveInputKey(id: $id) { liveInput { id streamKey } } }';
const LOCK_SEGMENTS = sql('test_lock_segments', 'lock table broadcast_segments in exclusive mode');
const DELETE_INPUT = 'mutation ($id: DID!) { deleteLiveInput(id: $id) { id } }';

/** Durations of the streams that a player finds at an address, and what it complains about. */
async function played(url: string): Promise<{ video: number; audio: number; complaints: string }> {
  const count = async (stream: string) => {
    const args = ['-v', 'warning', '-select_streams', stream, '-count_packets'];
    const { stdout, stderr } = await run('ffprobe', [
      ...args,
      '-show_entries',
      'stream=nb_read_packets',
      '-of',
      'csv=p=0',
      url,
    ]);
    return { packets: Number.parseInt(stdout, 10), stderr };
  };
  const [video, audio] = [await count('v:0'), await count('a:0')];
  const complaints = (video.stderr + audio.stderr).split('\n').filter((line) => line && !EXPECTED.test(line));
  complaints.push(...(await missingSegments(url)));
  return { video: video.packets / 25, audio: (audio.packets * 1_024) / 48_000, complaints: complaints.join('\n') };
}

/** After a discontinuity, the initialization segment is named again; ffmpeg asks for segments that are gaps. */
const EXPECTED = /duplicated MOOV|404 Not Found|keepalive request failed|Failed to open segment/;

/** Addresses in the playlists of a recording at which nothing is, except for gaps. */
async function missingSegments(url: string): Promise<string[]> {
  const missing: string[] = [];
  for (const track of ['video', 'audio']) {
    const folder = url.replace('master.m3u8', `live/${track}/`);
    const playlist = await (await fetch(`${folder}index.m3u8`)).text();
    for (const [, tags = '', name] of playlist.matchAll(/((?:^#.*\n)*)^(seg-\d+\.m4s)$/gm))
      if (!tags.includes('#EXT-X-GAP') && !(await fetch(`${folder}${name}`)).ok) missing.push(`${track}/${name}`);
  }
  return missing;
}

describe('a broadcast', () => {
  let live: LiveFixture;
  let anna: Person;
  let carl: Person;
  const follow = () => followBroadcasts({ ...live.api.platform, journals: live.api.domains.live.services.journals });
  before(async () => {
    live = await openLiveFixture();
    [anna, carl] = [await live.api.person('anna'), await live.api.person('carl')];
  });
  after(() => live.close());

  /** Of events only those that are about other subjects than `known`: earlier broadcasts may still be ending. */
  const rows = (known: readonly string[] = []) =>
    live.api.row(
      `select (select count(*) from broadcasts) as broadcasts, (select count(*) from contents) as contents,
        (select count(*) from video_assets) as videos,
        (select count(*) from events where subject_id is null or subject_id <> all($1)) as events`,
      [known],
    );
  const eventsOf = async (id: string) =>
    (
      await live.api.rows<{ type: string }>('select type from events where subject_id = $1 order by id', [uuidOf(id)])
    ).map(({ type }) => type);

  it('becomes a video of all that was sent, at the same address', async () => {
    const input = await live.input(anna, { name: 'Morning show' });
    const encoder = live.publish(input, { seconds: 9, isFast: true });
    assert.equal(await encoder.ended, '');
    await live.untilState(anna, input, 'IDLE');
    const [content] = await live.api.rows<{ id: string; visibility: string; status: string; title: string }>(
      'select id, visibility, status, title from contents',
    );
    assert.ok(content);
    assert.deepEqual(
      { ...content, id: '' },
      { id: '', visibility: 'PRIVATE', status: 'PUBLISHED', title: 'Morning show' },
    );
    const id = `did:reelgraph:content/stream/${content.id}`;
    await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
    const { broadcast, outputAssets } = await live.stream(anna, id);
    assert.deepEqual([broadcast.missingMs, broadcast.health], [0, null]);
    assert.ok(broadcast.startedAt && broadcast.endedAt);
    const { video, audio, complaints } = await played(outputAssets.video.hls);
    assert.equal(complaints, '');
    assert.equal(video, 9);
    assert.ok(Math.abs(audio - 9) < 0.1, `${audio} s of sound`);
    assert.match(await live.text(outputAssets.video.dash), /<MPD/);
    const row = await live.api.row<{ duration_ms: number; derived_files: number }>(
      'select duration_ms, derived_files from video_assets',
    );
    assert.deepEqual(row, { duration_ms: 9_000, derived_files: 15 });
    assert.deepEqual((await verifyMedia(live.api.platform, { repair: false, graceMs: 0 })).problems, []);
    assert.deepEqual(await eventsOf(id), [
      ...['content.created', 'content.published', 'stream.live', 'stream.ended', 'stream.recorded'],
    ]);
  });

  it('is kept where its encoder has ended before the first segment was stored', async () => {
    const input = await live.input(anna);
    await live.api.platform.db.transaction(async (tx) => {
      await tx.run(LOCK_SEGMENTS, []);
      assert.equal(await live.publish(input, { seconds: 5, isFast: true }).ended, '');
    });
    const states = () => live.api.rows('select state from broadcasts where input_id = $1', [uuidOf(input.id)]);
    await until(async () => isDeepStrictEqual(await states(), [{ state: 'RECORDED' }]));
  });

  it('is recorded where it is ended while the loss of its encoder is being noted', async () => {
    const [input, other] = [await live.input(anna), await live.input(anna)];
    const encoder = live.publish(input, { seconds: 300 });
    live.publish(other, { seconds: 300 });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    await live.untilState(anna, other, 'LIVE');
    const alive = 'select id from broadcasts where input_id = $1 and heartbeat_at >= $2';
    await live.api.platform.db.transaction(async (tx) => {
      await tx.run(LOCK_SEGMENTS, []);
      await encoder.kill();
      live.api.clock.advance(1);
      const values = [uuidOf(other.id), new Date(live.api.clock.now()).toISOString()];
      await until(async () => (await live.api.rows(alive, values)).length > 0, 'no sign of life follows');
      await live.api.ok(anna, END_BROADCAST, { id });
    });
    await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
  });

  it('is encoded like an upload, from a file that is made of its segments', async () => {
    const input = await live.input(anna);
    await live.publish(input, { seconds: 9, isFast: true }).ended;
    const recorded = () =>
      live.api.rows<{ id: string; video: string }>(
        `select id, video_asset_id as video from broadcasts where input_id = $1 and state = 'RECORDED'`,
        [uuidOf(input.id)],
      );
    await until(async () => (await recorded()).length > 0);
    const [{ id, video } = assert.fail('it is recorded')] = await recorded();
    const signal = new AbortController().signal;
    const store = () => storeRecording(live.api.platform, id, { signal, attempt: 1 });
    await store();
    const [packets, format] = await live.api.platform.store.withLocalFile(`sources/${video}`, async (path) => {
      const probe = (...args: string[]) => run('ffprobe', ['-v', 'error', ...args, '-of', 'csv=p=0', path]);
      const counted = await probe('-count_packets', '-show_entries', 'stream=codec_name,nb_read_packets');
      const { stdout, stderr } = await probe('-show_entries', 'format=duration');
      return [counted.stdout.trim().split('\n'), { seconds: Number(stdout), errors: counted.stderr + stderr }] as const;
    });
    assert.equal(packets[0], 'h264,225');
    assert.match(packets[1] ?? '', /^aac,42\d$/);
    assert.deepEqual([Math.round(format.seconds * 10), format.errors], [90, '']);
    const jobs = () => live.api.rows('select status, purpose from transcode_jobs where video_asset_id = $1', [video]);
    assert.deepEqual(await jobs(), [{ status: 'QUEUED', purpose: 'PROCESS' }]);
    await store();
    assert.equal((await jobs()).length, 1);
  });

  it('is played while it is live, waits for its encoder, and continues', async () => {
    const input = await live.input(anna, { visibility: 'PUBLIC' });
    const first = live.publish(input, { seconds: 300 });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    const { outputAssets, broadcast } = await live.stream(anna, id);
    assert.deepEqual([broadcast.state, broadcast.endedAt, outputAssets.video.dash], ['LIVE', null, null]);
    assert.equal(broadcast.hls, outputAssets.video.hls);
    const master = await live.text(outputAssets.video.hls);
    assert.match(master, /RESOLUTION=320x180/);
    assert.match(await live.text(broadcast.dash), / type="dynamic"[\s\S]*<Representation id="video" /);
    assert.match(await live.text(new URL('time.txt', broadcast.dash).href), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const playlist = outputAssets.video.hls.replace('master.m3u8', 'live/video/index.m3u8');
    const hint = /#EXT-X-PRELOAD-HINT:TYPE=PART,URI="seg-(\d+)\.\d\.m4s"/.exec(await live.text(playlist));
    const next = hint?.[1] ?? assert.fail('there is no hint');
    // Parts are listed only for some seconds: one that is to come is in the response that waited for it.
    assert.match(
      await live.text(`${playlist}?_HLS_msn=${Number(next)}&_HLS_part=1`),
      new RegExp(`seg-${next}\\.1\\.m4s`),
    );
    assert.equal((await fetch(`${playlist}?_HLS_msn=90`)).status, 400);
    await until(async () => (await live.stream(anna, id)).broadcast.health?.frameRate > 0);
    assert.equal((await live.stream(carl, id)).broadcast.health, null);

    const before = await rows();
    const second = live.publish(input, { seconds: 5, isFast: true });
    assert.notEqual(await second.ended, '');
    assert.deepEqual(await rows(), before);

    await first.kill();
    assert.equal(await live.untilState(anna, input, 'RECONNECTING'), id);
    live.publish(input, { seconds: 300 });
    assert.equal(await live.untilState(anna, input, 'LIVE'), id);
    assert.match(await live.text(playlist), /#EXT-X-DISCONTINUITY\n/);
    await until(async () => (await live.text(broadcast.dash)).split('<Period ').length === 3);

    const unchanged = await rows();
    assert.equal((await live.api.refused(carl, END_BROADCAST, { id })).code, 'UNAUTHORIZED');
    assert.deepEqual(await rows(), unchanged);
    assert.equal((await live.api.ok(anna, END_BROADCAST, { id })).endBroadcast.stream.broadcast.state, 'ENDED');
    await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
    const { complaints } = await played(outputAssets.video.hls);
    assert.equal(complaints, '');
    assert.match(await live.text(playlist), /#EXT-X-ENDLIST\n$/);
    const recorded = (await live.stream(anna, id)).broadcast;
    assert.deepEqual([recorded.hls, recorded.dash], [null, null]);
    assert.match(await live.text(broadcast.dash), / type="static" mediaPresentationDuration="PT/);
    assert.equal((await run('ffmpeg', ['-v', 'error', '-i', broadcast.dash, '-f', 'null', '-'])).stderr, '');
    assert.equal((await live.api.refused(anna, END_BROADCAST, { id })).code, 'INVALID_INPUT');
    assert.deepEqual((await eventsOf(id)).slice(2), [
      ...['stream.live', 'stream.reconnecting', 'stream.live', 'stream.ended', 'stream.recorded'],
    ]);

    assert.notEqual(await live.publish(input, { seconds: 5, isFast: true }).ended, '', 'refused for a minute');
    live.api.clock.advance(60_000);
    assert.equal(await live.publish(input, { seconds: 5, isFast: true }).ended, '');
  });

  it('is continued by another process', async () => {
    const input = await live.input(anna);
    const first = live.publish(input, { seconds: 300 });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    const { outputAssets } = await live.stream(anna, id);
    await first.kill();
    await live.untilState(anna, input, 'RECONNECTING');
    const { platform } = live.api;
    const other = registerLive(
      { ...platform, databaseUrl: platform.test.url },
      testRunner,
      () => live.api.domains.media.imageDecoder,
    );
    await other.listen();
    try {
      const rtmp = other.services.rtmpAddress() ?? assert.fail('it receives');
      live.publish({ ...input, ingest: { ...input.ingest, rtmp } }, { seconds: 300 });
      await live.untilState(anna, input, 'LIVE');
      const folder = new URL(outputAssets.video.hls).pathname.split('/').slice(-3, -1).join('/');
      const key = `media/${folder}/live/video/index.m3u8`;
      const file = await other.files(live.api.platform, key, PLAYER_REQUEST);
      const text = file !== null && file !== 'missing' ? String(file.body) : assert.fail('there is a playlist');
      assert.match(text, /seg-00000\.m4s\n[\s\S]*#EXT-X-DISCONTINUITY\n[\s\S]*URI="seg-/);
      assert.doesNotMatch(text, /init-1/);
      await live.api.ok(anna, END_BROADCAST, { id });
      await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
      const { outputAssets: recorded } = await live.stream(anna, id);
      assert.equal((await played(recorded.video.hls)).complaints, '');
      assert.match(await live.text(recorded.video.dash), /<MPD/);
    } finally {
      await other.close();
    }
  });

  it('ends when its encoder does not come back in time', async () => {
    const input = await live.input(anna, { reconnectWindowMs: 20_000 });
    const encoder = live.publish(input, { seconds: 300 });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    await encoder.kill();
    await live.untilState(anna, input, 'RECONNECTING');
    const following = follow();
    following.start();
    try {
      live.api.clock.advance(19_000);
      await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECONNECTING');
      live.api.clock.advance(1_000);
      await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
    } finally {
      await following.stop();
    }
  });

  it('goes on with the same encoder where its process could not say that it receives it', async () => {
    const input = await live.input(anna);
    const encoder = live.publish(input, { seconds: 300 });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    const following = follow();
    following.start();
    try {
      await until(async () => {
        live.api.clock.advance(10_000);
        return (await eventsOf(id)).includes('stream.reconnecting');
      });
      await live.untilState(anna, input, 'LIVE');
      assert.deepEqual((await eventsOf(id)).slice(2, 5), ['stream.live', 'stream.reconnecting', 'stream.live']);
      assert.equal(encoder.process.exitCode, null);
    } finally {
      await following.stop();
      await encoder.kill();
    }
  });

  it('leaves nothing where nothing of it could be played', async () => {
    const input = await live.input(anna);
    const contents = await live.api.rows('select id from contents');
    await live.publish(input, { seconds: 1, isFast: true }).ended;
    await live.untilState(anna, input, 'IDLE');
    assert.deepEqual(await live.api.rows('select id from contents'), contents);
    assert.deepEqual(await live.api.rows('select id from broadcasts where input_id = $1', [uuidOf(input.id)]), []);
  });

  it('is refused with a key that is wrong or was replaced, and writes nothing', async () => {
    const input = await live.input(anna);
    const { streamKey } = (await live.api.ok(anna, ROTATE, { id: input.id })).rotateLiveInputKey.liveInput;
    assert.notEqual(streamKey, input.streamKey);
    const known = (await live.api.rows<{ id: string }>('select id from contents')).map(({ id }) => id);
    const before = await rows(known);
    for (const key of [input.streamKey, 'x'.repeat(32), '']) {
      const errors = await live.publish({ ...input, streamKey: key }, { seconds: 3, isFast: true }).ended;
      assert.notEqual(errors, '', `accepted: ${key}`);
    }
    assert.deepEqual(await rows(known), before);
    assert.equal(await live.publish({ ...input, streamKey }, { seconds: 3, isFast: true }).ended, '');
  });

  it('ends when its input is deleted, or its stream', async () => {
    for (const remove of [
      (input: string, _: string) => live.api.ok(anna, DELETE_INPUT, { id: input }),
      (_: string, stream: string) =>
        live.api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: stream }),
    ]) {
      const input = await live.input(anna);
      const encoder = live.publish(input, { seconds: 300 });
      const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
      await remove(input.id, id);
      await encoder.ended;
      const state = () =>
        live.api.row<{ state: string }>('select state from broadcasts where content_id = $1', [uuidOf(id)]);
      await until(async () => (await state()).state === 'RECORDED');
    }
  });

  it('leaves a draft where its input keeps nothing', async () => {
    const input = await live.input(anna, { recording: 'NONE', visibility: 'PUBLIC' });
    const encoder = live.publish(input, { seconds: 300 });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    await live.api.ok(anna, END_BROADCAST, { id });
    await encoder.ended;
    const row = () => live.api.row<{ status: string }>('select status from contents where id = $1', [uuidOf(id)]);
    await until(async () => (await row()).status === 'DRAFT');
    assert.equal((await live.stream(anna, id)).outputAssets, null);
    assert.equal((await live.api.run(carl, 'query ($id: DID!) { stream(id: $id) { id } }', { id })).data.stream, null);
  });

  it('is refused with sound and no picture, and in codecs that browsers do not play, and says so', async () => {
    const input = await live.input(anna);
    for (const [args, reason] of [
      [['-vn'], 'The encoder sends sound and no picture. Add a video source.'],
      [['-c:v', 'flv1'], 'The encoder does not follow RTMP: Video of the FLV codec 2 is not supported.'],
      [['-c:a', 'libmp3lame'], 'Sound in .mp3 cannot be broadcast. Set the audio encoder to AAC.'],
      [
        ['-g', '5000', '-keyint_min', '5000'],
        'No keyframe came for 12 seconds. Set the keyframe interval of the encoder to 2 seconds.',
      ],
    ] as const) {
      await live.publish(input, { seconds: 30, isFast: true, args }).ended;
      await until(async () => (await live.refusal(anna, input)) === reason, `never: ${reason}`);
      await live.untilState(anna, input, 'IDLE');
    }
    assert.deepEqual(await live.api.rows('select id from broadcasts where input_id = $1', [uuidOf(input.id)]), []);
    await live.publish(input, { seconds: 5, isFast: true }).ended;
    await until(async () => (await live.refusal(anna, input)) === null);
  });
});
