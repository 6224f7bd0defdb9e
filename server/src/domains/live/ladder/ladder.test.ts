import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { testRunner } from '../../../media/testing.ts';
import { until } from '../../../testing/until.ts';
import type { Person } from '../../catalog/testing.ts';
import { PLAYER_REQUEST } from '../../delivery/files/file-request.fixture.ts';
import { END_BROADCAST, type LiveFixture, openLiveFixture, type TestInput } from '../live.fixture.ts';
import { registerLive } from '../register.ts';

const run = promisify(execFile);
const LARGE = ['-s', '640x360'];

/** Times of the keyframes and the number of the pictures of a stream, in seconds. */
async function picturesOf(url: string): Promise<{ keyframes: string[]; count: number; size: string }> {
  const entries = 'stream=width,height:packet=pts_time,flags';
  const args = ['-v', 'error', '-select_streams', 'v:0', '-show_entries', entries, '-of', 'json'];
  const { stdout } = await run('ffprobe', [...args, url]);
  const { packets, streams } = JSON.parse(stdout) as {
    packets: { pts_time: string; flags: string }[];
    streams: { width: number; height: number }[];
  };
  const keyframes = packets.filter(({ flags }) => flags.startsWith('K')).map(({ pts_time }) => pts_time);
  return { keyframes, count: packets.length, size: `${streams[0]?.width}x${streams[0]?.height}` };
}

describe('the sizes of a broadcast', () => {
  let live: LiveFixture;
  let anna: Person;
  before(async () => {
    live = await openLiveFixture();
    anna = await live.api.person('anna');
  });
  after(() => live.close());

  const start = async (input: TestInput) => {
    // Slow enough for a busy machine, which would leave the size out.
    const encoder = live.publish(input, { seconds: 300, rate: 2, args: LARGE });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    const { outputAssets } = await live.stream(anna, id);
    const hls: string = outputAssets.video.hls;
    const at = (name: string) => hls.replace('master.m3u8', `live/${name}`);
    return { encoder, id, hls, at };
  };
  const segmentsIn = (playlist: string) =>
    [...playlist.matchAll(/((?:^#.*\n)*)^(seg-\d+\.m4s)$/gm)].map(([, tags = '', name = '']) =>
      tags.includes('#EXT-X-GAP') ? `${name} gap` : name,
    );

  it('are encoded beside that of the encoder, with the same segments', async () => {
    const { id, hls, at } = await start(await live.input(anna));
    const master = await live.text(hls);
    assert.match(master, /RESOLUTION=640x360[\s\S]*RESOLUTION=426x240|RESOLUTION=426x240[\s\S]*RESOLUTION=640x360/);
    assert.match(master, /CODECS="avc1\.64001e,mp4a\.40\.2"/);
    let [own, small] = ['', ''];
    await until(async () => {
      [small, own] = [await live.text(at('video-240/index.m3u8')), await live.text(at('video/index.m3u8'))];
      return segmentsIn(small).length >= 4;
    });
    assert.deepEqual(segmentsIn(small), segmentsIn(own).slice(0, segmentsIn(small).length));
    assert.match(small, /#EXT-X-PART:DURATION=[\d.]+,URI="seg-\d+\.0\.m4s",INDEPENDENT=YES/);
    const times = (text: string) => text.match(/^#EXT-X-PROGRAM-DATE-TIME:.*$/gm)?.slice(0, 4);
    assert.deepEqual(times(small), times(own));
    const { dash } = (await live.stream(anna, id)).broadcast;
    const offered = /<Representation id="video-240" [^>]* height="240" [^>]*>\s*<Representation id="video" /;
    await until(async () => offered.test(await live.text(dash)), 'DASH does not offer it');

    await live.api.ok(anna, END_BROADCAST, { id });
    await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
    const [encoder, encoded] = [await picturesOf(at('video/index.m3u8')), await picturesOf(at('video-240/index.m3u8'))];
    assert.deepEqual([encoder.size, encoded.size], ['640x360', '426x240']);
    assert.equal(encoded.count, encoder.count);
    assert.deepEqual(encoded.keyframes, encoder.keyframes);
    assert.match(await live.text(hls), /RESOLUTION=426x240/);
    const manifest = await live.text(dash);
    assert.match(manifest, offered);
    assert.equal(manifest.split('<Period ').length, 2, manifest);
    assert.match(await live.text((await live.stream(anna, id)).outputAssets.video.dash), /height="240"/);
  });

  it('go on in another process that continues the broadcast', async () => {
    const input = await live.input(anna);
    const { encoder, id, hls, at } = await start(input);
    await until(async () => segmentsIn(await live.text(at('video-240/index.m3u8'))).length >= 2);
    await encoder.kill();
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
      live.publish({ ...input, ingest: { ...input.ingest, rtmp } }, { seconds: 300, rate: 2, args: LARGE });
      await live.untilState(anna, input, 'LIVE');
      const folder = new URL(hls).pathname.split('/').slice(-3, -1).join('/');
      let text = '';
      await until(async () => {
        const file = await other.files(platform, `media/${folder}/live/video-240/index.m3u8`, PLAYER_REQUEST);
        text = file !== null && file !== 'missing' ? String(file.body) : '';
        return /#EXT-X-DISCONTINUITY\n(?:#.*\n)*seg-\d+\.m4s/.test(text);
      }, 'it does not go on');
      assert.deepEqual(segmentsIn(text).slice(0, 2), ['seg-00000.m4s', 'seg-00001.m4s']);
      assert.doesNotMatch(text, /init-1/);
      await live.api.ok(anna, END_BROADCAST, { id });
      await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
      const [own, small] = [await live.text(at('video/index.m3u8')), await live.text(at('video-240/index.m3u8'))];
      assert.equal(segmentsIn(small).length, segmentsIn(own).length);
    } finally {
      await other.close();
    }
  });
});
