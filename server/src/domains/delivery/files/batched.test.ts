import assert from 'node:assert/strict';
import { test } from 'node:test';
import { batched } from './batched.ts';

test('what is asked in one turn is asked together, and what is asked later by itself', async () => {
  const asked: number[][] = [];
  const doubled = batched(async (numbers: readonly number[]) => {
    asked.push([...numbers]);
    return numbers.map((number) => 2 * number);
  });
  assert.deepEqual(await Promise.all([doubled(1), doubled(2)]), [2, 4]);
  assert.equal(await doubled(3), 6);
  const many = Array.from({ length: 201 }, (_, index) => index);
  assert.equal((await Promise.all(many.map(doubled))).at(-1), 400);
  assert.deepEqual(
    asked.map((numbers) => numbers.length),
    [2, 1, 200, 1],
  );
});

test('all who asked together learn of a failure, and later ones do not', async () => {
  let isBroken = true;
  const answer = batched(async (all: readonly string[]) => {
    if (isBroken) throw new Error('no connection');
    return all;
  });
  const failed = await Promise.allSettled([answer('a'), answer('b')]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  isBroken = false;
  assert.equal(await answer('c'), 'c');
});
