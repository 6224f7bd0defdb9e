import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinCharacters, segmentsOf } from './token-texts.mjs';

/** Parts of 10 ms. */
const parts = (...texts: string[]) => texts.map((text, at) => ({ text, t0: 10 * at, t1: 10 * at + 10 }));

describe('tokens with parts of characters', () => {
  const cases: [name: string, whole: string, tokens: string[], joined: [text: string, t0: number, t1: number][]][] = [
    [
      'are as they are without',
      ' And so,',
      [' And', ' so', ','],
      [
        [' And', 0, 10],
        [' so', 10, 20],
        [',', 20, 30],
      ],
    ],
    [
      'are joined in the middle',
      'a語b',
      ['a', '\ufffd', '\ufffd', 'b'],
      [
        ['a', 0, 10],
        ['語', 10, 30],
        ['b', 30, 40],
      ],
    ],
    [
      'are joined at the beginning',
      '語b',
      ['\ufffd', '\ufffd', 'b'],
      [
        ['語', 0, 20],
        ['b', 20, 30],
      ],
    ],
    [
      'are joined at the end',
      'a語',
      ['a', '\ufffd', '\ufffd'],
      [
        ['a', 0, 10],
        ['語', 10, 30],
      ],
    ],
    ['keep whole characters beside the part', 'a語b', ['a\ufffd', '\ufffdb'], [['a語b', 0, 20]]],
    [
      'find the same character again',
      '語語',
      ['\ufffd', '\ufffd', '語'],
      [
        ['語', 0, 20],
        ['語', 20, 30],
      ],
    ],
    [
      'keep all text where tokens do not fit',
      'abc',
      ['x', 'c'],
      [
        ['ab', 0, 10],
        ['c', 10, 20],
      ],
    ],
    ['are nothing without text', '', ['\ufffd'], []],
  ];
  for (const [name, whole, tokens, joined] of cases)
    it(name, () => {
      assert.deepEqual(
        joinCharacters(whole, parts(...tokens)).map(({ text, t0, t1 }) => [text, t0, t1]),
        joined,
      );
    });
});

describe('segments', () => {
  const cases: [name: string, texts: string[], segments: string[][]][] = [
    ['are one of speech', [' And', ' so'], [[' And', ' so']]],
    ['are none without parts', [], []],
    ['are apart for remarks', [' So', ' [', 'MUSIC', ']', ' and'], [[' So'], [' [', 'MUSIC', ']'], [' and']]],
    ['are apart for remarks of one token', ['(laughs)', ' Yes'], [['(laughs)'], [' Yes']]],
    ['have what is in no brackets', [' a', ']', ' b'], [[' a', ']', ' b']]],
  ];
  for (const [name, texts, segments] of cases)
    it(name, () => {
      assert.deepEqual(
        segmentsOf(parts(...texts)).map((segment) => segment.map(({ text }) => text)),
        segments,
      );
    });
});
