import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { type GraphQLField, getNamedType, Kind, OperationTypeNode, parse } from 'graphql';
import { platformSchema } from './schema.ts';

/** The only list of names that keep the form they have in other services: the operations that their clients send. */
const OPERATIONS = new URL('./testing/compatibility/operations.graphql', import.meta.url);

const fields = Object.values(platformSchema().getMutationType()?.getFields() ?? {});
const compatible = await compatibleMutations();
const own = fields.filter(({ name }) => !compatible.has(name));

describe('mutations of ours', () => {
  it('are told apart from those of other services', () => {
    assert.deepEqual([compatible.size, fields.length - own.length], [28, 28]);
  });

  it('answer a payload that is named after them', () => {
    assert.deepEqual(own.filter((field) => getNamedType(field.type).name !== payloadName(field)).map(nameOf), []);
  });
});

async function compatibleMutations(): Promise<Set<string>> {
  const { definitions } = parse(await readFile(OPERATIONS, 'utf8'));
  const mutations = definitions.filter(
    (node) => node.kind === Kind.OPERATION_DEFINITION && node.operation === OperationTypeNode.MUTATION,
  );
  return new Set(
    mutations.flatMap((node) =>
      'selectionSet' in node && node.selectionSet
        ? node.selectionSet.selections.map((selection) => (selection.kind === Kind.FIELD ? selection.name.value : ''))
        : [],
    ),
  );
}

function payloadName({ name }: GraphQLField<unknown, unknown>): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`;
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
