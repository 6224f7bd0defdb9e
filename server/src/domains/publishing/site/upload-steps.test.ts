import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { siteTexts } from './site-texts.ts';
import { siteProcessingOf } from './site-video-state.ts';
import { byteAfter, contentRange, lookAgainSeconds, nextPart, PART_BYTES, uploadPercent } from './upload-steps.ts';

describe('the parts of an upload', () => {
  const size = 2 * PART_BYTES + 5;
  for (const [nextByte, start, end] of [
    [0, 0, PART_BYTES - 1],
    [PART_BYTES, PART_BYTES, 2 * PART_BYTES - 1],
    [2 * PART_BYTES, 2 * PART_BYTES, size - 1],
    [262_144, 262_144, 262_144 + PART_BYTES - 1],
    [size - 1, size - 1, size - 1],
  ] as const) {
    it(`start at byte ${nextByte}`, () => {
      assert.deepEqual(nextPart(nextByte, size), { start, end });
      assert.equal(contentRange(size, { start, end }), `bytes ${start}-${end}/${size}`);
    });
  }

  it('request the offset without bytes', () => assert.equal(contentRange(size), `bytes */${size}`));
  it('are multiples of 256 KiB', () => assert.equal(PART_BYTES % (256 * 1024), 0));

  for (const [range, next] of [
    [null, 0],
    ['bytes=0-0', 1],
    ['bytes=0-99', 100],
    ['bytes=0-100', null],
    ['bytes=5-99', null],
    ['bytes 0-99', null],
    ['bytes=0-', null],
  ] as const) {
    it(`of 100 bytes: ${range} leads to ${next}`, () => assert.equal(byteAfter(range, 100), next));
  }

  it('count as 80 per cent', () => {
    assert.deepEqual([uploadPercent(0, 3), uploadPercent(1, 3), uploadPercent(3, 3)], [0, 26, 80]);
  });

  it('are checked with growing delays, from ten seconds to five minutes', () => {
    assert.deepEqual([0, 60_000, 600_000, 86_400_000].map(lookAgainSeconds), [10, 15, 150, 300]);
  });
});

describe('texts for the site', () => {
  const texts = (content: Partial<Parameters<typeof siteTexts>[0]>) =>
    siteTexts({ title: 'A video', summary: '', keywords: [], ...content });

  it('are unchanged within the limits', () => {
    const content = { title: 'A video', summary: 'About\nit', keywords: ['sea', 'deep sea'] };
    assert.deepEqual(siteTexts(content), { title: 'A video', description: 'About\nit', tags: ['sea', 'deep sea'] });
  });

  it('have no angle brackets', () => {
    assert.deepEqual(texts({ title: 'a <b> c', summary: '1 < 2', keywords: ['<x>'] }), {
      title: 'a ‹b› c',
      description: '1 ‹ 2',
      tags: ['‹x›'],
    });
  });

  it('end whole characters before the limit', () => {
    const { title, description } = texts({ title: `${'a'.repeat(98)}👩‍👩‍👧`, summary: 'é'.repeat(3_000) });
    assert.equal(title, `${'a'.repeat(98)}…`);
    assert.equal(Buffer.byteLength(description), 4_999);
    assert.equal(description, `${'é'.repeat(2_498)}…`);
  });

  it('always have a title', () => assert.equal(texts({ title: '   ' }).title, 'Video'));

  it('omit tags that do not fit', () => {
    const { tags } = texts({ keywords: ['a'.repeat(250), 'b c', 'd'.repeat(250), 'e', ' , '] });
    assert.deepEqual(tags, ['a'.repeat(250), 'b c', 'e']);
  });
});

describe('processing state on the site', () => {
  for (const [video, expected] of [
    [null, { kind: 'gone' }],
    [{ status: { uploadStatus: 'deleted' } }, { kind: 'gone' }],
    [{ status: { uploadStatus: 'processed' } }, { kind: 'processed' }],
    [{ status: { uploadStatus: 'uploaded' } }, { kind: 'processing', percent: null }],
    [
      { status: { uploadStatus: 'failed', failureReason: 'codec' } },
      { kind: 'failed', reason: 'YouTube cannot read the codec of this video.' },
    ],
    [
      { status: { uploadStatus: 'failed', failureReason: 'new' } },
      { kind: 'failed', reason: 'YouTube could not process the video.' },
    ],
    [
      { status: { uploadStatus: 'rejected', rejectionReason: 'duplicate' } },
      { kind: 'failed', reason: 'YouTube rejected the video because the channel has the same one already.' },
    ],
    [{ status: { uploadStatus: 'rejected' } }, { kind: 'failed', reason: 'YouTube rejected the video.' }],
    [
      {
        status: { uploadStatus: 'uploaded' },
        processingDetails: { processingProgress: { partsTotal: 8, partsProcessed: 2 } },
      },
      { kind: 'processing', percent: 25 },
    ],
  ] as const) {
    it(`${JSON.stringify(video)} is ${expected.kind}`, () => assert.deepEqual(siteProcessingOf(video), expected));
  }
});
