import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStoryboard, stillAt } from './storyboard.ts';

const VTT = `WEBVTT

00:00:00.000 --> 00:00:02.500
00001.jpg#xywh=0,0,160,90

00:59:57.500 --> 01:00:00.000
00002.jpg#xywh=320,90,160,90
`;
const ADDRESS = 'http://reelgraph.test/media/s/1.x/thumbs/storyboard.vtt';
const FIRST = {
  url: 'http://reelgraph.test/media/s/1.x/thumbs/00001.jpg',
  part: { x: 0, y: 0, width: 160, height: 90 },
};
const LAST = {
  url: 'http://reelgraph.test/media/s/1.x/thumbs/00002.jpg',
  part: { x: 320, y: 90, width: 160, height: 90 },
};

test('the WebVTT file of a storyboard names parts of images, beside it', () => {
  assert.deepEqual(readStoryboard(VTT, ADDRESS), [
    { end: 2.5, still: FIRST },
    { end: 3600, still: LAST },
  ]);
  assert.deepEqual(readStoryboard('<html>', ADDRESS), []);
});

test('the picture at a time is the part that its cue names', () => {
  const board = { urlFormat: '/t/%05d.jpg', count: 2, vtt: ADDRESS };
  const cues = readStoryboard(VTT, ADDRESS);
  assert.deepEqual(
    [0, 2.4, 2.5, 3599, 3601].map((time) => stillAt(board, cues, time, 3600)),
    [FIRST, FIRST, LAST, LAST, LAST],
  );
  assert.equal(stillAt(board, null, 0, 3600), null);
});

test('without a WebVTT file, each image is a picture, counted from one', () => {
  const board = { urlFormat: '/t/%05d.jpg', count: 10, vtt: null };
  assert.deepEqual(
    [0, 99.9, 100].map((time) => stillAt(board, null, time, 100)),
    [
      { url: '/t/00001.jpg', part: null },
      { url: '/t/00010.jpg', part: null },
      { url: '/t/00010.jpg', part: null },
    ],
  );
  assert.equal(stillAt(null, null, 5, 100), null);
});
