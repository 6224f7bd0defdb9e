import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areWorn, positionsIn } from './positions.ts';

const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe('positions of items', () => {
  it('lie in the gap, in byte order, all different', () => {
    const first = positionsIn({ below: null, above: null }, 5_000);
    assert.deepEqual([...new Set(first)].sort(byBytes), first);
    const [below, above] = [first[10] ?? null, first[11] ?? null];
    const between = positionsIn({ below, above }, 100);
    assert.deepEqual(
      [below, ...between, above].toSorted((a, b) => byBytes(a ?? '', b ?? '')),
      [below, ...between, above],
    );
    assert.ok(byBytes(positionsIn({ below: null, above: first[0] ?? null }, 1)[0] ?? '', first[0] ?? '') < 0);
  });

  it('need renumbering after repeated inserts into the same gap', () => {
    let above = positionsIn({ below: 'a0', above: null }, 1)[0] ?? '';
    let inserts = 0;
    for (; !areWorn([above]); inserts += 1) above = positionsIn({ below: 'a0', above }, 1)[0] ?? '';
    assert.ok(inserts > 200 && inserts < 1_000, `${inserts} inserts`);
  });
});
