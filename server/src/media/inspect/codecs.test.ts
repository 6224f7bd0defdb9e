import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { casesOf } from '../../../../scripts/test-runner/cases.ts';
import { openClips, testVideo, tone } from '../clips.fixture.ts';
import { createRunner } from '../runner.ts';
import { AUDIO_CODECS, REFUSED_CODECS, VIDEO_CODECS } from './codecs.ts';
import { inspectFile } from './inspect-file.ts';
import { surveyFile } from './survey.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());
const { signal } = new AbortController();
const LIMITS = { cpuSeconds: 10, memoryBytes: 2 * 1024 ** 3, outputBytes: 1024, wallMs: 15_000 };

/** The encoder, its container and options; 5 pictures or a second of sound. */
const VIDEO: readonly (readonly [encoder: string, file: string, codec: string])[] = [
  ['png', 'mov', 'png'],
  ['vc2', 'mkv', 'dirac'],
  ['zmbv', 'avi', 'zmbv'],
  ['jpeg2000', 'mov', 'jpeg2000'],
  ['targa', 'mov', 'targa'],
  ['tiff', 'mov', 'tiff'],
  ['dpx', 'mov', 'dpx'],
  ['sgi', 'mov', 'sgi'],
  ['r210', 'mov', 'r210'],
  ['r10k', 'mov', 'r10k'],
  ['v308', 'mov', 'v308'],
  ['v408', 'mov', 'v408'],
  ['v410', 'mov', 'v410'],
  ['avrp', 'mov', 'avrp'],
  ['yuv4', 'mov', 'yuv4'],
  ['ayuv', 'avi', 'ayuv'],
  ['y41p', 'avi', 'y41p'],
  ['cljr', 'avi', 'cljr'],
  ['smc', 'mov', 'smc'],
  ['zlib', 'avi', 'zlib'],
  ['flashsv', 'flv', 'flashsv'],
  ['flashsv2', 'flv', 'flashsv2'],
  ['speedhq', 'mkv', 'speedhq'],
  ['hap', 'mov', 'hap'],
];
const SOUND: readonly (readonly [encoder: string, file: string, codec: string])[] = [
  ['tta', 'mkv', 'tta'],
  ['g726', 'wav', 'adpcm_g726'],
  ['adpcm_g722', 'wav', 'adpcm_g722'],
  ['adpcm_yamaha', 'wav', 'adpcm_yamaha'],
  ['pcm_s64le', 'mkv', 'pcm_s64le'],
];

/** Codecs of a kind that the ffmpeg of this machine decodes. */
async function decoded(kind: 'V' | 'A'): Promise<string[]> {
  const { stdout } = await runner.run('ffmpeg', ['-codecs'], { limits: LIMITS });
  return [...stdout.matchAll(new RegExp(`^ D.${kind}... (\\S+)`, 'gm'))].map(([, name = '']) => name);
}

describe('codecs of uploads', () => {
  for (const [kind, name, used] of [
    ['V', 'pictures', VIDEO_CODECS],
    ['A', 'sound', AUDIO_CODECS],
  ] as const)
    it(`are allowed or refused, with a reason, for ${name} that ffmpeg decodes`, async () => {
      const codecs = await decoded(kind);
      assert.ok(codecs.length > 100, `${codecs.length} codecs`);
      const counts = codecs.map((codec) => [codec, Number(used.has(codec)) + Number(REFUSED_CODECS.has(codec))]);
      assert.deepEqual(
        counts.filter(([, count]) => count !== 1),
        [],
        'in no table, or in both',
      );
      assert.deepEqual(
        [...used].filter((codec) => !codecs.includes(codec)),
        [],
        'are not decoded',
      );
    });

  for (const [encoder, extension, codec] of casesOf(VIDEO, 2))
    it(`may be ${codec} in ${extension}, of which every picture is decoded`, async () => {
      const path = await clips.make(`a.${extension}`, [...testVideo('64x48', 5, 1), '-c:v', encoder]);
      const found = await inspectFile(runner, path);
      assert.ok(found.ok, JSON.stringify(found));
      assert.equal(found.facts.video?.codec, codec);
      assert.equal((await surveyFile(runner, path, found.facts, signal)).pictures?.count, 5);
    });

  for (const [encoder, extension, codec] of casesOf(SOUND, 1))
    it(`may be ${codec} in ${extension}, all of which is decoded`, async () => {
      const path = await clips.make(`a.${extension}`, [...tone('mono', 1), '-ar', '8000', '-c:a', encoder]);
      const found = await inspectFile(runner, path);
      assert.ok(found.ok, JSON.stringify(found));
      assert.equal(found.facts.audio?.codec, codec);
      const { sound } = await surveyFile(runner, path, found.facts, signal);
      assert.ok(Math.abs((sound?.endSeconds ?? 0) - 1) < 0.1, `${sound?.endSeconds} s`);
    });
});
