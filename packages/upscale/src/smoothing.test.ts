import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Scene } from './gate.ts';
import type { Luma } from './resample.ts';
import { type Enlarged, SMOOTHED_FRAMES, smoothed, stillness } from './smoothing.ts';

const SIZE = { width: 8, height: 6 };
const MADE: Scene = { startFrame: 0, weight: 16, filter: 'bicubic' };
const CHROMA = Uint8Array.of(90, 200);

const picture = (level: (x: number, y: number) => number): Luma => ({
  ...SIZE,
  pixels: Uint8Array.from({ length: 48 }, (_, at) => level(at % 8, Math.floor(at / 8))),
});
const grey = (level: number) => picture(() => level);
/** Darker and brighter by turns. */
const mixed = (level: number, by: number) => picture((x, y) => level + ((x + y) % 2 === 0 ? by : -by));

/** A frame that is enlarged by two to one level, which is in sixteenths. */
const frame = (given: Luma, sixteenths: number, scene = MADE): Enlarged => ({
  given,
  luma: new Uint16Array(4 * 48).fill(sixteenths),
  chroma: CHROMA,
  scene,
});

async function madeOf(frames: readonly Enlarged[]): Promise<Uint8Array[]> {
  async function* given() {
    yield* frames;
  }
  const made: Uint8Array[] = [];
  for await (const each of smoothed(given(), 2)) made.push(each);
  return made;
}

/** The level of each frame, which has no other. */
async function levelsOf(frames: readonly Enlarged[]): Promise<number[]> {
  return (await madeOf(frames)).map((made) => {
    assert.deepEqual([made.length, new Set(made.subarray(0, -2)).size, ...made.subarray(-2)], [194, 1, 90, 200]);
    return made[0]!;
  });
}

describe('the stillness of a picture', () => {
  it('is all where nothing changed, and nothing where all changed alike', () => {
    assert.deepEqual(new Set(stillness(grey(70), grey(70))), new Set([100]));
    assert.deepEqual(new Set(stillness(grey(70), grey(71))), new Set([0]));
    assert.deepEqual(new Set(stillness(grey(255), grey(0))), new Set([0]));
  });

  it('is more where pixels changed in both directions', () => {
    // In the middle, 13 pixels changed by one in one direction and 12 in the other: 100 - 25 - 4.
    assert.equal(stillness(grey(70), mixed(70, 1))[2 * 8 + 4], 71);
    // 100 - 3 * (25 + 4)
    assert.equal(stillness(mixed(70, 3), grey(70))[2 * 8 + 4], 13);
    assert.equal(stillness(mixed(70, 4), grey(70))[2 * 8 + 4], 0);
  });

  it('is less within two pixels of a change, which counts more often at the edge', () => {
    const changed = picture((x, y) => (x === 7 && y === 2 ? 74 : 70));
    const rows = [0, 1, 2, 3, 4, 5].map((y) => [...stillness(grey(70), changed).subarray(8 * y, 8 * y + 8)]);
    // 4 + 4 * 4 for each time that the pixel is in the window; the last column is repeated.
    const near = [100, 100, 100, 100, 100, 80, 60, 40];
    assert.deepEqual(rows, [near, near, near, near, near, Array(8).fill(100)]);
  });
});

describe('smoothing of frames', () => {
  it('rounds to levels where there is nothing to smooth with', async () => {
    assert.deepEqual(await levelsOf([]), []);
    assert.deepEqual(await levelsOf([frame(grey(70), 16 * 70 + 7)]), [70]);
    assert.deepEqual(await levelsOf([frame(grey(70), 16 * 70 + 8)]), [71]);
  });

  it('takes the mean over two frames before and after where the picture stands still', async () => {
    const frames = [0, 0, 0, 50, 0, 0, 0].map((level) => frame(grey(70), 16 * level));
    // A fifth of 50, and a quarter near the ends, where there are four frames.
    assert.deepEqual(await levelsOf(frames), [0, 13, 10, 10, 10, 13, 0]);
  });

  it('takes less of a frame that differs more', async () => {
    assert.deepEqual(await levelsOf([frame(grey(70), 0), frame(grey(70), 1600)]), [50, 50]);
    const made = await madeOf([frame(grey(70), 0), frame(mixed(70, 1), 1600)]);
    // 71 of 171 of the other one, around the pixel at 4, 2.
    assert.deepEqual(
      made.map((each) => [each[4 * 16 + 8], each[5 * 16 + 9]]),
      [
        [42, 42],
        [58, 58],
      ],
    );
  });

  it('takes nothing of another scene, or over a change of the picture', async () => {
    const other = { ...MADE };
    const cut = [frame(grey(70), 0), frame(grey(70), 0), frame(grey(70), 1600, other), frame(grey(70), 1600, other)];
    assert.deepEqual(await levelsOf(cut), [0, 0, 100, 100]);
    const changed = [70, 70, 90, 90, 90].map((level) => frame(grey(level), level === 70 ? 0 : 1600));
    assert.deepEqual(await levelsOf(changed), [0, 0, 100, 100, 100]);
    const flash = [70, 70, 90, 70, 70].map((level, at) => frame(grey(level), 160 * at));
    assert.deepEqual(await levelsOf(flash), [5, 5, 20, 35, 35]);
  });

  it('leaves scenes alone that are enlarged without a model', async () => {
    const plain: Scene = { startFrame: 0, weight: 0, filter: 'lanczos' };
    assert.deepEqual(await levelsOf([0, 50, 0].map((level) => frame(grey(70), 16 * level, plain))), [0, 50, 0]);
  });

  it('is the same whatever the part, with the frames around it', async () => {
    const frames = Array.from({ length: 20 }, (_, at) => frame(grey(at < 11 ? 70 : 80), 160 * ((at * 7) % 10)));
    const whole = await levelsOf(frames);
    for (const [start, end] of [
      [2, 5],
      [9, 13],
      [11, 12],
    ] as const) {
      const part = await levelsOf(frames.slice(start - SMOOTHED_FRAMES, end + SMOOTHED_FRAMES));
      assert.deepEqual(part.slice(SMOOTHED_FRAMES, -SMOOTHED_FRAMES), whole.slice(start, end));
    }
  });
});
