import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseMediaPlaylist } from '@reelgraph/manifests';
import { inputArg } from '@reelgraph/sandbox';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo, tone, turnRight } from '../clips.fixture.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import { packageVideo } from './package-video.fixture.ts';
import { clips, LIMITS, packaged, playedBack, runner } from './packaging.fixture.ts';

const cases: [name: string, file: string, args: string[], ladder: string][] = [
  [
    'odd size in 4:4:4',
    'odd.mkv',
    [...testVideo('161x91', 25, 1), '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p'],
    '90p 160x90@25/1',
  ],
  [
    'non-square pixels',
    'sar.mp4',
    [...testVideo('120x90', 25, 1), '-vf', 'setsar=2/1', ...QUICK_H264],
    '90p 240x90@25/1',
  ],
  [
    '10-bit',
    'deep.mp4',
    [...testVideo('160x90', 30, 1), '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'],
    '90p 160x90@30/1',
  ],
  [
    'full range',
    'full.mp4',
    [...testVideo('160x90', 25, 1), '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuvj420p'],
    '90p 160x90@25/1',
  ],
  [
    'a frame rate that varies',
    'vfr.mp4',
    [...testVideo('160x90', 30, 3), '-vf', "select='lt(n,15)+not(mod(n,4))'", '-fps_mode', 'vfr', ...QUICK_H264],
    '90p 160x90@85/4', // 17 pictures in the first 0.8 s
  ],
  [
    'timestamps that start at 10 s',
    'late.ts',
    [...testVideo('160x90', 25, 1), ...QUICK_H264, '-output_ts_offset', '10'],
    '90p 160x90@25/1',
  ],
  [
    'no duration',
    'live.webm',
    [...testVideo('160x90', 25, 1), '-c:v', 'libvpx', '-deadline', 'realtime', '-live', '1', '-f', 'webm'],
    '90p 160x90@25/1',
  ],
  [
    'two rungs',
    'two.mp4',
    [...testVideo('640x360', 25, 1), ...QUICK_H264],
    '360p 640x360@25/1, 240p 426x240@25/1, 234p 416x234@25/1',
  ],
  ['a picture of 16 x 16', 'tiny.mp4', [...testVideo('16x16', 25, 1), ...QUICK_H264], '16p 16x16@25/1'],
  ['a single frame', 'one.mp4', [...testVideo('160x90', 25, 1), '-frames:v', '1', ...QUICK_H264], '90p 160x90@25/1'],
];
for (const [name, file, args, ladder] of casesOf(cases, 1)) {
  test(`a source with ${name} becomes ${ladder}`, async () => {
    const { video, outDir, facts } = await packaged(await clips.make(file, args));
    assert.equal(
      video.qualities.map((rung) => `${rung.label} ${rung.width}x${rung.height}@${rung.frameRate}`).join(', '),
      ladder,
    );
    assert.ok(Math.abs(video.durationMs - (facts.durationMs ?? 0)) < 150, `${video.durationMs} of ${facts.durationMs}`);
    assert.equal(video.poster, 'poster.jpg');
    assert.ok((video.thumbnails?.count ?? 0) >= 1);
    for (const rung of video.qualities) {
      const read = await playedBack(outDir, rung.path);
      assert.deepEqual(
        [read.codec_name, read.width, read.height, read.pix_fmt, read.sample_aspect_ratio],
        ['h264', rung.width, rung.height, 'yuv420p', '1:1'],
      );
      assert.deepEqual([Number(read.start_time), read.color_range], [0, 'tv']);
    }
  });
}

test('a rotated video is packaged upright', THOROUGH, async () => {
  const upright = await clips.make('phone.mp4', [...testVideo('160x90', 25, 1), ...QUICK_H264]);
  const { video, outDir } = await packaged(await clips.write('phone.mp4', await turnRight(upright)));
  assert.deepEqual(
    video.qualities.map((rung) => [rung.label, rung.width, rung.height]),
    [['90p', 90, 160]],
  );
  const read = await playedBack(outDir, 'v90/index.m3u8');
  assert.deepEqual([read.width, read.height], [90, 160]);
});

/** Interlaced and progressive frames according to ffmpeg's idet filter. */
async function combing(path: string, cwd?: string): Promise<{ combed: number; clean: number }> {
  const input = cwd === undefined ? ['-i', inputArg(0)] : ['-i', path];
  const options = cwd === undefined ? { inputs: [path] } : { cwd };
  const { stderrTail } = await runner.run('ffmpeg', [...input, '-vf', 'idet', '-an', '-f', 'null', '-'], {
    ...options,
    limits: LIMITS,
  });
  const [, top = 0, bottom = 0, clean = 0] = (
    /Multi frame detection: TFF:\s*(\d+) BFF:\s*(\d+) Progressive:\s*(\d+)/.exec(stderrTail) ?? []
  ).map(Number);
  return { combed: top + bottom, clean };
}

test('interlaced video of a small size is made progressive, frame for frame', THOROUGH, async () => {
  const args = [
    ...testVideo('320x192', 50, 1),
    '-vf',
    'tinterlace=interleave_top,setfield=tff',
    '-c:v',
    'mpeg2video',
    '-flags',
    '+ildct+ilme',
    '-b:v',
    '4M',
  ];
  const source = await clips.make('tv.ts', args);
  assert.ok((await combing(source)).combed > 20);
  const { outDir, facts } = await packaged(source);
  assert.equal(facts.video?.interlaced, 'tt');
  const read = await playedBack(outDir, 'v192/index.m3u8');
  assert.ok(Math.abs(Number(read.nb_read_packets) - 25) <= 1, read.nb_read_packets);
  const after = await combing('v192/index.m3u8', outDir);
  assert.ok(after.clean > 2 * after.combed, JSON.stringify(after));
});

test('HDR is mapped to standard range and tagged so', THOROUGH, async () => {
  const hlg = [
    '-color_trc',
    'arib-std-b67',
    '-color_primaries',
    'bt2020',
    '-colorspace',
    'bt2020nc',
    '-color_range',
    'tv',
  ];
  const args = [
    ...testVideo('160x90', 25, 1),
    '-vf',
    'format=yuv420p10le,setparams=color_trc=arib-std-b67:color_primaries=bt2020:colorspace=bt2020nc:range=tv',
  ];
  const { outDir, facts } = await packaged(
    await clips.make('hdr.mp4', [...args, '-c:v', 'libx264', '-preset', 'ultrafast', ...hlg]),
  );
  assert.equal(facts.video?.hdr, 'hlg');
  const read = await playedBack(outDir, 'v90/index.m3u8');
  assert.deepEqual([read.color_space, read.color_transfer, read.pix_fmt], ['bt709', 'bt709', 'yuv420p']);
});

test('audio only is packaged with its cover as the poster', async () => {
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
  const { video, outDir } = await packaged(await clips.make('song.m4a', args));
  assert.deepEqual(
    video.qualities.map((rung) => [rung.label, rung.codecs, rung.frameRate]),
    [['audio', 'mp4a.40.2', null]],
  );
  assert.deepEqual([video.poster, video.thumbnails], ['poster.jpg', null]);
  assert.equal((await playedBack(outDir, 'audio/index.m3u8')).codec_type, 'audio');
  assert.doesNotMatch(await readFile(join(outDir, 'master.m3u8'), 'utf8'), /EXT-X-MEDIA|RESOLUTION/);
});

test(
  'segments of fast and calm rungs are cut at the same times, and bandwidths are the measured peaks',
  THOROUGH,
  async () => {
    const source = await clips.make('fast.mp4', [
      '-f',
      'lavfi',
      '-i',
      'color=gray:s=1280x64:r=60:d=5',
      ...tone('stereo', 5),
      ...QUICK_H264,
      '-c:a',
      'aac',
    ]);
    const progress: number[] = [];
    const inspection = await inspectFile(runner, source);
    assert.ok(inspection.ok);
    const outDir = clips.fresh('package');
    const video = await packageVideo(runner, {
      inputPath: source,
      outDir,
      facts: inspection.facts,
      onProgress: (fraction) => progress.push(fraction),
    });

    assert.deepEqual(
      video.qualities.map((rung) => [rung.label, rung.frameRate]),
      [
        ['720p', '60/1'],
        ['480p', '30/1'],
        ['360p', '30/1'],
        ['240p', '30/1'],
        ['234p', '30/1'],
      ],
    );
    for (const rung of video.qualities) {
      const playlist = parseMediaPlaylist(await readFile(join(outDir, rung.path), 'utf8'));
      assert.deepEqual(
        playlist.segments.map((segment) => segment.durationSeconds),
        [4, 1],
        rung.label,
      );
      const size = (path: string) => video.files.find((file) => file.path === path)?.sizeBytes ?? 0;
      const folder = rung.path.slice(0, rung.path.indexOf('/'));
      const busiest = Math.max(
        ...playlist.segments
          .slice(0, 1)
          .map((segment) => (8 * size(`${folder}/${segment.uri}`)) / segment.durationSeconds),
      );
      assert.ok(rung.bandwidthBps >= busiest && rung.averageBandwidthBps <= rung.bandwidthBps);
    }
    const vtt = 'thumbs/storyboard.vtt';
    assert.deepEqual(video.thumbnails, { pattern: 'thumbs/%05d.jpg', count: 1, intervalMs: 1000, vtt });
    assert.equal(progress.at(-1), 1);
    assert.deepEqual(
      progress,
      [...progress].sort((a, b) => a - b),
    );
    assert.deepEqual(
      new Set(video.files.map((file) => file.contentType)),
      new Set([
        'application/vnd.apple.mpegurl',
        'application/dash+xml',
        'video/iso.segment',
        'video/mp4',
        'application/octet-stream',
        'image/jpeg',
        'text/vtt; charset=utf-8',
      ]),
    );
    assert.ok(video.cpuMs > 0);
  },
);

test('private metadata is not in the package', async () => {
  const args = [
    ...testVideo('160x90', 25, 1),
    ...QUICK_H264,
    '-metadata',
    'title=secret-title',
    '-metadata',
    'location=+48.2082+016.3738/',
    '-movflags',
    'use_metadata_tags',
  ];
  const { video, outDir } = await packaged(await clips.make('tagged.mp4', args));
  for (const { path } of video.files)
    assert.doesNotMatch(await readFile(join(outDir, path), 'latin1'), /secret-title|48\.2082/, path);
});

test(
  'a recording whose clock jumps, and one that begins before zero, have their declared duration',
  THOROUGH,
  async () => {
    const part = async (offset: string) =>
      readFile(await clips.make('part.ts', [...testVideo('64x64', 25, 2), ...QUICK_H264, '-output_ts_offset', offset]));
    const jump = await clips.write('jump.ts', Buffer.concat([await part('0'), await part('90000')]));
    const whole = await clips.make('whole.mp4', [
      ...testVideo('64x64', 25, 4),
      ...tone('mono', 4),
      ...[...QUICK_H264, '-c:a', 'aac'],
    ]);
    const copied = ['-ss', '0.54', '-i', inputArg(0), '-c', 'copy', '-avoid_negative_ts', 'disabled'];
    const early = await clips.make('early.mkv', copied, [whole]);
    for (const path of [jump, early]) {
      const { video, outDir } = await packaged(path);
      const stream = await playedBack(outDir, video.qualities[0]?.path ?? '');
      const seconds = Number(stream.nb_read_packets) / 25;
      assert.ok(Math.abs(seconds - 4) <= 0.1, `${path}: ${seconds} s`);
      assert.ok(Math.abs(video.durationMs - 4000) <= 100, `${path}: ${video.durationMs} ms`);
    }
  },
);
