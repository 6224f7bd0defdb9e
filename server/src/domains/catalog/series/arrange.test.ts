import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { arrange, MAX_NUMBER, type Numbered, type TargetPosition } from './arrange.ts';
import { renumbered } from './renumber-children.ts';

/** `a1 b2` as numbered children. */
const read = (text: string): Numbered[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((each) => ({ id: each.slice(0, 1), number: Number(each.slice(1)) }));
/** The order and numbers after the changes. */
function after(before: Numbered[], changes: Numbered[]): string {
  const numbers = new Map([...before, ...changes].map(({ id, number }) => [id, number]));
  assert.equal(new Set(numbers.values()).size, numbers.size, 'numbers are unique');
  return [...numbers]
    .sort(([, a], [, b]) => a - b)
    .map(([id, number]) => id + number)
    .join(' ');
}

describe('moving an episode', () => {
  const cases: [string, string, number | null, TargetPosition, string][] = [
    ['at the end of nothing', '', null, 'end', 'x1'],
    ['at the end', 'a1 b2 c5', null, 'end', 'a1 b2 c5 x6'],
    ['at a number that is free', 'a1 b2 c5', null, { number: 4 }, 'a1 b2 x4 c5'],
    ['at a number that is taken, up to the gap', 'a1 b2 c3 d5', null, { number: 2 }, 'a1 x2 b3 c4 d5'],
    ['at number 0', 'a0 b1', null, { number: 0 }, 'x0 a1 b2'],
    ['first of those elsewhere', 'a1 b2 c3', null, { position: 1 }, 'x1 a2 b3 c4'],
    ['third of its own', 'a1 c3 d4', 2, { position: 3 }, 'a1 c2 x3 d4'],
    ['first of its own', 'a1 b2 c3', 4, { position: 1 }, 'x1 a2 b3 c4'],
    ['beyond the last', 'a1 c3', 2, { position: 99 }, 'a1 c2 x3'],
    ['in the middle of gaps, which stay', 'a10 b20 c30', 40, { position: 2 }, 'a10 x20 b30 c40'],
  ];
  for (const [name, siblings, own, place, expected] of cases) {
    it(`${name}: ${siblings || 'none'} becomes ${expected}`, () => {
      const before = read(siblings);
      const start = own === null ? before : [...before, { id: 'x', number: own }];
      assert.equal(after(start, arrange(before, 'x', own, place)), expected);
    });
  }

  it('changes nothing when the episode is already there', () => {
    assert.deepEqual(arrange(read('a1 c3'), 'x', 2, { position: 2 }), []);
    assert.deepEqual(arrange(read('a1 c3'), 'x', 2, { number: 2 }), []);
    assert.deepEqual(arrange(read('a1 b2'), 'x', 3, 'end'), []);
  });

  it('refuses to move the last one beyond the highest number', () => {
    const full = [{ id: 'a', number: MAX_NUMBER }];
    for (const place of ['end', { number: MAX_NUMBER }] as const)
      assert.throws(
        () => arrange(full, 'x', null, place),
        (error) => error instanceof AppError && error.code === 'INVALID_INPUT',
      );
  });
});

describe('renumbering', () => {
  it('closes the gaps when nothing is listed, and changes only what moves', () => {
    assert.deepEqual(renumbered(read('a1 b3 c7'), null, 1), read('b2 c3'));
    assert.deepEqual(renumbered(read('a1 b2'), null, 1), []);
  });

  it('applies the listed order, and keeps the others', () => {
    assert.equal(after(read('a1 b2 c3 d9'), renumbered(read('a1 b2 c3 d9'), ['c', 'b', 'a'], 1)), 'c1 b2 a3 d9');
  });

  const refusals: [string, () => unknown, string, string][] = [
    ['what is not there', () => renumbered(read('a1'), ['a', 'z'], 1), 'RESOURCE_NOT_FOUND', 'input.ids.1'],
    [
      'a number of one that is not listed',
      () => renumbered(read('a1 b2'), ['a'], 2),
      'RESOURCE_ALREADY_EXISTS',
      'input.ids',
    ],
    ['numbers beyond the highest', () => renumbered(read('a1 b2'), null, MAX_NUMBER), 'INVALID_INPUT', 'input.from'],
  ];
  for (const [name, work, code, field] of refusals) {
    it(`refuses ${name}`, () => {
      assert.throws(work, (error) => error instanceof AppError && error.code === code && error.field === field);
    });
  }
});
