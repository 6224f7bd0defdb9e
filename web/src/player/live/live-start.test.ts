import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startOf } from './live-start.ts';

const track = (live: boolean, ...starts: number[]) => ({ live, fragments: starts.map((start) => ({ start })) });

for (const [what, tracks, expected] of [
  ['picture and sound', [track(true, 0, 2), track(true, 0.02, 2.01)], 0.02],
  ['a window that moves on', [track(true, 60, 62), track(true, 59.98, 62)], 60],
  ['a video', [track(false, 0.1, 4), undefined], 0],
  ['what is not loaded yet', [undefined, undefined], 0],
  ['a playlist without segments', [track(true), undefined], 0],
  ['a track that begins before the others', [track(true, -0.01, 2), undefined], 0],
] as const)
  it(`the start of ${what} is ${expected} s`, () => assert.equal(startOf(tracks), expected));
