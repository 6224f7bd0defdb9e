import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { staleLocks } from './stale-locks.ts';

const LOCK =
  "const LOCK = sql(\n  'lock',\n  `select a.x from a where not exists (select from b) for update of a`,\n);\n";
const linesOf = (text: string): string[] =>
  staleLocks('a.store.ts', text).map((problem) => problem.split(' ')[0] ?? '');

describe('a lock that asks other tables', () => {
  for (const [what, text] of [
    ['in a condition', `\n${LOCK}`],
    ['for a value', "\nconst LOCK = sql('lock', 'select (select max(n) from b) from a for no key update of a');"],
    ['that another statement runs safely', `\n${LOCK}firstLocked(tx, OTHER, []);`],
  ] as const)
    test(`is reported with its place (${what})`, () => assert.deepEqual(linesOf(text), ['a.store.ts:2']));

  for (const [what, text] of [
    ['run again', `${LOCK}return firstLocked<{ x: number }>(tx, LOCK, [id]);`],
    ['a lock alone', "const LOCK = sql('lock', 'select x from a where id = $1 for update');"],
    ['a lock that skips locked rows', LOCK.replace('of a', 'of a skip locked')],
    ['a read', LOCK.replace('for update of a', '')],
  ] as const)
    test(`is not ${what}`, () => assert.deepEqual(linesOf(text), []));
});
