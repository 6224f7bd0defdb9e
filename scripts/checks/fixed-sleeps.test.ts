import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fixedSleeps } from './fixed-sleeps.ts';

const IMPORT = "import { setTimeout as sleep } from 'node:timers/promises';\n";
const linesOf = (text: string): string[] => fixedSleeps('a.test.ts', text).map((problem) => `${problem.split(' ')[0]}`);

describe('a fixed sleep', () => {
  for (const [what, text] of [
    ['of node:timers/promises', `${IMPORT}await sleep(50);`],
    ['of a promise', '\nawait new Promise((done) => setTimeout(done, 50));'],
    ['of a page', '\nawait page.waitForTimeout(50);'],
    ['in a race', `${IMPORT}await Promise.race([sleep(50), work]);`],
    ['in a function within a loop', `${IMPORT}for (const n of all) make(async () => { await sleep(n); });`],
  ] as const)
    test(`${what} is reported with its place`, () => assert.deepEqual(linesOf(text), ['a.test.ts:2']));

  for (const [what, text] of [
    ['a loop that looks for a condition', `${IMPORT}while (!(await isReady())) await sleep(50);`],
    ['a promise in such a loop', 'while (!isReady()) await new Promise((done) => setTimeout(done, 5));'],
    ['a step of such a loop', `${IMPORT}for (let tries = 0; !isReady(); await sleep(5)) tries += 1;`],
    ['a timer that nothing waits for', 'const timer = setTimeout(() => child.kill(), 5_000);'],
    ['another function of this name', 'await sleep(50);'],
  ] as const)
    test(`is not ${what}`, () => assert.deepEqual(linesOf(text), []));
});
