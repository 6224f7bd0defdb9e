import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { all, checkManifest, decodedFrames, parseXml } from './dash.fixture.ts';
import { clips, packaged } from './packaging.fixture.ts';

const sources: [name: string, file: string, args: string[], tracks: string[], frames: Record<string, number>][] = [
  [
    'with stereo',
    'stereo.mp4',
    [...testVideo('640x64', 25, 9), ...tone('stereo', 9), ...QUICK_H264, '-c:a', 'aac'],
    ['v234 avc1.64001e 3', 'v240 avc1.64001e 3', 'v360 avc1.64001e 3', 'audio mp4a.40.2 3'],
    { v234: 225, v240: 225, v360: 225, audio: 423 },
  ],
  [
    'at 29.97 frames per second with mono',
    'ntsc.mov',
    [...testVideo('160x90', '30000/1001', 5), ...tone('mono', 5), ...QUICK_H264, '-c:a', 'aac'],
    ['v90 avc1.64001e 2', 'audio mp4a.40.2 2'],
    { v90: 150, audio: 236 },
  ],
  [
    'at 7.3 frames per second without audio',
    'slow.mkv',
    [...testVideo('160x90', '73/10', 6), ...QUICK_H264],
    ['v90 avc1.64001e 2'],
    { v90: 44 },
  ],
  [
    'with rungs of 50 and 25 frames per second',
    'fast.mp4',
    [...testVideo('1280x192', 50, 5), ...QUICK_H264],
    ['v234 avc1.64001e 2', 'v240 avc1.64001e 2', 'v360 avc1.64001e 2', 'v480 avc1.64001e 2', 'v720 avc1.64001f 2'],
    { v234: 125, v240: 125, v360: 125, v480: 125, v720: 250 },
  ],
  ['that is sound only', 'song.m4a', [...tone('stereo', 5), '-c:a', 'aac'], ['audio mp4a.40.2 2'], { audio: 236 }],
];
for (const [name, file, args, expected, frames] of casesOf(sources, 1)) {
  test(`the DASH manifest of a source ${name} is that of its files, and decodes whole`, THOROUGH, async () => {
    const { video, outDir } = await packaged(await clips.make(file, args));
    assert.equal(video.files.find(({ path }) => path === 'manifest.mpd')?.contentType, 'application/dash+xml');
    const tracks = await checkManifest(outDir);
    assert.deepEqual(
      tracks.map(({ id, codecs, segments }) => `${id} ${codecs} ${segments}`),
      expected,
    );
    const ids = tracks.map(({ id }) => id);
    assert.deepEqual(await decodedFrames(outDir, ids), frames);
  });
}

test('the DASH manifest offers captions with their languages', THOROUGH, async () => {
  const words = await clips.write('words.srt', '1\n00:00:00,100 --> 00:00:00,900\nGuten Tag\n');
  const args = [
    ...[...testVideo('160x90', 25, 1), '-f', 'srt', '-i', '/.sandbox/input/0', ...QUICK_H264],
    ...['-c:s', 'srt', '-metadata:s:s:0', 'language=ger', '-metadata:s:s:0', 'title=Worte & <Töne>'],
  ];
  const { outDir } = await packaged(await clips.make('words.mkv', args, [words]));
  assert.deepEqual(
    (await checkManifest(outDir)).map(({ id, contentType }) => `${contentType} ${id}`),
    ['video v90', 'text text0'],
  );
  const [, text] = all(parseXml(await readFile(join(outDir, 'manifest.mpd'), 'utf8')), 'AdaptationSet');
  assert.deepEqual(
    [text?.attributes['lang'], text?.children[0]?.text, text?.children[2]?.children[0]?.text],
    ['de', 'Worte & <Töne>', 'subs/0/captions.vtt'],
  );
});
