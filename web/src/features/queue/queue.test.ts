import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexInQueue, neighbours, type QueueEntry } from './queue.ts';

const entry = (id: string, item: string): QueueEntry => ({
  key: item,
  label: id,
  content: {
    id,
    kind: 'FEATURE',
    shortCode: `code-of-${id}`,
    metadata: { title: id, duration: 10 },
    watchPosition: null,
    card: { title: id, image: null, variant: null },
  },
  search: { list: 'l', item },
});
const ENTRIES = [entry('a', '1'), entry('b', '2'), entry('a', '3')];

test('a content that occurs twice is found by its item', () => {
  assert.equal(indexInQueue(ENTRIES, 'a', '3'), 2);
});

test('without an item, or with one of another content, the first entry of the content counts', () => {
  assert.equal(indexInQueue(ENTRIES, 'a', undefined), 0);
  assert.equal(indexInQueue(ENTRIES, 'b', '3'), 1);
});

test('there is nothing before the first and after the last entry', () => {
  assert.equal(neighbours({ entries: ENTRIES, index: 0 }).previous, null);
  assert.equal(neighbours({ entries: ENTRIES, index: 2 }).next, null);
  assert.equal(neighbours({ entries: ENTRIES, index: 1 }).next?.key, '3');
});

test('a content that is not in the queue is followed by the first entry', () => {
  assert.equal(indexInQueue(ENTRIES, 'c', undefined), -1);
  assert.equal(neighbours({ entries: ENTRIES, index: -1 }).next?.key, '1');
  assert.equal(neighbours({ entries: [], index: -1 }).next, null);
});
