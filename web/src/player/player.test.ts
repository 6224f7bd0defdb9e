import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeLevels, preferredLevel } from './quality.ts';
import { chapterAt, fractionAt, overlapWithin, segmentStep, segmentsOf } from './ranges.ts';
import { commandFor, SHORTCUTS, steppedRate } from './shortcuts.ts';

const press = (key: string, more: object = {}) =>
  commandFor({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });
const stream = (width: number, height: number, frameRate = 30, bitrate = 1_000_000) => ({
  width,
  height,
  frameRate,
  bitrate,
});

test('a digit seeks to its tenth', () => assert.deepEqual(press('7'), { do: 'seekTo', fraction: 0.7 }));
test('a key with a modifier belongs to the browser', () => assert.equal(press('f', { ctrlKey: true }), null));
test('an unknown key belongs to the page', () => assert.equal(press('q'), null));
test('no key has two commands', () => {
  const keys = SHORTCUTS.flatMap((shortcut) => shortcut.keys);
  assert.equal(new Set(keys).size, keys.length);
});

test('rates step along the list and stop at its ends', () => {
  assert.deepEqual(
    [steppedRate(1, 1), steppedRate(1, -1), steppedRate(2, 1), steppedRate(0.25, -1), steppedRate(3, 1)],
    [1.25, 0.75, 2, 0.25, 2],
  );
});

test('levels are named by their shorter side and sorted best first', () => {
  const levels = describeLevels([stream(640, 360), stream(1080, 1920, 60), stream(0, 0)]);
  assert.deepEqual(
    levels.map(({ id, label }) => [id, label]),
    [
      [1, '1080p60'],
      [0, '360p'],
      [2, 'Audio'],
    ],
  );
});

test('levels of the same height are labelled with their bit rate', () => {
  const labels = describeLevels([stream(1280, 720, 30, 1_500_000), stream(1280, 720, 30, 3_000_000)]).map(
    ({ label }) => label,
  );
  assert.deepEqual(labels, ['720p · 3.0 Mbit/s', '720p · 1.5 Mbit/s']);
});

test('an enhanced level is an entry of its own, which is not chosen by its number of lines', () => {
  const enhanced = { ...stream(2560, 1440, 30, 9_000_000), name: '1440p enhanced' };
  const levels = describeLevels([stream(640, 360), stream(1280, 720), enhanced]);
  assert.deepEqual(
    levels.map(({ id, label }) => [id, label]),
    [
      [2, '1440p enhanced'],
      [1, '720p'],
      [0, '360p'],
    ],
  );
  assert.equal(preferredLevel(levels, 2160)?.label, '720p');
});

test('an enhanced level is like the others where the playlist prefers it to all of them', () => {
  const scored = (score: number) => [
    { ...stream(640, 360), score: 1 },
    { ...stream(1280, 720), score: 2 },
    { ...stream(2560, 1440, 30, 9_000_000), name: '1440p enhanced', score },
  ];
  assert.equal(preferredLevel(describeLevels(scored(3)), 2160)?.label, '1440p enhanced');
  assert.equal(preferredLevel(describeLevels(scored(1)), 2160)?.label, '720p');
});

test('the source is an entry of its own, which is not chosen by its number of lines', () => {
  const source = { ...stream(1280, 720, 60, 4_000_000), name: '720p60 source' };
  const levels = describeLevels([stream(640, 360), source, stream(1280, 720, 60, 5_000_000)]);
  assert.deepEqual(
    levels.map(({ id, label, isSource }) => [id, label, isSource]),
    [
      [1, '720p60 source', true],
      [2, '720p60', false],
      [0, '360p', false],
    ],
  );
  assert.equal(preferredLevel(levels, 720)?.label, '720p60');
});

test('a stored quality is not exceeded if the video allows', () => {
  const levels = describeLevels([stream(640, 360), stream(1280, 720), stream(1920, 1080)]);
  assert.equal(preferredLevel(levels, 800)?.label, '720p');
  assert.equal(preferredLevel(levels, 144)?.label, '360p');
  assert.equal(preferredLevel(levels, null), null);
});

test('a pointer outside the bar counts as its edge', () => {
  assert.deepEqual(
    [
      fractionAt(-5, { left: 0, width: 10 }),
      fractionAt(5, { left: 0, width: 10 }),
      fractionAt(50, { left: 0, width: 10 }),
      fractionAt(5, { left: 0, width: 0 }),
    ],
    [0, 0.5, 1, 0],
  );
});

const CHAPTERS = [
  { startSeconds: 0, title: 'Intro' },
  { startSeconds: 30, title: 'Middle' },
  { startSeconds: 60, title: 'End' },
];
test('a chapter lasts until the next one starts', () => {
  assert.deepEqual(
    [0, 29.9, 30, 600].map((seconds) => chapterAt(CHAPTERS, seconds)?.title),
    ['Intro', 'Intro', 'Middle', 'End'],
  );
  assert.equal(chapterAt([{ startSeconds: 5, title: 'Late' }], 4), null);
});
test('segments cover the whole seek bar', () => {
  const lengths = (duration: number, chapters = CHAPTERS) =>
    segmentsOf(chapters, duration).map(({ start, end }) => [start, end]);
  assert.deepEqual(lengths(120), [
    [0, 30],
    [30, 60],
    [60, 120],
  ]);
  assert.deepEqual(lengths(60), [
    [0, 30],
    [30, 60],
  ]);
  assert.deepEqual(lengths(10, [{ startSeconds: 4, title: 'Late' }]), [
    [0, 4],
    [4, 10],
  ]);
  assert.deepEqual(lengths(10, []), [[0, 10]]);
  assert.deepEqual(lengths(0), [[0, 0]]);
});
test('a step leads to the start of a segment', () => {
  const segments = segmentsOf(CHAPTERS, 120);
  assert.deepEqual(
    [segmentStep(segments, 31, 1), segmentStep(segments, 100, 1), segmentStep(segments, 30, 1)],
    [60, 100, 60],
  );
  assert.deepEqual(
    [segmentStep(segments, 45, -1), segmentStep(segments, 31, -1), segmentStep(segments, 1, -1)],
    [30, 0, 0],
  );
});
test('the overlap of two spans is a part of the segment', () => {
  assert.deepEqual(overlapWithin({ start: 30, end: 60 }, { start: 0, end: 45 }), { start: 0, end: 0.5 });
  assert.equal(overlapWithin({ start: 30, end: 60 }, { start: 0, end: 30 }), null);
});
