import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CommandVariants, type GivenValue, type PlannedInput } from './command-variants.ts';

interface Input {
  readonly title?: string | null;
  readonly note?: string;
}

const TITLE: GivenValue = ({ title }: Input) => title;
const NOTE: GivenValue = ({ note }: Input) => note;

/** Variants of a command whose statement names what is given. */
function variants(asks: (input: PlannedInput) => readonly GivenValue[] = () => [TITLE, NOTE]) {
  const planned: PlannedInput[] = [];
  const found = new CommandVariants((input) => {
    planned.push(input);
    const text = ['set', ...(input.has(TITLE) ? ['title'] : []), ...(input.has(NOTE) ? ['note'] : [])].join(' ');
    return { text, shapedBy: asks(input) };
  });
  return { planned, textOf: (input: Input) => found.of(input, {} as never).text };
}

describe('statements of a command', () => {
  it('are for what is given, and planned once for it', () => {
    const { planned, textOf } = variants();
    assert.deepEqual(
      [{ title: 'One' }, { note: 'Two' }, { title: 'Three' }, { title: null }, {}, { note: 'Four' }].map(textOf),
      ['set title', 'set note', 'set title', 'set title', 'set', 'set note'],
    );
    assert.equal(planned.length, 3);
  });

  it('serve every input where they ask for nothing', () => {
    const { planned, textOf } = variants(() => []);
    for (const input of [{ title: 'One' }, { note: 'Two' }]) textOf(input);
    assert.equal(planned.length, 1);
  });

  it('do not keep the input that they were planned for', () => {
    const { planned, textOf } = variants();
    textOf({ title: 'One' });
    assert.throws(() => planned[0]?.has(TITLE), TypeError);
  });

  it('ask for the same values whatever is given', () => {
    const { textOf } = variants((input) => (input.has(TITLE) ? [TITLE, NOTE] : [NOTE]));
    textOf({ title: 'One' });
    assert.throws(() => textOf({ note: 'Two' }), TypeError);
  });
});
