import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBeingProcessed } from '../uploads/job-state.ts';
import { daysLeft } from './content/days-left.ts';
import { readKeywords } from './content/keywords.ts';
import { languageChoices, languageName } from './content/languages.ts';
import { labelOf } from './content/progress-of.ts';
import { VIDEO_KINDS } from './kinds/kind-lists.ts';
import { moveItem } from './playlists/reorder.ts';
import { readListSearch } from './table/list-search.ts';
import { addChapter, moveChapter } from './video/chapter-edits.ts';
import { readChapters, writeChapters } from './video/chapter-lines.ts';

const NOW = Date.parse('2026-05-10T12:00:00Z');

const CHAPTERS = [
  { startSeconds: 0, title: 'Start' },
  { startSeconds: 3723, title: 'Late' },
];

const job = (status: 'QUEUED' | 'TRANSCODING' | 'COMPLETE' | 'ERROR') => ({
  transcodeJob: { status, progress: 0, remainingMs: null, error: null, interruption: null },
});
const interrupted = (state: 'CONTINUING' | 'SET_APART') => ({
  ...job('TRANSCODING').transcodeJob,
  interruption: { state, reason: 'A process ended.' },
});

const CASES: readonly (readonly [string, unknown, unknown])[] = [
  ['a started day counts as one', daysLeft('2026-05-12T11:00:00Z', NOW), '2 days left'],
  ['the last day is one day', daysLeft('2026-05-10T13:00:00Z', NOW), '1 day left'],
  ['an item that is due', daysLeft('2026-05-10T12:00:00Z', NOW), 'deletion due'],
  ['a video whose job waits is being processed', isBeingProcessed(job('QUEUED')), true],
  ['and one whose job runs', isBeingProcessed(job('TRANSCODING')), true],
  [
    'but not one whose job has ended',
    [isBeingProcessed(job('COMPLETE')), isBeingProcessed(job('ERROR'))],
    [false, false],
  ],
  ['nor one without a job', isBeingProcessed({ transcodeJob: null }), false],
  ['a running job', labelOf(job('TRANSCODING').transcodeJob), 'Processing'],
  ['a waiting job', labelOf(job('QUEUED').transcodeJob), 'Queued'],
  ['an interrupted job', labelOf(interrupted('CONTINUING')), 'Interrupted, goes on by itself'],
  ['a job that was set apart', labelOf(interrupted('SET_APART')), 'Interrupted several times, is tried alone'],
  ['keywords are separated by commas and newlines', readKeywords(' sea, sun\nSea,, \nwind '), ['sea', 'sun', 'wind']],
  ['and by commas of other scripts', readKeywords('بحر، شمس'), ['بحر', 'شمس']],
  ['no keywords are an empty list', readKeywords('  '), []],
  ['an entry moves down', moveItem(['a', 'b', 'c', 'd'], 0, 2), ['b', 'c', 'a', 'd']],
  ['an entry moves up', moveItem(['a', 'b', 'c', 'd'], 3, 1), ['a', 'd', 'b', 'c']],
  ['a position beyond the end is clamped', moveItem(['a', 'b'], 0, 9), ['b', 'a']],
  ['an unknown entry moves nothing', moveItem(['a', 'b'], 5, 0), ['a', 'b']],
  [
    'valid filters are read from the URL',
    readListSearch({ kind: 'SHORT', status: 'DRAFT', visibility: 'PRIVATE', q: ' sea ', sort: 'MOST_VIEWED' }),
    { kind: 'SHORT', status: 'DRAFT', visibility: 'PRIVATE', q: 'sea', sort: 'MOST_VIEWED' },
  ],
  [
    'invalid filters are dropped',
    readListSearch({ kind: 'SERIES', status: 1, visibility: 'ALL', q: ' ', sort: 'BEST' }),
    {},
  ],
  ['series, seasons and miniseries are not videos', VIDEO_KINDS, ['FEATURE', 'SHORT', 'EPISODE', 'STREAM']],
  ['a language has its name', languageName('pt-BR'), 'Brazilian Portuguese'],
  ['an invalid tag stays as it is', languageName('not a tag'), 'not a tag'],
  ['the current language is always included', languageChoices('gsw').some(([tag]) => tag === 'gsw'), true],
  ['chapters are parsed from lines', readChapters('0:00 Start\n\n1:02:03 Late'), CHAPTERS],
  ['and formatted the same way', writeChapters(CHAPTERS), '0:00 Start\n1:02:03 Late'],
  [
    'the first added chapter brings the one at the start',
    writeChapters(addChapter([], 20.4, 60) ?? []),
    '0:00 Start\n0:20 Chapter 2',
  ],
  [
    'a chapter is added in order',
    writeChapters(addChapter(readChapters('0:00 A\n0:40 B'), 20, 60) ?? []),
    '0:00 A\n0:20 Chapter 3\n0:40 B',
  ],
  ['but not close to another one', addChapter(readChapters('0:00 A\n0:40 B'), 31, 60), null],
  ['nor to the end', addChapter(readChapters('0:00 A'), 51, 60), null],
  [
    'a start moves as far as its neighbours leave room',
    [1, 25, 99].map((at) => moveChapter(readChapters('0:00 A\n0:20 B\n0:40 C'), 1, at, 60)[1]?.startSeconds),
    [10, 25, 30],
  ],
  [
    'and the last one up to ten seconds before the end',
    moveChapter(readChapters('0:00 A\n0:20 B'), 1, 99, 61.5)[1]?.startSeconds,
    51,
  ],
];

for (const [name, actual, expected] of CASES) test(name, () => assert.deepEqual(actual, expected));

test('an invalid line is named in the error', () =>
  assert.throws(() => readChapters('0:00 Start\nno time'), /Line 2 needs a timestamp and a title/));
