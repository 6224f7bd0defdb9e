import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Gate, type Gated, readScenes, sceneAt, spellScenes } from './gate.ts';
import { type Luma, resample } from './resample.ts';

const SIZE = { width: 96, height: 64 };
const FACTOR = 2;

/** A picture with fine detail that no filter restores; another number, another picture. */
function detailed(number: number): Luma {
  let state = 1 + number;
  const pixels = Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, at) => {
    state = (state * 48_271) % 2_147_483_647;
    const [x, y] = [at % SIZE.width, Math.floor(at / SIZE.width)];
    return 60 + 20 * number + (((x >> 1) ^ (y >> 1)) & 1 ? 60 : 0) + (state % 20);
  });
  return { ...SIZE, pixels };
}

/** What the gate decides for frames, with a model that makes `made` of what it is given of each. */
async function gated(
  frames: readonly Luma[],
  made: (frame: Luma, given: Luma, number: number) => readonly number[],
): Promise<Gated> {
  let at = 0;
  const gate = new Gate({
    factor: FACTOR,
    framesPerSecond: 10,
    enlarge: async (given) => {
      const pixels = Uint8ClampedArray.from(made(frames[at]!, given, at));
      return { ...SIZE, pixels: new Uint8Array(pixels.buffer) };
    },
  });
  for (at = 0; at < frames.length; at += 1) await gate.push(frames[at]!);
  return gate.finish();
}

const still = (number: number, count: number): Luma[] => Array.from({ length: count }, () => detailed(number));
const bicubicOf = (given: Luma) => resample(given, SIZE, 'bicubic').pixels;
/** What is missing in bicubic enlargement, so many times. */
const details = (times: number) => (frame: Luma, given: Luma) =>
  [...bicubicOf(given)].map((level, at) => level + times * (frame.pixels[at]! - level));

describe('gate', () => {
  const models: [what: string, made: (frame: Luma, given: Luma) => readonly number[], weight: number][] = [
    ['all of a model that restores what was there', details(1), 16],
    ['half of a model that makes twice the details', details(2), 8],
    ['a quarter of one that makes four times the details', details(4), 4],
    ['nothing of one that makes the opposite', details(-1), 0],
    ['nothing of one that makes something else', (_, given) => [...bicubicOf(given)].map((level) => 255 - level), 0],
  ];
  for (const [what, made, weight] of models)
    it(`uses ${what}`, async () => {
      const { scenes, figures } = await gated(still(0, 12), made);
      assert.equal(scenes.length, 1);
      // Rounding of pixels and of weights.
      assert.ok(Math.abs(scenes[0]!.weight - weight) <= 1, `${scenes[0]!.weight} for ${weight}`);
      assert.equal(figures.enhancedPercent, weight === 0 ? 0 : 100);
      assert.ok(weight === 0 ? figures.gainDb === 0 : figures.gainDb > 10, `${figures.gainDb} dB`);
    });

  it('uses nothing of details that flicker', async () => {
    const flicker = (frame: Luma, given: Luma, number: number) => details(number % 2 === 0 ? 1.9 : 0.1)(frame, given);
    const { scenes } = await gated(still(0, 12), flicker);
    assert.equal(scenes[0]?.weight, 0);
  });

  it('uses nothing where there is nothing to restore', async () => {
    const smooth = Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, at) => 100 + (at % SIZE.width) / 2);
    const frames = Array.from({ length: 4 }, () => ({ ...SIZE, pixels: smooth }));
    const { scenes, figures } = await gated(frames, details(1));
    assert.deepEqual(scenes, [{ startFrame: 0, weight: 0, filter: 'bicubic' }]);
    assert.deepEqual([figures.scenes, figures.tested, figures.gainDb], [1, 2, 0]);
  });

  it('falls back to Lanczos where that comes closer', async () => {
    const stripes = Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, at) =>
      Math.round(128 + 80 * Math.sin(((at % SIZE.width) * 2 * Math.PI) / 6)),
    );
    const frames = Array.from({ length: 3 }, () => ({ ...SIZE, pixels: stripes }));
    const { scenes } = await gated(frames, details(-1));
    assert.deepEqual(scenes, [{ startFrame: 0, weight: 0, filter: 'lanczos' }]);
  });

  it('decides for each scene', async () => {
    const frames = [...still(0, 10), ...still(3, 10), ...still(0, 10)];
    const made = (frame: Luma, given: Luma, number: number) =>
      details(number >= 10 && number < 20 ? -1 : 1)(frame, given);
    const { scenes, figures } = await gated(frames, made);
    assert.deepEqual(scenes, [
      { startFrame: 0, weight: 16, filter: 'bicubic' },
      { startFrame: 10, weight: 0, filter: 'bicubic' },
      { startFrame: 20, weight: 16, filter: 'bicubic' },
    ]);
    assert.equal(figures.scenes, 3);
    assert.equal(Math.round(figures.enhancedPercent), 67);
    assert.deepEqual(
      [0, 9, 10, 19, 20, 500].map((frame) => sceneAt(scenes, frame).startFrame),
      [0, 0, 10, 10, 20, 20],
    );
  });

  it('sees no scenes in a video that becomes brighter, and none shorter than 0.4 s', async () => {
    const brighter = Array.from({ length: 20 }, (_, frame) => {
      const { pixels } = detailed(0);
      return { ...SIZE, pixels: pixels.map((level) => level + 4 * frame) };
    });
    assert.equal((await gated(brighter, details(1))).figures.scenes, 1);
    const flashes = Array.from({ length: 20 }, (_, frame) => detailed(frame % 2 === 0 ? 0 : 4));
    assert.ok((await gated(flashes, details(1))).figures.scenes <= 5);
  });

  it('decides for a single frame, and for a picture of a pixel', async () => {
    assert.equal((await gated(still(0, 1), details(1))).scenes[0]?.weight, 16);
    const gate = new Gate({ factor: FACTOR, framesPerSecond: 25, enlarge: async () => assert.fail('nothing to test') });
    await gate.push({ width: 1, height: 1, pixels: Uint8Array.of(7) });
    assert.deepEqual(gate.finish().scenes, [{ startFrame: 0, weight: 0, filter: 'bicubic' }]);
  });

  it('writes scenes as a text that it reads', () => {
    const scenes = [
      { startFrame: 0, weight: 16, filter: 'bicubic' },
      { startFrame: 250, weight: 0, filter: 'lanczos' },
    ] as const;
    assert.equal(spellScenes(scenes), '0:16:b,250:0:l');
    assert.deepEqual(readScenes('0:16:b,250:0:l'), scenes);
    assert.deepEqual(readScenes(''), []);
  });
});
