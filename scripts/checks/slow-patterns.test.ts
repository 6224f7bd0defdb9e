import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { slowPatterns } from './slow-patterns.ts';

const partsOf = (text: string): string[] => slowPatterns('a.ts', text).map((problem) => `${problem.split(' for ')[1]}`);

describe('a pattern of more than linear time', () => {
  for (const [what, text, part] of [
    ['with repetitions of the same', String.raw`const a = /^(a+)+$/;`, 'a+'],
    ['with two repetitions beside each other', String.raw`const a = /^\d+.*x/;`, String.raw`\d+ before .*`],
    ['that ends at the end only', String.raw`const a = b.replace(/\s+$/, '');`, String.raw`\s+`],
    ['that looks for a bracket from each bracket', String.raw`return /\[([^\]]*)\]/g;`, String.raw`[^\]]*`],
    ['of a text', String.raw`const a = new RegExp('x+$');`, 'x+'],
    ['of constants', "const a = 'x+';\nconst b = new RegExp(`\u0024{a}$`, 'u');", 'x+'],
  ] as const)
    test(`is one ${what}`, () => assert.deepEqual(partsOf(text), [part]));

  for (const [what, text] of [
    ['one with a place to begin', String.raw`const a = /^\s+x/;`],
    ['one that begins only where no other can', String.raw`const a = /(?<!\s)\s+$/;`],
    ['one with a limit', String.raw`const a = /\d{1,9}x/;`],
    ['a division', 'const a = b / c; const d = e / f;'],
    ['one that is known only when it runs', 'const a = new RegExp(`\u0024{b}+$`);'],
  ] as const)
    test(`is not ${what}`, () => assert.deepEqual(partsOf(text), []));
});
