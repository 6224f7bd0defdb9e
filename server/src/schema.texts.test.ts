import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LONG_TEXT } from '@reelgraph/sql-planner';
import { buildSchema, getNamedType, isInputObjectType } from 'graphql';
import { declareTextSizes, mostCharactersOf, textInputs } from './gql/index.ts';
import { platformSchema } from './schema.ts';

/** Paths of the long texts below an input. */
function longTexts(
  input: Parameters<typeof mostCharactersOf>[0],
  path: string,
  open: readonly string[] = [],
): string[] {
  const type = getNamedType(input.type);
  if (!isInputObjectType(type)) return mostCharactersOf(input) > LONG_TEXT ? [path] : [];
  if (open.includes(type.name)) return [];
  return Object.values(type.getFields()).flatMap((field) =>
    longTexts(field, `${path}.${field.name}`, [...open, type.name]),
  );
}

describe('texts in arguments', () => {
  it('have declared sizes, or the schema does not build', () => {
    const schema = () =>
      buildSchema('type Query { search(query: String, notes: [String!]): Int find(query: String): Int }');
    assert.throws(() => declareTextSizes(schema(), { query: 200 }), /most characters of Query.search.notes/);
    assert.throws(() => declareTextSizes(schema(), { query: 200, notes: 1, title: 1 }), /no arguments title/);
    const declared = schema();
    declareTextSizes(declared, { query: 200, notes: 1, 'Query.search.query': 300 });
    assert.deepEqual(
      [...textInputs(declared)].map(([coordinate, input]) => [coordinate, mostCharactersOf(input)]),
      [
        ['Query.search.query', 300],
        ['Query.search.notes', 1],
        ['Query.find.query', 200],
      ],
    );
  });

  it('are read by commands of one statement only after their permission, where they may be long', () => {
    const mutations = Object.values(platformSchema().getMutationType()?.getFields() ?? {});
    const found = mutations.flatMap(({ name, args, extensions }) => {
      const { statement } = extensions['plan'] as { statement?: { parse?: unknown } }; // set by Graph
      const texts = statement ? args.flatMap((arg) => longTexts(arg, arg.name)) : [];
      return texts.length > 0 ? [[name, texts, typeof statement?.parse]] : [];
    });
    assert.deepEqual(found, [
      ['createContentCaptions', ['input.text'], 'function'],
      ['updateContentCaptions', ['input.text'], 'function'],
    ]);
  });
});
