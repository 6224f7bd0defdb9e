import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readTranslations } from './read-translations.ts';
import { setCaptions } from './set-captions.ts';
import { plainText } from './set-translated.ts';
import { TranscriptError } from './transcript-error.ts';
import { readVerboseJson } from './verbose-json.ts';

/** Work that grows with the square of its input would take minutes. */
const LIMIT_MS = 5_000;
const LONG = 500_000;

const CASES: readonly [name: string, work: () => unknown][] = [
  [
    'words of three hours',
    () =>
      setCaptions(
        Array.from({ length: 27_000 }, (_, index) => ({
          ...{ text: index % 9 === 8 ? ' end.' : ' word', startMs: 400 * index, endMs: 400 * index + 350 },
        })),
        27_000 * 400,
      ),
  ],
  [
    'words without width at the same time',
    () =>
      setCaptions(
        Array.from({ length: 50_000 }, () => ({ text: ' \u200d', startMs: 0, endMs: 0 })),
        10_000,
      ),
  ],
  [
    'a segment of spaces',
    () =>
      readVerboseJson(JSON.stringify({ segments: [{ text: `${' '.repeat(LONG)}x`, start: 0, end: 1 }], text: 'x' })),
  ],
  [
    'a segment of brackets',
    () => readVerboseJson(JSON.stringify({ text: '[', segments: [{ text: '['.repeat(LONG), start: 0, end: 1 }] })),
  ],
  ['a cue of angle brackets', () => plainText('<'.repeat(LONG))],
  [
    'a translation of spaces and fences',
    () =>
      assert.throws(
        () =>
          readTranslations(JSON.stringify({ choices: [{ message: { content: `\`\`\`${' '.repeat(LONG)}x` } }] }), [
            'x',
          ]),
        TranscriptError,
      ),
  ],
];

for (const [name, work] of CASES)
  it(`captions of ${name} take no time that grows with their square`, () => {
    const started = process.cpuUsage();
    work();
    assert.ok(process.cpuUsage(started).user < 1000 * LIMIT_MS);
  });
