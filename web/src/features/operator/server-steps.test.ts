import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerStepsResult } from '../../gql/generated/operations.gen.ts';
import { serverSteps } from './server-steps.ts';

const FRESH: ServerStepsResult = {
  instance: { name: 'Reelgraph', signUp: 'INVITE' },
  invitations: { totalCount: 0 },
  serverStatus: {
    checks: [
      { part: 'DATABASE', state: 'OK', message: 'PostgreSQL responds.' },
      { part: 'MAIL', state: 'WARNING', message: 'Messages are written to a folder.' },
    ],
    counts: { accounts: 1, contents: 0 },
  },
};
const doneOf = (result: ServerStepsResult): string[] =>
  serverSteps(result)
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id);

test('on a fresh server nothing is done, and mail says what it does now', () => {
  assert.deepEqual(doneOf(FRESH), []);
  assert.equal(serverSteps(FRESH)[1]?.text, 'Messages are written to a folder.');
});

const { instance, serverStatus } = FRESH;
const CASES: Readonly<Record<string, ServerStepsResult>> = {
  name: { ...FRESH, instance: { ...instance, name: 'Harbour' } },
  mail: {
    ...FRESH,
    serverStatus: { ...serverStatus, checks: [{ part: 'MAIL', state: 'OK', message: 'Messages are sent.' }] },
  },
  video: { ...FRESH, serverStatus: { ...serverStatus, counts: { accounts: 1, contents: 1 } } },
};
for (const [step, result] of Object.entries(CASES))
  test(`${step} is done by what the server has`, () => assert.deepEqual(doneOf(result), [step]));

test('who can sign up is chosen once someone was invited or has an account, or nobody can', () => {
  for (const result of [
    { ...FRESH, invitations: { totalCount: 1 } },
    { ...FRESH, serverStatus: { ...serverStatus, counts: { accounts: 2, contents: 0 } } },
    { ...FRESH, instance: { ...instance, signUp: 'CLOSED' } },
  ] satisfies ServerStepsResult[])
    assert.deepEqual(doneOf(result), ['sign-up']);
});
