import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { Fraction } from './fraction.ts';
import { PictureTimeline } from './packet-times.ts';
import { rateOf } from './picture-times.ts';

const every = (count: number, step: number, from = 0) =>
  Array.from({ length: count }, (_, index) => from + index * step);
const rounded = (seconds: readonly number[], tick: number) => seconds.map((at) => Math.round(at / tick) * tick);
const cut = (seconds: readonly number[], tick: number) => seconds.map((at) => Math.floor(at / tick + 1e-6) * tick);

type Case = [name: string, seconds: readonly number[], tick: number, nominal: Fraction | null, expected: string];
const cases: readonly Case[] = [
  ['in a time base of its own', every(60, 1 / 25), 1 / 12_800, { num: 25, den: 1 }, '25/1'],
  ['rounded to milliseconds', rounded(every(3000, 1001 / 30_000), 0.001), 0.001, null, '30000/1001'],
  ['cut to milliseconds', cut(every(300, 1 / 24), 0.001), 0.001, null, '24/1'],
  ['that no camera has', every(36, 1499 / 45_000), 1 / 90_000, null, '45000/1499'],
  ['slightly off a common one, for an hour', every(10_000, 3001 / 90_000), 1 / 90_000, null, '90000/3001'],
  ['with one picture a millisecond late', every(60, 0.04).with(30, 1.201), 1 / 12_800, null, '25/1 variable'],
  ['of which one is missing', every(60, 0.04).toSpliced(30, 1), 1 / 12_800, null, '25/1 variable'],
  [
    'of which every seventh is missing',
    every(90, 1 / 30).filter((_, at) => at % 7 !== 3),
    1e-4,
    { num: 30, den: 1 },
    '30/1 variable',
  ],
  [
    'with jitter',
    every(120, 1 / 60).map((at, index) => at + 0.003 * Math.sin(index)),
    1 / 90_000,
    null,
    '60/1 variable',
  ],
  ['that begins late', every(60, 0.04, 0.1), 1 / 12_800, null, '25/1 variable'],
  ['that doubles', [...every(60, 1 / 30), ...every(120, 1 / 60, 2)], 1 / 90_000, null, '60/1 variable'],
  ['with a gap of 3 s', [...every(30, 1 / 30), ...every(30, 1 / 30, 4)], 1 / 90_000, null, '30/1 variable'],
  ['with two pictures at once', [0, 0.001, 3, 3.5, 4, 4.5, 5], 0.001, null, '2/1 variable'],
];
for (const [name, seconds, tick, nominal, expected] of cases)
  test(`the rate of pictures ${name} is ${expected}`, () => {
    const last = seconds.at(-1) ?? 0;
    const rate = rateOf({ seconds, tick, endSeconds: last + 0.01, nominal }) ?? assert.fail();
    const { num, den } = rate.frameRate;
    assert.equal(`${num}/${den}${rate.variableFrameRate ? ' variable' : ''}`, expected);
    assert.deepEqual([rate.exactRate, rate.pictures === undefined], [!rate.variableFrameRate, !rate.variableFrameRate]);
  });

test('a last picture that is shown for longer than the others ends when it ends', () => {
  const rate = rateOf({ seconds: [0, 0.04, 0.08], tick: 0.01, endSeconds: 2, nominal: null });
  assert.deepEqual(rate?.pictures, { points: [0], before: [0], end: 180_000 });
});

describe('a last picture of a slow video', () => {
  const cases: [name: string, endSeconds: number | null, fileEndSeconds: number | null, expected: number][] = [
    ['ends when it ends', 4.3, 4.3, 387_000],
    ['ends with a file that does not say it', null, 4.3, 387_000],
    ['is as long as the others where nothing is known', null, null, 531_103],
    ['is as long as the others in a file of that length, whatever a copy says', 4.01, 6, 531_103],
    ['is seen where it has no length', 4, 4, 363_750],
  ];
  for (const [name, endSeconds, fileEndSeconds, expected] of cases)
    it(name, () => {
      const shown = { seconds: [0, 2.1, 4], tick: 0.001, endSeconds, fileEndSeconds, nominal: { num: 1, den: 2 } };
      assert.equal(rateOf(shown)?.pictures?.end, expected);
    });
});

test('the empty lines that ffprobe prints after packets with side data are no packets', () => {
  const timeline = new PictureTimeline('mpegts', 0);
  for (const line of ['0,1.400000,1.360000,0.040000,K_,', '', '0,1.440000,1.400000,0.040000,__,', ''])
    timeline.add(line);
  const shown = timeline.shown(1.4) ?? assert.fail();
  assert.deepEqual(
    [...shown.seconds].map((second) => second.toFixed(3)),
    ['0.000', '0.040'],
  );
});

test('the points of times are the first picture of each half second, with the one before it', () => {
  const seconds = [0.2, 0.3, 0.52, 0.9, 4.1, 4.2, 4.7];
  const { points, before } =
    rateOf({ seconds, tick: 0.001, endSeconds: null, nominal: null })?.pictures ?? assert.fail();
  // A late first picture is shown from the start on.
  assert.deepEqual(points, [0, 46_800, 369_000, 423_000]);
  assert.deepEqual(before, [0, 27_000, 81_000, 378_000]);
});

test('a single picture has no rate', () => {
  assert.equal(rateOf({ seconds: [0], tick: 0.04, endSeconds: 1, nominal: null }), null);
});
