import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageReader } from './event-stream.ts';

test('messages are read whole, however their bytes are split', () => {
  const text =
    ':\n\nid: c1\nevent: next\ndata: {"data":1}\n\n:\n\nid: ' +
    'c2\nevent: next\ndata: {"data":2}\n\nevent: complete\ndata:\n\n';
  const expected = [
    { id: 'c1', event: 'next', data: '{"data":1}' },
    { id: 'c2', event: 'next', data: '{"data":2}' },
    { id: null, event: 'complete', data: '' },
  ];
  for (const size of [1, 2, 7, text.length]) {
    const reader = new MessageReader();
    const seen = [];
    for (let at = 0; at < text.length; at += size) seen.push(...reader.read(text.slice(at, at + size)));
    assert.deepEqual(seen, expected, `chunks of ${size}`);
  }
});

test('an incomplete message is not read', () => {
  assert.deepEqual(new MessageReader().read('id: c1\nevent: next\ndata: {}\n'), []);
});
