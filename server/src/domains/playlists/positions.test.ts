import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { areInGap, areWorn, positionsIn } from './positions.ts';

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

  it('are in a gap only between its ends and in their order', () => {
    const gap = { below: 'a1', above: 'a5' };
    const cases: [string[], { below: string | null; above: string | null }, boolean][] = [
      [['a2', 'a3'], gap, true],
      [['a3', 'a2'], gap, false],
      [['a1'], gap, false],
      [['a6'], gap, false],
      [['Zz', 'a9'], { below: null, above: null }, true],
      [['a9'], { below: 'a8', above: null }, true],
      [['a7'], { below: 'a8', above: null }, false],
      [[], gap, true],
    ];
    for (const [positions, { below, above }, expected] of cases)
      assert.equal(areInGap(positions, { below, above }), expected, `${positions} in ${below} to ${above}`);
  });
});
