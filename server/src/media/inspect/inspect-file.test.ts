import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { inputArg } from '@reelgraph/sandbox';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { openClips, QUICK_H264, realMedia, testVideo, tone, turnRight } from '../clips.fixture.ts';
import { createRunner } from '../runner.ts';
import { inspectFile } from './inspect-file.ts';
import type { MediaFacts } from './media-facts.ts';
import { pinnedInput } from './probe.ts';

const runner = await createRunner();
const clips = await openClips(runner);
const requests: string[] = [];
const bait = createServer((request, response) => {
  requests.push(request.url ?? '');
  response.end('x');
});
await new Promise<void>((listening) => bait.listen(0, '127.0.0.1', listening));
const address = bait.address();
assert.ok(address !== null && typeof address === 'object');
const baitUrl = `http://127.0.0.1:${address.port}`;
after(async () => {
  await new Promise((closed) => bait.close(closed));
  await clips.remove();
});

async function accepted(path: string): Promise<MediaFacts> {
  const inspection = await inspectFile(runner, path);
  assert.ok(inspection.ok, JSON.stringify(inspection));
  return inspection.facts;
}

const disguised: [name: string, content: string, reason: string][] = [
  ['an empty file', '', 'empty'],
  ['a text', 'This is not a video.', 'text'],
  ['a shell script', '#!/bin/sh\ncat /etc/passwd\n', 'script'],
  [
    'a playlist of local files',
    '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n',
    'playlist',
  ],
  [
    'a playlist of addresses',
    `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${baitUrl}/leak.ts\n#EXT-X-ENDLIST\n`,
    'playlist',
  ],
  ['a playlist with its mark further down', `# hello\n\n#EXTM3U\n#EXTINF:1,\n${baitUrl}/leak.ts\n`, 'playlist'],
  ['a concat script', "ffconcat version 1.0\nfile '/etc/passwd'\n", 'playlist'],
  ['a DASH manifest', `<?xml version="1.0"?><MPD><Period><BaseURL>${baitUrl}/</BaseURL></Period></MPD>`, 'playlist'],
  [
    'a session description',
    'v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\nc=IN IP4 127.0.0.1\r\nm=video 1 RTP/AVP 96\r\n',
    'playlist',
  ],
  ['a text that only claims to be MP4', '....ftypisom and then some text that is no MP4 at all', 'damaged'],
];
for (const [name, content, reason] of disguised) {
  test(`${name} named video.mp4 is refused, leaks nothing and opens no connection`, async () => {
    const inspection = await inspectFile(runner, await clips.write('video.mp4', content));
    assert.ok(!inspection.ok);
    assert.equal(inspection.reason, reason);
    assert.equal(inspection.code, 'TRANSCODE_FAILED');
    assert.doesNotMatch(`${inspection.message} ${inspection.suggestedFix}`, /root:|passwd|127\.0\.0\.1|\/tmp|\/proc/);
    assert.deepEqual(requests, []);
  });
}

test('even a playlist that passes sniffing reaches no address and no other file', async () => {
  const limits = { cpuSeconds: 10, memoryBytes: 2 * 1024 ** 3, outputBytes: 1_000_000, wallMs: 10_000 };
  const victim = await clips.make('victim.ts', [...testVideo('64x64', 25, 1), ...QUICK_H264]);
  for (const target of [`${baitUrl}/leak.ts`, `file://${victim}`, victim]) {
    const playlist = await clips.write(
      'video.mp4',
      `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`,
    );
    const args = ['-show_entries', 'stream=codec_name', '-of', 'csv', ...pinnedInput('mov')];
    await assert.rejects(runner.run('ffprobe', args, { limits, inputs: [playlist] }), { reason: 'exit' });
  }
  assert.deepEqual(requests, []);
});

test('a file is detected by its content, not its name', async () => {
  const clip = await clips.make('clip.mkv', [...testVideo('64x64', 25, 1), ...QUICK_H264]);
  const renamed = await clips.write('notes.txt', await readFile(clip));
  assert.equal((await accepted(renamed)).demuxer, 'matroska');
});

test('a video without a duration in its header is measured', async () => {
  const live = await clips.make('live.webm', [
    ...testVideo('64x64', 25, 2),
    '-c:v',
    'libvpx',
    '-deadline',
    'realtime',
    '-live',
    '1',
    '-f',
    'webm',
  ]);
  assert.equal((await accepted(live)).durationMs, 2000);
});

test('sound behind something else is found and measured', async () => {
  const sound = await readFile(await clips.make('a.mp3', [...tone('mono', 2), '-ar', '44100', '-b:a', '64k']));
  const facts = await accepted(await clips.write('a.mp3', Buffer.concat([Buffer.alloc(200_000, 'text '), sound])));
  assert.equal(facts.audio?.codec, 'mp3');
  assert.ok(Math.abs((facts.durationMs ?? 0) - 2_050) <= 50, `${facts.durationMs} ms`);
});

test('more pictures per second than are taken are no reason to refuse a file', async () => {
  const { video } = await accepted(await clips.make('fast.mkv', [...testVideo('64x64', 600, 0.2), ...QUICK_H264]));
  assert.deepEqual(video?.frameRate, { num: 480, den: 1 });
});

const chained: [name: string, file: string, args: readonly string[]][] = [
  ['Matroska', 'a.mkv', [...testVideo('64x64', 25, 2), ...QUICK_H264, '-g', '25']],
  ['Ogg without pictures', 'a.ogg', [...tone('mono', 2), '-c:a', 'libvorbis']],
  ['fragmented MP4', 'a.mp4', [...testVideo('64x64', 25, 2), ...QUICK_H264, '-movflags', 'frag_keyframe+empty_moov']],
];
for (const [name, file, args] of casesOf(chained, 1))
  test(`two recordings in one file of ${name} are as long as both`, async () => {
    const bytes = await readFile(await clips.make(file, args));
    const whole = await accepted(await clips.write(file, bytes));
    const facts = await accepted(await clips.write(file, Buffer.concat([bytes, bytes])));
    assert.deepEqual([whole.restarts, facts.restarts], [undefined, true]);
    assert.ok(Math.abs((facts.durationMs ?? 0) - 4_000) <= 50, `${facts.durationMs} ms`);
  });

test('the duration does not include a late start', THOROUGH, async () => {
  const facts = await accepted(
    await clips.make('late.ts', [...testVideo('64x64', 25, 2), ...QUICK_H264, '-output_ts_offset', '10']),
  );
  assert.ok(facts.startMs >= 10_000 && facts.startMs < 12_000, `${facts.startMs}`);
  assert.ok(Math.abs((facts.durationMs ?? 0) - 2000) <= 40, `${facts.durationMs}`);
});

test('a broadcast recording whose clock jumps by a day lasts as long as its parts', THOROUGH, async () => {
  const part = async (offset: string) =>
    readFile(await clips.make('part.ts', [...testVideo('64x64', 25, 2), ...QUICK_H264, '-output_ts_offset', offset]));
  const facts = await accepted(
    await clips.write('jump.ts', Buffer.concat([await part('0'), await part('90000'), await part('10')])),
  );
  assert.ok(Math.abs((facts.durationMs ?? 0) - 6000) <= 40, `${facts.durationMs}`);
});

test('sound before zero counts, as it is played', THOROUGH, async () => {
  const whole = await clips.make('whole.mp4', [
    ...testVideo('64x64', 25, 6),
    ...tone('mono', 6),
    ...QUICK_H264,
    '-c:a',
    'aac',
  ]);
  const cut = ['-ss', '0.54', '-i', inputArg(0), '-c', 'copy', '-avoid_negative_ts', 'disabled'];
  const facts = await accepted(await clips.make('cut.mkv', cut, [whole]));
  assert.equal(facts.startMs, -540);
  assert.ok(Math.abs((facts.durationMs ?? 0) - 6000) <= 40, `${facts.durationMs}`);
});

test('fragments without an index are measured', THOROUGH, async () => {
  const fragments = ['-g', '25', '-movflags', 'frag_keyframe+empty_moov+default_base_moof+skip_trailer'];
  const facts = await accepted(
    await clips.make('fragments.mp4', [...testVideo('64x64', 25, 3), ...QUICK_H264, ...fragments]),
  );
  assert.equal(facts.durationMs, 3000);
});

test('the video is chosen, not the larger stills beside it', THOROUGH, async () => {
  const facts = await accepted(
    await clips.make('top-shot.mp4', [
      ...testVideo('160x90', 25, 2.12),
      ...testVideo('320x180', 1, 2),
      ...['-map', '0', '-map', '1'],
      ...QUICK_H264,
    ]),
  );
  assert.deepEqual([facts.video?.width, facts.video?.height, facts.durationMs], [160, 90, 2120]);
});

test('of two sizes of a video, the larger one is chosen', THOROUGH, async () => {
  const facts = await accepted(
    await clips.make('sizes.mp4', [
      ...testVideo('160x90', 25, 1),
      ...testVideo('320x180', 25, 1),
      ...['-map', '0', '-map', '1'],
      ...QUICK_H264,
    ]),
  );
  assert.deepEqual([facts.video?.width, facts.video?.height], [320, 180]);
});

test('frames are counted where the header has a time base instead of a frame rate', THOROUGH, async (t) => {
  for (const name of ['sample.flv', 'sample_with_srt.mkv']) {
    const path = realMedia(name);
    if (path === null) return t.skip('the recordings are not here');
    const { video } = await accepted(path);
    assert.deepEqual([video?.frameRate, video?.variableFrameRate], [{ num: 30, den: 1 }, false], name);
  }
});

test('rotation is found in the header', async () => {
  const upright = await clips.make('phone.mp4', [...testVideo('160x90', 25, 1), ...QUICK_H264]);
  const facts = await accepted(await clips.write('phone.mp4', await turnRight(upright)));
  assert.deepEqual([facts.video?.displayWidth, facts.video?.displayHeight, facts.video?.rotation], [90, 160, 90]);
});

test('an album cover is not a video', async () => {
  const args = [
    ...tone('stereo', 1),
    ...testVideo('64x64', 1, 1),
    '-map',
    '0',
    '-map',
    '1',
    '-frames:v',
    '1',
    '-c:v',
    'mjpeg',
    '-disposition:v',
    'attached_pic',
    '-c:a',
    'aac',
  ];
  const facts = await accepted(await clips.make('song.m4a', args));
  assert.equal(facts.video, null);
  assert.equal(facts.cover?.codec, 'mjpeg');
  assert.equal(facts.audio?.channels, 2);
});

test('real recordings are read, if present', async () => {
  const expectations: [file: string, check: (facts: MediaFacts) => void][] = [
    ['no_duration.webm', (facts) => assert.ok(Math.abs((facts.durationMs ?? 0) - 4939) < 100)],
    [
      'nasa_13013.mp4',
      (facts) =>
        assert.deepEqual([facts.video?.width, facts.audio?.sampleRate, facts.subtitles.length], [480, 16_000, 2]),
    ],
    ['fire2.mp4', (facts) => assert.deepEqual([facts.video?.variableFrameRate, facts.video?.rotation], [true, 180])],
    [
      'rotate-buck-bunny.mp4',
      (facts) => assert.deepEqual([facts.video?.displayWidth, facts.video?.displayHeight], [1080, 1920]),
    ],
    ['hlg10-color-test.mp4', (facts) => assert.deepEqual([facts.video?.hdr, facts.video?.bitDepth], ['hlg', 10])],
    [
      'interlaced_tff_mpeg2.ts',
      (facts) => assert.deepEqual([facts.video?.interlaced, facts.video?.displayWidth], ['tt', 1024]),
    ],
    ['bear_with_picture.flac', (facts) => assert.deepEqual([facts.video, facts.cover?.codec], [null, 'png'])],
    ['sample_with_chapters.mp4', (facts) => assert.equal(facts.chapters.length, 3)],
  ];
  for (const [file, check] of expectations) {
    const path = realMedia(file);
    if (path !== null) check(await accepted(path));
  }
});
