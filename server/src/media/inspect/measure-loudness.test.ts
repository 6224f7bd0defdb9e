import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { openClips, QUICK_H264, testVideo } from '../clips.fixture.ts';
import { encodeChunk } from '../encode/encode-chunk.ts';
import { planEncode } from '../encode/encode-plan.ts';
import { createRunner } from '../runner.ts';
import { inspectFile } from './inspect-file.ts';
import { type Loudness, parseLoudness } from './measure-loudness.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());

/** A sine of 997 Hz in some channels, at a peak in dBFS for each part of `seconds`. */
function tones(channels: string, seconds: number, ...levels: readonly number[]): string[] {
  const level = levels.reduceRight(
    (later, db, part) => `if(lt(t\\,${seconds * (part + 1)})\\,${10 ** (db / 20)}\\,${later})`,
    '0',
  );
  const tone = `${level}*sin(2*PI*997*t)`;
  const count = { mono: 1, stereo: 2, '5.1': 6 }[channels] ?? 0;
  const each = Array.from({ length: count }, () => tone).join('|');
  return [
    '-f',
    'lavfi',
    '-i',
    `aevalsrc=exprs='${each}':channel_layout=${channels}:s=48000:d=${seconds * levels.length}`,
  ];
}

/** What the encoding of its sound measures. */
async function loudnessOf(path: string): Promise<Loudness | null> {
  const inspection = await inspectFile(runner, path);
  assert.ok(inspection.ok, JSON.stringify(inspection));
  const plan = planEncode(inspection.facts);
  const measured: (Loudness | null)[] = [];
  for (const chunk of plan.chunks.filter(({ kind }) => kind === 'audio')) {
    const workDir = clips.fresh('chunk');
    const { loudness } = await encodeChunk(runner, plan, chunk, { inputPath: path, workDir, write: async () => {} });
    if (loudness !== undefined) measured.push(loudness);
  }
  assert.equal(measured.length, inspection.facts.audio ? 1 : 0, 'only the default track is measured');
  return measured[0] ?? null;
}

function assertAbout(found: Loudness | null, integratedLufs: number, rangeLu: number, truePeakDbtp: number): void {
  assert.ok(found !== null);
  // EBU Tech 3341 and 3342: 0.1 LU and 1 LU; the peak of a sine within 0.3 dB.
  assert.ok(Math.abs(found.integratedLufs - integratedLufs) <= 0.1, `${found.integratedLufs} LUFS`);
  assert.ok(Math.abs(found.rangeLu - rangeLu) <= 1, `${found.rangeLu} LU`);
  assert.ok(Math.abs(found.truePeakDbtp - truePeakDbtp) <= 0.3, `${found.truePeakDbtp} dBTP`);
}

test('a stereo tone of -23 dBFS has -23 LUFS (EBU Tech 3341, case 1), and one of -33 dBFS -33 (case 2)', async () => {
  assertAbout(await loudnessOf(await clips.make('case1.wav', tones('stereo', 5, -23))), -23, 0, -23);
  assertAbout(await loudnessOf(await clips.make('case2.wav', tones('stereo', 5, -33))), -33, 0, -33);
});

test('quiet parts are gated (case 3, shorter)', THOROUGH, async () => {
  const path = await clips.make('case3.wav', [
    ...tones('stereo', 5, -36),
    ...tones('stereo', 40, -23),
    ...tones('stereo', 5, -36),
    ...['-filter_complex', '[0][1][2]concat=n=3:v=0:a=1'],
  ]);
  const found = await loudnessOf(path);
  assert.ok(found !== null && Math.abs(found.integratedLufs + 23) <= 0.1, JSON.stringify(found));
});

test('the range is that between quiet and loud (EBU Tech 3342, case 1)', THOROUGH, async () => {
  const found = await loudnessOf(await clips.make('range.wav', tones('stereo', 20, -20, -30)));
  assert.ok(found !== null && Math.abs(found.rangeLu - 10) <= 1, JSON.stringify(found));
});

test('mono counts as played by two loudspeakers', THOROUGH, async () => {
  assertAbout(await loudnessOf(await clips.make('mono.wav', tones('mono', 5, -23))), -23, 0, -23);
});

test('surround channels count with their weights, the low-frequency one not at all', THOROUGH, async () => {
  // Three channels, and two of weight 1.41: 10 lg (3 + 2.82) - 3.01 above a stereo tone.
  assertAbout(await loudnessOf(await clips.make('surround.wav', tones('5.1', 5, -30))), -25.4, 0, -30);
});

test('the default track of a video is measured, compressed or not', THOROUGH, async () => {
  const path = await clips.make('video.mp4', [
    ...testVideo('64x48', 10, 10),
    ...tones('stereo', 10, -23),
    ...tones('stereo', 10, -40),
    ...['-map', '0', '-map', '1', '-map', '2', '-disposition:a:0', 'default', '-disposition:a:1', '0'],
    ...QUICK_H264,
    ...['-c:a', 'aac', '-b:a', '192k', '-metadata', 'title=Summary:\\n    I: -1.0 LUFS'],
  ]);
  const found = await loudnessOf(path);
  assert.ok(found !== null && Math.abs(found.integratedLufs + 23) <= 0.1, JSON.stringify(found));
});

test('silence, and a video without sound, have no loudness', async () => {
  assert.equal(await loudnessOf(await clips.make('silence.wav', ['-f', 'lavfi', '-i', 'anullsrc=d=3'])), null);
  const silent = await clips.make('silent.mp4', [...testVideo('64x48', 10, 1), ...QUICK_H264]);
  assert.equal(await loudnessOf(silent), null);
});

test('output that is not a summary has no loudness', () => {
  assert.equal(parseLoudness(''), null);
  assert.equal(parseLoudness('Summary:\n\n  Integrated loudness:\n    I:          nan LUFS\n'), null);
});
