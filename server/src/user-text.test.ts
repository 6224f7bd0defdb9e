// Runs alone: it counts the steps of this process.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { TEXT_ARGUMENTS } from './gql/limits/text-arguments.ts';
import { StepCounter } from './testing/parsers/count-steps.ts';
import { SHAPES } from './testing/parsers/shapes.ts';
import type { TextParser } from './testing/parsers/text-parser.ts';
import { TEXT_PARSERS } from './testing/parsers/text-parsers.ts';

/** Characters of the longer text; the shorter one has half of them. */
const LENGTH = 2_048;
const FIRST_LENGTH = 64;
/** Twice the text may take this many times the steps. */
const MOST_GROWTH = 2.3;
/** Steps that do not depend on the text, such as building a table for the first time. */
const FREE_STEPS = 2_000;

/** The shapes for which twice the text takes a parser more than twice the steps. */
async function superlinearShapes(counter: StepCounter, { load, most = LENGTH, shapes = {} }: TextParser) {
  const parse = await load();
  const makers = Object.entries({ ...SHAPES, ...shapes });
  const grows = async (some: typeof makers) => {
    const steps = (length: number) =>
      counter.count(async () => {
        for (const [, make] of some)
          await Promise.resolve(make(length))
            .then(parse)
            .catch(() => null);
      });
    // The first run loads what the parser needs.
    await steps(FIRST_LENGTH);
    const [half, whole] = [await steps(Math.min(LENGTH, most) / 2), await steps(Math.min(LENGTH, most))];
    return whole > MOST_GROWTH * half + FREE_STEPS;
  };
  // One by one only where all together show it: reading the counters takes longer than parsing.
  if (!(await grows(makers))) return [];
  const found: string[] = [];
  for (const maker of makers) if (await grows([maker])) found.push(maker[0]);
  return found;
}

describe('parsers of user text', () => {
  let counter: StepCounter;
  before(() => {
    counter = new StepCounter();
  });
  after(() => counter.close());

  for (const [name, parser] of Object.entries(TEXT_PARSERS))
    it(`take a number of steps that is linear in the length: ${name}`, async () => {
      assert.deepEqual(await superlinearShapes(counter, parser), []);
    });

  it('are all known that arguments of the schema are read by', () => {
    const unknown = Object.values(TEXT_ARGUMENTS).filter(({ parser }) => !Object.hasOwn(TEXT_PARSERS, parser));
    assert.deepEqual(unknown, []);
  });

  it('that look at all earlier lines for every line are found', async () => {
    const planted = await import('./testing/parsers/quadratic-parser.fixture.ts');
    const shapesOf = (parse: TextParser['load']) => superlinearShapes(counter, { load: parse });
    assert.deepEqual(await shapesOf(async () => planted.readEarlierLines), ['newlines']);
    assert.deepEqual(await shapesOf(async () => planted.takeWordByWord), ['spaces', 'quotes']);
  });
});
