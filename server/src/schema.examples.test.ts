import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exampleKey, type OperationExample, readExamples } from './docs/reference/operation-example.ts';
import { operationsOf } from './docs/reference/operation-pages.ts';
import { platformSchema } from './schema.ts';
import { callBeside, callExample, exampleVariables } from './testing/operation-examples.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

const operations = operationsOf(platformSchema());
const examples: ReadonlyMap<string, OperationExample> = await readExamples();

describe('examples of the documentation', () => {
  let fixture: SeededPlatform;
  before(async () => {
    fixture = await openSeededPlatform();
  });
  after(() => fixture?.close());

  it('belong to existing operations', () => {
    const known = new Set(operations.map(({ kind, field }) => exampleKey(kind, field.name)));
    assert.deepEqual(
      [...examples.keys()].filter((key) => !known.has(key)),
      [],
    );
  });

  it('contain no secret', () => {
    for (const [key, example] of examples)
      assert.doesNotMatch(JSON.stringify(example), /rg_\w{30}|whsec_(?!secret)|127\.0\.0\.1/, key);
  });

  for (const operation of operations) {
    const key = exampleKey(operation.kind, operation.field.name);
    it(`run, and match the response: ${key}`, async () => {
      const example = examples.get(key) ?? assert.fail(`Run: npm run record-examples -- ${operation.field.name}`);
      const variables = await exampleVariables(fixture, operation);
      assert.deepEqual(Object.keys(example.variables).sort(), Object.keys(variables).sort());
      const { answer } = await callExample(fixture, operation, example.document, variables);
      assert.deepEqual(
        differences(example.answer, answer),
        [],
        `Run: npm run record-examples -- ${operation.field.name}`,
      );
    });

    if (operation.kind === 'subscription') continue;
    it(`keep their response beside root fields that fail: ${key}`, async () => {
      const example = examples.get(key) ?? assert.fail(key);
      const variables = await exampleVariables(fixture, operation);
      const { data, errors } = await callBeside(fixture, operation, example.document, variables);
      assert.deepEqual(errors, [['before'], ['after']]);
      const { before, after, ...answer } = data;
      assert.deepEqual([before, after], [null, null]);
      assert.deepEqual(differences(example.answer, answer), []);
      for (const [name, value] of Object.entries(example.answer as object))
        assert.equal(answer[name] === null, value === null, name);
    });
  }
});

/** Differences in the shape of two responses: fields, or types of values. Null and empty values match anything. */
function differences(recorded: unknown, actual: unknown, path = 'data'): string[] {
  if (recorded === null || actual === null) return [];
  if (typeof recorded !== typeof actual || Array.isArray(recorded) !== Array.isArray(actual)) return [path];
  if (typeof recorded !== 'object' || typeof actual !== 'object') return [];
  if (Array.isArray(recorded) && Array.isArray(actual)) {
    return recorded.length === 0 || actual.length === 0 ? [] : differences(recorded[0], actual[0], `${path}[0]`);
  }
  const entries = new Map<string, unknown>(Object.entries(actual));
  const missing = [...entries.keys()].filter((name) => !(name in recorded)).map((name) => `${path}.${name}`);
  const here = Object.entries(recorded).flatMap(([name, value]) =>
    entries.has(name) ? differences(value, entries.get(name), `${path}.${name}`) : [`${path}.${name}`],
  );
  return [...missing, ...here];
}
