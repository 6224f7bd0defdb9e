import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { compileVariables } from './variables.ts';

const schema = buildSchema(
  'scalar DID scalar BigInt enum Colour { RED GREEN } input In { a: Int! b: [String!] = ["x"] } type Query { x: Int }',
);

describe('compiled variables', () => {
  const values = [
    undefined,
    null,
    'x',
    '',
    'RED',
    'BLUE',
    0,
    1,
    -1,
    1.5,
    2 ** 31,
    -(2 ** 31),
    2 ** 31 - 1,
    2 ** 53,
    Number.NaN,
    true,
    [],
    ['x'],
    {},
    { a: 1 },
    { a: 'x' },
  ];
  const types = [
    'String',
    'String!',
    'String = "d"',
    'Int',
    'Int!',
    'Int! = 3',
    'Int = null',
    'Float',
    'Boolean!',
    'DID!',
    'Colour',
    'Colour! = GREEN',
    'ID',
    '[Int!]',
    'In',
    'In!',
  ];
  for (const type of types) {
    test(`of type ${type} match the reference coercion`, () => {
      const definitions =
        // It is one.
        (parse(`query($v: ${type}) { x }`).definitions[0] as OperationDefinitionNode).variableDefinitions ?? [];
      const coerce = compileVariables(schema, definitions);
      for (const value of values) {
        const raw = value === undefined ? {} : { v: value };
        const expected = getVariableValues(schema, definitions, raw);
        const plain = getVariableValues(schema, definitions, raw, { hideSuggestions: true });
        const { values: actual, errors } = coerce(raw);
        assert.deepEqual(
          [
            { ...actual },
            errors?.errors.map(({ message }) => message),
            errors?.suggesting?.().map(({ message }) => message),
          ],
          [
            { ...expected.coerced },
            plain.errors?.map(({ message }) => message),
            expected.errors?.map(({ message }) => message),
          ],
          `${type} ${JSON.stringify(value)}`,
        );
      }
    });
  }

  test('that the operation does not declare are ignored, inherited properties are not seen', () => {
    const definitions =
      // As above.
      (parse('query($toString: String) { x }').definitions[0] as OperationDefinitionNode).variableDefinitions ?? [];
    assert.deepEqual(compileVariables(schema, definitions)({ other: 1 }).values, {});
  });
});
