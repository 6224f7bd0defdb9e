import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedStarts } from './cut-plan.ts';

const every = (seconds: number, end: number) =>
  Array.from({ length: Math.ceil(end / seconds) }, (_, at) => at * seconds);
type Case = [name: string, keyframes: readonly number[], end: number, starts: readonly number[] | null];
const cases: readonly Case[] = [
  ['every 2 s', every(2, 12), 12, [0, 4, 8]],
  ['every 3 s', every(3, 12), 12, [0, 3, 6, 9]],
  ['every 5 s', every(5, 12), 12, [0, 5, 10]],
  ['every 6.5 s', every(6.5, 13), 13, null],
  ['every 10 s', every(10, 40), 40, null],
  ['of scenes', [0, 3.9, 8.3, 9, 14.2], 16, [0, 3.9, 9, 14.2]],
  ['at the start of a video of 5 s', [0], 5, [0]],
  ['shortly before the end', [0, 4, 8, 8.5], 9, [0, 4]],
];
for (const [name, keyframes, end, starts] of cases)
  test(`segments of keyframes ${name}`, () => {
    const found = sharedStarts(keyframes, end);
    assert.deepEqual(found?.map((index) => keyframes[index]) ?? null, starts);
  });
