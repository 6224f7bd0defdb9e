import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inputArg } from '@reelgraph/sandbox';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { openClips, QUICK_H264, testVideo } from '../clips.fixture.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import { packageVideo } from '../package/package-video.fixture.ts';
import { createRunner } from '../runner.ts';
import { textSubtitles } from './subtitles.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());

const NO_FLAGS = { isDefault: false, isForced: false, describesSound: false };
const SPOKEN = '1\n00:00:00,500 --> 00:00:01,500\nGrüß <i>Gott</i> & more\n\n2\n00:00:01,600 --> 00:00:01,900\nEnd\n';
const EXPECTED = '00:00:00.500 --> 00:00:01.500\nGrüß <i>Gott</i> &amp; more\n\n00:00:01.600 --> 00:00:01.900\nEnd\n';

/** Packages a clip of two seconds with `tracks` as its subtitles, one after the other. */
async function captioned(fileName: string, tracks: readonly string[], args: readonly string[]) {
  const files = await Promise.all(tracks.map((text) => clips.write('track.srt', text)));
  const inputs = files.flatMap((_, index) => ['-f', 'srt', '-i', inputArg(index)]);
  const maps = files.flatMap((_, index) => ['-map', `${index + 1}`]);
  const created = [...testVideo('160x90', 25, 2), ...inputs, '-map', '0', ...maps, ...QUICK_H264, ...args];
  return packaged(await clips.make(fileName, created, files));
}

async function packaged(inputPath: string) {
  const inspection = await inspectFile(runner, inputPath);
  assert.ok(inspection.ok, JSON.stringify(inspection));
  const outDir = clips.fresh('package');
  const video = await packageVideo(runner, { inputPath, outDir, facts: inspection.facts });
  const read = (path: string) => readFile(join(outDir, path), 'utf8');
  return {
    video,
    read,
    media: (await read('master.m3u8')).split('\n').filter((line) => line.includes('TYPE=SUBTITLES')),
  };
}

const containers: [name: string, file: string, args: string[]][] = [
  ['SubRip in Matroska', 'a.mkv', ['-c:s', 'srt']],
  ['ASS in Matroska', 'b.mkv', ['-c:s', 'ass']],
  ['timed text in MP4', 'c.mp4', ['-c:s', 'mov_text']],
  ['WebVTT in Matroska', 'd.mkv', ['-c:s', 'webvtt']],
  ['a video whose times start at 10 s', 'e.mp4', ['-c:s', 'mov_text', '-output_ts_offset', '10']],
];
for (const [name, file, args] of casesOf(containers, 1)) {
  test(`${name} becomes captions at the times of the video`, async () => {
    const { video, read, media } = await captioned(file, [SPOKEN], [...args, '-metadata:s:s:0', 'language=ger']);
    assert.equal(media.length, 1);
    assert.match(media[0] ?? '', /NAME="Deutsch",LANGUAGE="de",.*URI="subs\/0\/index\.m3u8"$/);
    assert.match(await read('subs/0/index.m3u8'), /#EXTINF:2\.\d+,\ncaptions\.vtt\n/);
    assert.equal((await read('subs/0/captions.vtt')).split('\n\n').slice(1).join('\n\n'), EXPECTED);
    const types = new Map(video.files.map(({ path, contentType }) => [path, contentType]));
    assert.equal(types.get('subs/0/captions.vtt'), 'text/vtt; charset=utf-8');
    assert.equal(types.get('subs/0/index.m3u8'), 'application/vnd.apple.mpegurl');
  });
}

const flagged: [name: string, file: string, codec: string, dispositions: string[], lines: string[], roles: string[]][] =
  [
    [
      'Matroska',
      'flags.mkv',
      'srt',
      ['0', 'default', 'default+forced', 'hearing_impaired'],
      ['English NO NO', 'English (2) YES NO', 'English (forced) NO YES', 'English (3) NO NO described'],
      ['subtitle', 'subtitle main', 'forced-subtitle', 'caption'],
    ],
    [
      'Matroska, of which one in a language is forced',
      'forced.mkv',
      'srt',
      ['forced', 'forced'],
      ['English (forced) NO YES', 'English (forced) (2) NO NO'],
      ['forced-subtitle', 'subtitle'],
    ],
    [
      'MP4, where default means enabled',
      'flags.mp4',
      'mov_text',
      ['default', '0', 'forced'],
      ['English NO NO', 'English (2) NO NO', 'English (forced) NO YES'],
      ['subtitle', 'subtitle', 'forced-subtitle'],
    ],
  ];
for (const [name, file, codec, dispositions, lines, roles] of casesOf(flagged, 1)) {
  test(`flags of captions are kept: ${name}`, THOROUGH, async () => {
    const flags = dispositions.flatMap((flag, index) => [
      ...[`-metadata:s:s:${index}`, 'language=eng', `-disposition:s:${index}`, flag],
    ]);
    const tracks = dispositions.map(() => SPOKEN);
    const { media, read, video } = await captioned(file, tracks, ['-c:s', codec, ...flags]);
    const described = media.map((line) => {
      const [, title, isDefault, isForced] = /NAME="(.*?)".*DEFAULT=(\w+),.*FORCED=(\w+)/.exec(line) ?? [];
      return `${title} ${isDefault} ${isForced}${line.includes('describes-music-and-sound') ? ' described' : ''}`;
    });
    assert.deepEqual(described, lines);
    const sets = (await read('manifest.mpd')).split('<AdaptationSet contentType="text"').slice(1);
    assert.deepEqual(
      sets.map((set) => [...set.matchAll(/<Role .*value="(.*)"/g)].map(([, role]) => role).join(' ')),
      roles,
    );
    assert.deepEqual(
      video.captions.map(({ isDefault }) => isDefault),
      lines.map((line) => / YES /.test(line)),
    );
  });
}

test('an empty track is omitted, and the others are numbered without it', THOROUGH, async () => {
  const silent = '1\n00:00:00,500 --> 00:00:01,500\n<b> </b>\n';
  const { video, media, read } = await captioned(
    'f.mkv',
    [silent, SPOKEN],
    ['-c:s', 'srt', '-metadata:s:s:1', 'title=With "words"'],
  );
  assert.equal(media.length, 1);
  assert.match(media[0] ?? '', /NAME="With 'words'",LANGUAGE="und",DEFAULT=NO.*URI="subs\/0\/index\.m3u8"/);
  assert.match(await read('subs/0/captions.vtt'), /Grüß/);
  assert.equal(video.files.filter(({ path }) => path.startsWith('subs/')).length, 2);
});

test('unreadable tracks never fail a video', THOROUGH, async () => {
  const source = await clips.make('g.mp4', [...testVideo('160x90', 25, 2), ...QUICK_H264]);
  const inspection = await inspectFile(runner, source);
  assert.ok(inspection.ok);
  const subtitles = [{ index: 7, codec: 'subrip', language: null, title: null, ...NO_FLAGS }];
  const outDir = clips.fresh('package');
  const video = await packageVideo(runner, { inputPath: source, outDir, facts: { ...inspection.facts, subtitles } });
  assert.equal(
    video.files.some(({ path }) => path.startsWith('subs/')),
    false,
  );
  assert.doesNotMatch(await readFile(join(outDir, 'master.m3u8'), 'utf8'), /SUBTITLES/);
});

test('of many tracks the first eight text tracks are used', THOROUGH, () => {
  const codecs = ['hdmv_pgs_subtitle', 'dvd_subtitle', 'dvb_subtitle', ...Array.from({ length: 10 }, () => 'subrip')];
  const subtitles = codecs.map((codec, index) => ({ index, codec, language: null, title: null, ...NO_FLAGS }));
  assert.deepEqual(
    textSubtitles({ subtitles }).map(({ index }) => index),
    [3, 4, 5, 6, 7, 8, 9, 10],
  );
});
