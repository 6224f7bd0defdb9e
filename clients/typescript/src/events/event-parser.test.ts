import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventParser, type StreamEvent } from './event-parser.ts';

const next = (data: string, id: string | null = null): StreamEvent => ({ event: 'next', data, id });

const CASES: readonly {
  readonly name: string;
  readonly chunks: readonly string[];
  readonly expected: readonly StreamEvent[];
}[] = [
  { name: 'a message with an id', chunks: ['id: 7\nevent: next\ndata: {}\n\n'], expected: [next('{}', '7')] },
  {
    name: 'messages in any chunks',
    chunks: ['event: ne', 'xt\nda', 'ta: a\n', '\nevent: next\ndata: b\n\n'],
    expected: [next('a'), next('b')],
  },
  {
    name: 'lines that end with CR and LF, cut between them',
    chunks: ['event: next\r', '\ndata: a\r', '\n\r', '\n'],
    expected: [next('a')],
  },
  { name: 'lines that end with CR', chunks: ['event: next\rdata: a\r\r', 'event: next\r'], expected: [next('a')] },
  { name: 'data of several lines', chunks: ['event: next\ndata: a\ndata: b\n\n'], expected: [next('a\nb')] },
  { name: 'values without a space, and with two', chunks: ['event:next\ndata:  a\n\n'], expected: [next(' a')] },
  { name: 'heartbeats as nothing', chunks: [':\n\n', ': still here\n\n'], expected: [] },
  { name: 'the end', chunks: ['event: complete\ndata:\n\n'], expected: [{ event: 'complete', data: '', id: null }] },
  {
    name: 'an id of one message as no other one’s',
    chunks: ['id: 1\nevent: next\ndata: a\n\nevent: next\ndata: b\n\n'],
    expected: [next('a', '1'), next('b')],
  },
  { name: 'fields it does not know', chunks: ['retry: 5\nwhat\nevent: next\ndata: a\n\n'], expected: [next('a')] },
  { name: 'nothing of a message that is cut off', chunks: ['event: next\ndata: a\n'], expected: [] },
];

for (const { name, chunks, expected } of CASES) {
  test(`reads ${name}`, () => {
    const parser = new EventParser();
    assert.deepEqual(
      chunks.flatMap((chunk) => parser.push(chunk)),
      expected,
    );
  });
}
