import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateText } from './estimate-text.ts';

test('an estimate has started minutes, the size where it matters, and credits', () => {
  assert.equal(
    estimateText({ readyInMs: 121_000, credits: 4, sizeBytes: 12_300_000 }),
    'About 3 min with the queue as it is, 12.3 MB, 4 credits.',
  );
  assert.equal(estimateText({ readyInMs: 0, credits: 1 }), 'About 1 min with the queue as it is, 1 credit.');
});
