import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { checkManifest, decodedFrames } from './dash.fixture.ts';
import { clips, LIMITS, packaged, playedBack, runner } from './packaging.fixture.ts';

const FOLDER = 'audio-5.1-dolby';

/** A film of 5 s with one track of 5.1. */
const film = (encoder: readonly string[]) =>
  clips.make('film.mkv', [...testVideo('160x90', 25, 5), ...tone('5.1', 5), ...QUICK_H264, ...encoder]);

/** A digest of the frames of sound as they are stored. */
async function frames(input: readonly string[], options: { cwd?: string; inputs?: string[] }): Promise<string> {
  const args = [...input, '-map', '0:a:0', '-c', 'copy', '-f', 'md5', 'pipe:1'];
  return (await runner.run('ffmpeg', args, { ...options, limits: LIMITS })).stdout;
}
const inPackage = ['-protocol_whitelist', 'file', '-f', 'hls', '-i', `${FOLDER}/index.m3u8`];

const copied: [encoder: string, codecs: string][] = [
  ['ac3', 'ac-3'],
  ['eac3', 'ec-3'],
];
for (const [encoder, codecs] of casesOf(copied, 1)) {
  test(`5.1 of a source in ${encoder} is taken as it is, in a group that names its codec`, async () => {
    const source = await film(['-c:a', encoder, '-b:a', '448k']);
    const { outDir } = await packaged(source);
    const original = await frames(['-i', '/.sandbox/input/0'], { inputs: [source] });
    assert.match(original, /^MD5=\w{32}/);
    assert.equal(await frames(inPackage, { cwd: outDir }), original);
    const played = await playedBack(outDir, `${FOLDER}/index.m3u8`);
    assert.deepEqual([played.codec_name, played.channels, played.start_time], [encoder, 6, '0.000000']);

    const master = await readFile(join(outDir, 'master.m3u8'), 'utf8');
    assert.match(master, new RegExp(`GROUP-ID="dolby",NAME="Main",.*,CHANNELS="6",URI="${FOLDER}/index.m3u8"`));
    const groups = [...master.matchAll(/CODECS="avc1\.64001e,(.*?)",.*AUDIO="(\w+)"/g)];
    assert.deepEqual(
      groups.map(([, sound, group]) => `${group} ${sound}`),
      ['audio mp4a.40.2', 'surround mp4a.40.2', `dolby ${codecs}`],
    );
    const tracks = await checkManifest(outDir);
    assert.deepEqual(
      tracks.slice(-1).map((track) => `${track.id} ${track.codecs} ${track.segments}`),
      [`${FOLDER} ${codecs} 2`],
    );
    // Of 1,536 samples each.
    const ids = tracks.map(({ id }) => id);
    assert.equal((await decodedFrames(outDir, ids))[FOLDER], 157);
  });
}

test('5.1 of other sources is encoded as E-AC-3', THOROUGH, async () => {
  const { outDir } = await packaged(await film(['-c:a', 'flac']));
  const played = await playedBack(outDir, `${FOLDER}/index.m3u8`);
  assert.deepEqual([played.codec_name, played.channels, played.channel_layout], ['eac3', 6, '5.1(side)']);
  assert.match(await readFile(join(outDir, 'master.m3u8'), 'utf8'), /CODECS="avc1\.64001e,ec-3".*AUDIO="dolby"/);
});

test('AC-3 that begins after the picture is encoded, with silence before it', THOROUGH, async () => {
  const late = ['-itsoffset', '3', ...tone('5.1', 2)];
  const source = await clips.make('late.mkv', [...testVideo('160x90', 25, 5), ...late, ...QUICK_H264, '-c:a', 'ac3']);
  const { outDir } = await packaged(source);
  assert.equal((await playedBack(outDir, `${FOLDER}/index.m3u8`)).codec_name, 'eac3');
  const args = [...inPackage, '-af', 'silencedetect=n=-60dB:d=1', '-f', 'null', '-'];
  const { stderrTail } = await runner.run('ffmpeg', args, { cwd: outDir, limits: LIMITS });
  const [, start, end] = /silence_start: (\S+)[\s\S]*silence_end: (\S+)/.exec(stderrTail) ?? [];
  assert.ok(Math.abs(Number(start)) < 0.05 && Math.abs(Number(end) - 3) < 0.05, `silence from ${start} to ${end}`);
});
