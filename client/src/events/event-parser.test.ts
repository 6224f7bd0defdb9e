import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventParser, type StreamEvent } from './event-parser.ts';

const next = (data: string, id: string | null = null): StreamEvent => ({ event: 'next', data, id });

const CASES: readonly { readonly name: string; readonly pieces: readonly string[]; readonly expected: readonly StreamEvent[] }[] = [
  { name: 'a message with an id', pieces: ['id: 7\nevent: next\ndata: {}\n\n'], expected: [next('{}', '7')] },
  {
    name: 'messages in any pieces',
    pieces: ['event: ne', 'xt\nda', 'ta: a\n', '\nevent: next\ndata: b\n\n'],
    expected: [next('a'), next('b')],
  },
  {
    name: 'lines that end with CR and LF, cut between them',
    pieces: ['event: next\r', '\ndata: a\r', '\n\r', '\n'],
    expected: [next('a')],
  },
  { name: 'lines that end with CR', pieces: ['event: next\rdata: a\r\r', 'event: next\r'], expected: [next('a')] },
  { name: 'data of several lines', pieces: ['event: next\ndata: a\ndata: b\n\n'], expected: [next('a\nb')] },
  { name: 'values without a space, and with two', pieces: ['event:next\ndata:  a\n\n'], expected: [next(' a')] },
  { name: 'heartbeats as nothing', pieces: [':\n\n', ': still here\n\n'], expected: [] },
  { name: 'the end', pieces: ['event: complete\ndata:\n\n'], expected: [{ event: 'complete', data: '', id: null }] },
  {
    name: 'an id of one message as no other one’s',
    pieces: ['id: 1\nevent: next\ndata: a\n\nevent: next\ndata: b\n\n'],
    expected: [next('a', '1'), next('b')],
  },
  { name: 'fields it does not know', pieces: ['retry: 5\nwhat\nevent: next\ndata: a\n\n'], expected: [next('a')] },
  { name: 'nothing of a message that is cut off', pieces: ['event: next\ndata: a\n'], expected: [] },
];

for (const { name, pieces, expected } of CASES) {
  test(`reads ${name}`, () => {
    const parser = new EventParser();
    assert.deepEqual(
      pieces.flatMap((piece) => parser.push(piece)),
      expected,
    );
  });
}
