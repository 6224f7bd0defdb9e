import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { agentName, subjectOf } from './usage-limits.ts';

const DID = 'did:reelgraph:content/feature/01a1fcf0-7463-7000-a097-38e4dec5b871';

describe('audit log entry of a call', () => {
  test('has the client’s name as one line of whole characters', () => {
    assert.equal(agentName('  Agent\n1.0\u0000\ud83d '), 'Agent 1.0');
    assert.equal(agentName(`${'x'.repeat(199)}😀`), 'x'.repeat(199));
  });

  test('truncates a very long name', () => {
    assert.equal(agentName(`Agent${' '.repeat(1_000_000)}2.0`), 'Agent');
  });

  const cases: readonly (readonly [what: string, args: unknown, subject: string | null])[] = [
    ['the first identifier', { input: { title: 'A video', ids: [DID, 'did:reelgraph:channel/x'] } }, DID],
    ['no title that begins like one', { title: 'did:\u0000', summary: 'did:you know?', id: DID }, DID],
    ['nothing where there is none', { title: 'A video', size: 9, input: null }, null],
  ];
  for (const [what, args, subject] of cases)
    test(`has ${what} from its arguments`, () => assert.equal(subjectOf(args), subject));
});
