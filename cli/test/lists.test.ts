import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ListRow, Terminal } from '../src/terminal.ts';

/** What a terminal of this width, or a pipe, shows. */
function shown(rows: readonly ListRow[], columns: number | null): string[] {
  let text = '';
  const stream = { isTTY: columns !== null, columns, write: (part: string) => (text += part) };
  new Terminal(stream as unknown as NodeJS.WriteStream, { NO_COLOR: '1' }).list(rows);
  return text.split('\n').slice(0, -1);
}

describe('a list', () => {
  const rows: ListRow[] = [
    ['did:reelgraph:content/short/1', 'READY', '', 'A title that is rather long for what it says'],
    ['did:reelgraph:content/feature/2', 'PUBLISHED', '', '静かな朝の、とても長い一日の物語と、夜の街'],
  ];

  it('is whole lines in a pipe, without columns that are empty', () => {
    assert.deepEqual(shown(rows, null), [
      'did:reelgraph:content/short/1    READY      A title that is rather long for what it says',
      'did:reelgraph:content/feature/2  PUBLISHED  静かな朝の、とても長い一日の物語と、夜の街',
    ]);
  });

  it('has shortened texts on a terminal', () => {
    assert.deepEqual(shown(rows, 72), [
      'did:reelgraph:content/short/1    READY      A title that is rather long…',
      'did:reelgraph:content/feature/2  PUBLISHED  静かな朝の、とても長い一日の…',
    ]);
  });

  it('has identifiers on their own lines where the text would not be seen', () => {
    assert.deepEqual(shown(rows, 50), [
      'READY      A title that is rather long for what i…',
      '  did:reelgraph:content/short/1',
      'PUBLISHED  静かな朝の、とても長い一日の物語と、夜の…',
      '  did:reelgraph:content/feature/2',
    ]);
  });

  it('shows line breaks as spaces, and nothing that moves the cursor or reverses the line', () => {
    assert.deepEqual(shown([['1', 'one\ntwo\u001b[2J\u202ethree']], 80), ['1  one two[2Jthree']);
  });
});
