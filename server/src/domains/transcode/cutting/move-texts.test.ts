import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { captionsText } from '../../../media/index.ts';
import { moveTexts } from './move-texts.ts';

const vtt = (...cues: [startMs: number, endMs: number, text: string][]) =>
  captionsText(cues.map(([startMs, endMs, text]) => ({ startMs, endMs, text })));
const captions = (version: number, ...cues: [number, number, string][]) => ({ id: 'a', version, vtt: vtt(...cues) });
const chapters = (...starts: number[]) =>
  starts.map((seconds) => ({ startMs: seconds * 1000, title: `at ${seconds}` }));
const WITHOUT_START = [{ startMs: 20_000, endMs: 120_000 }];
const SHORTER = [{ startMs: 30_000, endMs: 110_000 }];

const ORIGINAL = captions(1, [1_000, 5_000, 'removed'], [15_000, 25_000, 'cut'], [40_000, 42_000, 'moved']);
const TRIMMED = captions(2, [0, 5_000, 'cut'], [20_000, 22_000, 'moved']);
const ALL = chapters(0, 30, 60, 90);
const FEWER = [
  { startMs: 0, title: 'at 0' },
  { startMs: 10_000, title: 'at 30' },
  { startMs: 40_000, title: 'at 60' },
  { startMs: 70_000, title: 'at 90' },
];
const BEFORE = { captions: [{ ...ORIGINAL, version: 2 }], chapters: ALL, chaptersAfter: FEWER };

describe('captions and chapters of a video that is trimmed', () => {
  it('move, and are noted as they were', () => {
    assert.deepEqual(moveTexts({ captions: [ORIGINAL], chapters: ALL }, null, WITHOUT_START, null), {
      captions: [TRIMMED],
      chapters: FEWER,
      before: BEFORE,
    });
  });

  it('are untouched where nothing before them was removed', () => {
    const texts = { captions: [captions(4, [1_000, 2_000, 'early'])], chapters: null };
    assert.deepEqual(moveTexts(texts, null, [{ startMs: 0, endMs: 50_000 }], null), {
      captions: [],
      chapters: null,
      before: { captions: texts.captions, chapters: null, chaptersAfter: null },
    });
  });

  it('come back as they were unless they were edited since', () => {
    assert.deepEqual(moveTexts({ captions: [TRIMMED], chapters: FEWER }, WITHOUT_START, null, BEFORE), {
      captions: [{ ...ORIGINAL, version: 3 }],
      chapters: ALL,
      before: null,
    });
  });

  it('move back where somebody changed them', () => {
    const texts = {
      captions: [captions(3, [0, 5_000, 'cut'], [20_000, 23_000, 'changed'])],
      chapters: chapters(0, 20, 50),
    };
    assert.deepEqual(moveTexts(texts, WITHOUT_START, null, BEFORE), {
      captions: [captions(4, [20_000, 25_000, 'cut'], [40_000, 43_000, 'changed'])],
      chapters: [
        { startMs: 0, title: 'at 0' },
        { startMs: 40_000, title: 'at 20' },
        { startMs: 70_000, title: 'at 50' },
      ],
      before: null,
    });
  });

  it('are those of the original, moved once, where a trimmed video is trimmed again', () => {
    assert.deepEqual(moveTexts({ captions: [TRIMMED], chapters: FEWER }, WITHOUT_START, SHORTER, BEFORE), {
      captions: [captions(3, [10_000, 12_000, 'moved'])],
      chapters: [
        { startMs: 0, title: 'at 30' },
        { startMs: 30_000, title: 'at 60' },
        { startMs: 60_000, title: 'at 90' },
      ],
      before: {
        captions: [{ ...ORIGINAL, version: 3 }],
        chapters: ALL,
        chaptersAfter: [
          { startMs: 0, title: 'at 30' },
          { startMs: 30_000, title: 'at 60' },
          { startMs: 60_000, title: 'at 90' },
        ],
      },
    });
  });

  it('come back though nothing of them was left', () => {
    const gone = captions(1, [1_000, 2_000, 'gone']);
    const trimmed = moveTexts({ captions: [gone], chapters: chapters(0, 10, 20) }, null, WITHOUT_START, null);
    assert.deepEqual([trimmed.captions, trimmed.chapters], [[{ ...gone, version: 2, vtt: captionsText([]) }], null]);
    const reverted = moveTexts(trimmed, WITHOUT_START, null, trimmed.before);
    assert.deepEqual([reverted.captions, reverted.chapters], [[{ ...gone, version: 3 }], chapters(0, 10, 20)]);
  });
});
