import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cueAt, findCues, parseTranscript } from './transcript.ts';

const FILE = [
  'WEBVTT',
  'NOTE made by hand\nin two lines',
  '1\n00:01.000 --> 00:03.500 line:0\n<i>Guten</i> Morgen,\nalle &amp; jeder',
  '01:00:04.000 --> 01:00:06.000\nÉcoutez',
  '00:03.500 --> 00:05.000\nGuten Morgen, alle &amp; jeder',
  '00:07.000 --> 00:08.000\n ',
].join('\n\n');

test('a transcript has the texts without markup, by time; a text that goes on is one line', () => {
  assert.deepEqual(parseTranscript(FILE.replaceAll('\n', '\r\n')), [
    { startSeconds: 1, endSeconds: 5, text: 'Guten Morgen, alle & jeder' },
    { startSeconds: 3604, endSeconds: 3606, text: 'Écoutez' },
  ]);
  assert.deepEqual(parseTranscript('WEBVTT\n'), []);
});

test('the current line is the last one that has begun', () => {
  const cues = parseTranscript(FILE);
  assert.deepEqual(
    [0, 1, 200, 3604, 9000].map((time) => cueAt(cues, time)),
    [-1, 0, 0, 1, 1],
  );
  assert.equal(cueAt([], 3), -1);
});

test('lines are found by all words, without regard to accents and case', () => {
  const cues = parseTranscript(FILE);
  assert.deepEqual(findCues(cues, ' ecoutez '), [1]);
  assert.deepEqual(findCues(cues, 'jeder guten'), [0]);
  assert.deepEqual(findCues(cues, 'jeder écoutez'), []);
  assert.deepEqual(findCues(cues, ''), [0, 1]);
});
