import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { program } from '../src/program.ts';
import { distance, nearest } from '../src/suggest.ts';
import { unknownCommand } from '../src/unknown-command.ts';

describe('suggestions', () => {
  for (const [word, expected] of [
    ['lst', ['list']],
    ['ls', ['list']],
    ['pubish', ['publish']],
    ['publihs', ['publish']],
    ['unpub', ['unpublish']],
    ['quit', []],
  ] as const)
    it(`for ${word}`, () => assert.deepEqual(nearest(word, ['list', 'show', 'publish', 'unpublish']), expected));

  it('count swapped letters as one', () => {
    assert.equal(distance('publihs', 'publish'), 1);
    assert.equal(distance('', 'abc'), 3);
    assert.equal(distance('kitten', 'sitting'), 3);
  });
});

describe('an unknown command', () => {
  for (const [line, message, fix] of [
    ['contnt shwo x', 'contnt', 'Did you mean `reelgraph content show`?'],
    ['lits webhooks', 'lits', 'Run `reelgraph help` for the list of commands.'],
    ['list webhooks', 'list', 'Did you mean `reelgraph webhook list`?'],
    ['approve x', 'approve', 'Did you mean `reelgraph moderation approve`?'],
    ['publish x', 'publish', 'Did you mean `reelgraph content publish` or `reelgraph series publish`?'],
    ['videos ls', 'videos', 'Did you mean `reelgraph content list`?'],
    ['comment rm x', 'comment rm', 'Did you mean `reelgraph comment delete`?'],
    ['moderation ban x', 'moderation ban', 'Did you mean `reelgraph moderation block`?'],
    ['captions burn', 'captions burn', 'Run `reelgraph captions --help` for the list of commands.'],
    ['xyzzy', 'xyzzy', 'Run `reelgraph help` for the list of commands.'],
  ] as const)
    it(line, () => {
      const error = unknownCommand(program, line.split(' '));
      assert.deepEqual([error.message, error.suggestedFix], [`Unknown command '${message}'.`, fix]);
    });
});
