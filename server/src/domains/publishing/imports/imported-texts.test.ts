import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { durationMs } from '../site/youtube-responses.ts';
import { importedTexts } from './imported-texts.ts';

const video = { id: 'aaaaaaaaaaa', title: 'A title', description: '', tags: [] as string[] };

describe('texts of an imported video', () => {
  it('are unchanged within the limits', () => {
    assert.deepEqual(importedTexts({ ...video, description: 'One.\r\nTwo.', tags: ['film', 'Film', 'sea'] }), {
      title: 'A title',
      summary: 'One.\nTwo.',
      keywords: ['film', 'sea'],
    });
  });

  it('are truncated to whole characters', () => {
    const { title, summary, keywords } = importedTexts({
      ...video,
      title: '😀'.repeat(300),
      description: 'x'.repeat(9_000),
      tags: ['y'.repeat(80), ...Array.from({ length: 60 }, (_, index) => `tag ${index}`)],
    });
    assert.equal(title, `${'😀'.repeat(199)}…`);
    assert.deepEqual([summary?.length, keywords?.length, keywords?.[0]?.length], [5_000, 30, 50]);
  });

  it('lose characters that are not allowed here', () => {
    const odd = importedTexts({
      ...video,
      title: 'A\u0000 \n title\ud83d',
      description: 'a\u0007b\tc',
      tags: ['\u200b', ' ', 'a\nb'],
    });
    assert.deepEqual(odd, { title: 'A title\ufffd', summary: 'ab\tc', keywords: ['a b'] });
    assert.equal(importedTexts({ ...video, title: '\u200b' }).title, 'aaaaaaaaaaa');
  });
});

describe('durations', () => {
  for (const [text, expected] of [
    ['PT1M30S', 90_000],
    ['PT2H', 7_200_000],
    ['P1DT1S', 86_401_000],
    ['P2W', 1_209_600_000],
    ['P0D', null],
    ['90', null],
    ['', null],
  ] as const) {
    it(`reads ${JSON.stringify(text)} as ${expected}`, () => assert.equal(durationMs(text), expected));
  }
});
