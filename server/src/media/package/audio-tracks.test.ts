import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { isVideo } from '../renditions/rendition.ts';
import { checkManifest } from './dash.fixture.ts';
import { clips, LIMITS, packaged, playedBack, runner } from './packaging.fixture.ts';

const media = async (outDir: string) =>
  (await readFile(join(outDir, 'master.m3u8'), 'utf8')).split('\n').filter((line) => line.includes('TYPE=AUDIO'));

const sounds: [layout: string, channels: number][] = [
  ['mono', 1],
  ['stereo', 2],
];
for (const [layout, channels] of casesOf(sounds, 1)) {
  test(`${layout} audio is encoded once, to ${channels} channels, beside a video`, async () => {
    const args = [...testVideo('640x64', 25, 1), ...tone(layout, 1), ...QUICK_H264, '-c:a', 'aac'];
    const { video, outDir } = await packaged(await clips.make('talk.mp4', args));
    const read = await playedBack(outDir, 'audio/index.m3u8');
    assert.deepEqual([read.codec_name, read.channels], ['aac', channels]);
    assert.ok(
      video.qualities.every((rung) => rung.codecs === 'avc1.64001e,mp4a.40.2'),
      video.qualities[0]?.codecs,
    );
    assert.deepEqual(await media(outDir), [
      `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Main",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="${channels}",URI="audio/index.m3u8"`,
    ]);
    const master = await readFile(join(outDir, 'master.m3u8'), 'utf8');
    assert.equal(master.match(/AUDIO="audio"/g)?.length, 3);
  });
}

/** When the sound of a package becomes louder than silence, in seconds. */
async function soundStarts(outDir: string): Promise<number> {
  const input = ['-protocol_whitelist', 'file', '-f', 'hls', '-i', 'audio/index.m3u8'];
  const args = [...input, '-af', 'silencedetect=n=-40dB:d=0.05', '-f', 'null', '-'];
  const { stderrTail } = await runner.run('ffmpeg', args, { cwd: outDir, limits: LIMITS });
  return Number(/silence_end: ([\d.]+)/.exec(stderrTail)?.[1] ?? 0);
}

const offsets: [name: string, late: string[], seconds: number, startsAt: number][] = [
  ['sound', ['-itsoffset', '0', '-itsoffset', '0.7'], 2, 0.7],
  ['pictures', ['-itsoffset', '0.7', '-itsoffset', '0'], 2.7, 0],
];
for (const [name, late, seconds, startsAt] of casesOf(offsets, 1))
  test(`${name} of a transport stream that begin late stay as late`, async () => {
    const inputs = [...late.slice(0, 2), ...testVideo('160x90', 25, 2), ...late.slice(2), ...tone('stereo', 2)];
    const codecs = ['-map', '0:v', '-map', '1:a', '-c:v', 'mpeg2video', '-c:a', 'ac3'];
    const { video, outDir } = await packaged(await clips.make('late.ts', [...inputs, ...codecs]));
    const [picture] = video.renditions.filter(isVideo);
    const shown = (picture?.durations ?? []).reduce((sum, ticks) => sum + ticks, 0) / (picture?.timescale ?? 1);
    assert.ok(Math.abs(shown - seconds) < 0.05, `${shown} s`);
    const heard = await soundStarts(outDir);
    assert.ok(Math.abs(heard - startsAt) < 0.04, `${heard} s`);
  });

test('5.1 is kept beside stereo, and the API describes the streams with stereo', THOROUGH, async () => {
  const args = [...testVideo('640x360', 25, 1), ...tone('5.1', 1), ...QUICK_H264, '-c:a', 'ac3'];
  const { video, outDir } = await packaged(await clips.make('film.mkv', args));
  assert.equal((await playedBack(outDir, 'audio/index.m3u8')).channels, 2);
  const surround = await playedBack(outDir, 'audio-5.1/index.m3u8');
  assert.deepEqual([surround.codec_name, surround.channels, surround.channel_layout], ['aac', 6, '5.1']);
  assert.deepEqual(
    (await media(outDir)).map((line) => /GROUP-ID="(.*?)".*CHANNELS="(.*?)"/.exec(line)?.slice(1)),
    [
      ['audio', '2'],
      ['surround', '6'],
      ['dolby', '6'],
    ],
  );
  const master = await readFile(join(outDir, 'master.m3u8'), 'utf8');
  const variants = [...master.matchAll(/:BANDWIDTH=(\d+),.*AUDIO="(\w+)".*\n(.*)/g)];
  assert.deepEqual(
    variants.map(([, , group, uri]) => `${uri} ${group}`),
    [
      ...['v360/index.m3u8 audio', 'v234/index.m3u8 audio', 'v240/index.m3u8 audio'],
      ...['v234/index.m3u8 surround', 'v240/index.m3u8 surround'],
      ...['v234/index.m3u8 dolby', 'v240/index.m3u8 dolby'],
      ...['v360/index.m3u8 surround', 'v360/index.m3u8 dolby'],
    ],
  );
  assert.deepEqual(
    video.qualities.map(({ label, bandwidthBps }) => [label, bandwidthBps]),
    [
      ['360p', Number(variants[0]?.[1])],
      ['240p', Number(variants[2]?.[1])],
      ['234p', Number(variants[1]?.[1])],
    ],
  );
  const tracks = await checkManifest(outDir);
  assert.deepEqual(
    tracks.map(({ id, codecs }) => `${id} ${codecs}`),
    [
      ...['v234 avc1.64001e', 'v240 avc1.64001e', 'v360 avc1.64001e'],
      ...['audio mp4a.40.2', 'audio-5.1 mp4a.40.2', 'audio-5.1-dolby ac-3'],
    ],
  );
});

/** A video of 5 s with tones of 440 Hz (default), 880 Hz from 3 s to 4 s, and 1760 Hz for 9 s. */
async function threeTracks(): Promise<string> {
  const sine = (hertz: number, seconds: number) => ['-f', 'lavfi', '-i', `sine=f=${hertz}:r=48000:d=${seconds}`];
  const inputs = [
    ...[...testVideo('160x90', 25, 5), ...sine(440, 5), '-itsoffset', '3', ...sine(880, 1), ...sine(1760, 9)],
  ];
  const tags = [
    ...['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=ger', '-metadata:s:a:2', 'language=eng'],
    ...['-metadata:s:a:2', 'title=Director "& crew"', '-disposition:a:0', 'default', '-disposition:a:2', '0'],
  ];
  const maps = ['0:v', '1:a', '2:a', '3:a'].flatMap((map) => ['-map', map]);
  return clips.make('tracks.mkv', [...inputs, ...maps, ...QUICK_H264, '-c:a', 'libopus', ...tags]);
}

test('all audio tracks are kept, as long as the video, with languages and titles', THOROUGH, async () => {
  const { video, outDir, facts } = await packaged(await threeTracks());
  assert.ok(Math.abs(video.durationMs - 5000) < 100, `${video.durationMs} of ${facts.durationMs}`);
  assert.deepEqual(await media(outDir), [
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="1",URI="audio/index.m3u8"',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Deutsch",LANGUAGE="de",DEFAULT=NO,AUTOSELECT=YES,CHANNELS="1",URI="audio2/index.m3u8"',
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="audio",NAME="Director '& crew'",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=NO,CHANNELS="1",URI="audio3/index.m3u8"`,
  ]);
  const tracks = await checkManifest(outDir);
  for (const { id, seconds } of tracks) assert.ok(Math.abs(seconds - 5) < 0.05, `${id} has ${seconds} s`);
  const manifest = await readFile(join(outDir, 'manifest.mpd'), 'utf8');
  assert.deepEqual(
    [...manifest.matchAll(/contentType="audio".*lang="(.*?)"|<Label>(.*)<\/Label>/g)].map(
      (found) => found[1] ?? found[2],
    ),
    ['en', 'English', 'de', 'Deutsch', 'en', "Director '&amp; crew'"],
  );
});

test('another track of which nothing can be decoded is silent, and does not fail the video', THOROUGH, async () => {
  const maps = ['-map', '0', '-map', '1', '-map', '2'];
  const encoded = [...QUICK_H264, '-c:a', 'aac', '-bsf:a:1', 'noise=drop=1'];
  const args = [...testVideo('160x90', 25, 2), ...tone('mono', 2), ...tone('mono', 2), ...maps, ...encoded];
  const { outDir, facts } = await packaged(await clips.make('empty.mkv', args));
  assert.equal(facts.otherAudio.length, 1);
  for (const { id, seconds } of await checkManifest(outDir))
    assert.ok(Math.abs(seconds - 2) < 0.05, `${id} ${seconds}`);
  assert.ok(Number((await playedBack(outDir, 'audio2/index.m3u8')).nb_read_packets) > 90);
});

test('audio only keeps its other tracks', THOROUGH, async () => {
  const args = [...tone('mono', 1), ...tone('5.1', 1), '-map', '0', '-map', '1', '-c:a', 'aac'];
  const { video, outDir } = await packaged(await clips.make('songs.m4a', args));
  assert.deepEqual(
    video.qualities.map(({ label, path }) => [label, path]),
    [['audio', 'audio/index.m3u8']],
  );
  assert.equal((await media(outDir)).length, 6);
  assert.deepEqual(
    (await checkManifest(outDir)).map(({ id }) => id),
    ['audio', 'audio2', 'audio2-5.1', 'audio2-5.1-dolby'],
  );
});
