import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from './cue-problems.ts';
import { readCues, readTimecode, timecode, writeSrt, writeVtt } from './cue-text.ts';
import { addCue, cueAt, type EditedCue, mergeCue, moveCue, moveEdge, removeCue, splitCue } from './cues.ts';
import { edit, redo, startHistory, undo } from './edit-history.ts';
import { rangeBetween, readPeaks } from './waveform.ts';

const DURATION = 20_000;
const cue = (id: number, startMs: number, endMs: number, text = `Cue ${id}`): EditedCue => ({
  id,
  startMs,
  endMs,
  text,
});
const CUES = [cue(1, 1_000, 3_000, 'The harbour in the morning'), cue(2, 3_500, 5_000), cue(3, 9_000, 10_000)];
const times = (cues: readonly EditedCue[] | null | undefined) =>
  cues?.map(({ id, startMs, endMs }) => `${id}: ${startMs}-${endMs}`);

test('a file is read and written without loss, and its markup is kept where viewers see it', () => {
  const vtt =
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.500 line:0\n<i>Tom</i> &amp; <c.red>Jerry</c>\n1 &lt; 2\n\nNOTE hidden\n\n' +
    '01:00:00.000 --> 01:00:01.000\nLast\n';
  const cues = readCues(vtt);
  assert.deepEqual(cues, [cue(1, 1_000, 2_500, '<i>Tom</i> & Jerry\n1 < 2'), cue(2, 3_600_000, 3_601_000, 'Last')]);
  assert.equal(
    writeVtt(cues),
    'WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<i>Tom</i> &amp; Jerry\n1 &lt; 2\n\n' +
      '01:00:00.000 --> 01:00:01.000\nLast\n',
  );
  assert.deepEqual(readCues(writeVtt(cues)), cues);
  assert.equal(writeSrt(cues.slice(0, 1)), '1\n00:00:01,000 --> 00:00:02,500\n<i>Tom</i> & Jerry\n1 < 2\n');
  assert.deepEqual(readCues('2\r\n00:00:05,5 --> 00:00:06,25\r\nHello\r\n'), [cue(1, 5_500, 6_250, 'Hello')]);
  assert.equal(
    writeVtt([cue(1, 0, 1_000, 'a\n\n b --> c')]),
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\na\nb --&gt; c\n',
  );
});

test('times are read as they are written', () => {
  assert.deepEqual([0, 62_500, 3_661_025].map(timecode), ['0:00.0', '1:02.5', '1:01:01.025']);
  assert.deepEqual(['62.5', '1:02,5', '1:01:01.025', '7', 'x', '1:2:3:4'].map(readTimecode), [
    ...[62_500, 62_500, 3_661_025, 7_000, null, null],
  ]);
});

test('cues are moved within the video, and keep a length', () => {
  assert.deepEqual(times(moveCue(CUES, 1, -5_000, DURATION)), ['1: 0-2000', '2: 3500-5000', '3: 9000-10000']);
  assert.deepEqual(times(moveCue(CUES, 1, 30_000, DURATION)), ['2: 3500-5000', '3: 9000-10000', '1: 18000-20000']);
  assert.deepEqual(times(moveEdge(CUES, 2, 'start', 4_990, DURATION))?.[1], '2: 4900-5000');
  assert.deepEqual(times(moveEdge(CUES, 3, 'end', 99_000, DURATION))?.[2], '3: 9000-20000');
});

test('cues are added where there is room, split, joined and removed', () => {
  assert.deepEqual(times(addCue(CUES, 6_000, DURATION)?.cues), [
    ...['1: 1000-3000', '2: 3500-5000', '4: 6000-8000', '3: 9000-10000'],
  ]);
  assert.equal(times(addCue(CUES, 8_500, DURATION)?.cues)?.[2], '4: 8500-9000');
  assert.equal(addCue(CUES, 2_000, DURATION), null, 'within another');
  assert.equal(addCue(CUES, 8_950, DURATION), null, 'too close to the next');
  const split = splitCue(CUES, 1, 1_900);
  assert.deepEqual(
    split?.cues.slice(0, 2).map(({ startMs, endMs, text }) => [startMs, endMs, text]),
    [
      [1_000, 1_900, 'The harbour'],
      [1_900, 3_000, 'in the morning'],
    ],
  );
  assert.equal(splitCue(CUES, 1, 1_050), null);
  assert.deepEqual(mergeCue(CUES, 1)?.[0], cue(1, 1_000, 5_000, 'The harbour in the morning\nCue 2'));
  assert.equal(mergeCue(CUES, 3), null);
  assert.deepEqual(times(removeCue(CUES, 2)), ['1: 1000-3000', '3: 9000-10000']);
  assert.deepEqual([cueAt(CUES, 2_999)?.id, cueAt(CUES, 3_000)?.id], [1, undefined]);
});

test('what is wrong with a cue is said', () => {
  const texts = (one: EditedCue, next?: EditedCue) => problemsOf(one, next, DURATION).map(({ text }) => text);
  assert.deepEqual(texts(cue(1, 1_000, 3_000)), []);
  assert.deepEqual(texts(cue(1, 1_000, 3_000), cue(2, 2_000, 4_000)), ['Overlaps the next cue']);
  assert.deepEqual(texts(cue(1, 1_000, 2_000, 'a'.repeat(30))), [
    'Too fast to read: 30 characters a second, at most 21',
  ]);
  assert.deepEqual(texts(cue(1, 1_000, 1_500, 'a')), ['Shorter than 0.7 seconds']);
  assert.deepEqual(texts(cue(1, 1_000, 3_000, 'a\nb\nc')), ['Has more than two lines']);
  assert.deepEqual(problemsOf(cue(1, 30_000, 20_000, ' '), undefined, DURATION), [
    { isError: true, text: 'Ends before it starts' },
    { isError: true, text: 'Starts after the end of the video' },
    { isError: true, text: 'Has no text' },
  ]);
});

test('edits are undone and redone; those of one kind in a row together', () => {
  let history = startHistory('');
  for (const [text, kind] of [
    ['a', 'text 1'],
    ['ab', 'text 1'],
    ['ab|', null],
    ['ab|c', 'text 2'],
  ] as const)
    history = edit(history, text, kind);
  assert.deepEqual([undo(history).present, undo(undo(history)).present], ['ab|', 'ab']);
  assert.equal(undo(undo(undo(undo(history)))).present, '');
  assert.equal(redo(redo(undo(undo(undo(history))))).present, 'ab|');
  assert.deepEqual(edit(undo(history), 'new', null).future, []);
});

test('a waveform is drawn as high as its loudest sample', () => {
  const peaks = readPeaks(50, Buffer.from(Int8Array.of(-10, 20, -5, 5, 0, 40).buffer).toString('base64'));
  assert.deepEqual(rangeBetween(peaks, 0, 50), [-0.25, 0.5]);
  assert.deepEqual(rangeBetween(peaks, 40, 160), [-0.25, 1]);
  assert.deepEqual(rangeBetween(peaks, 1_000, 1_050), [0, 0]);
  assert.equal(readPeaks(50, Buffer.from(Int8Array.of(-1, 1).buffer).toString('base64')).loudest, 6);
});
