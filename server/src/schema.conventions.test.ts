import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { nodeTypes } from '@reelgraph/sql-planner';
import {
  type GraphQLField,
  type GraphQLType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  OperationTypeNode,
  parse,
} from 'graphql';
import { platformSchema } from './schema.ts';

/** The only list of names that keep the form they have in other services: the operations that their clients send. */
const OPERATIONS = new URL('./testing/compatibility/operations.graphql', import.meta.url);

const fields = Object.values(platformSchema().getMutationType()?.getFields() ?? {});
const compatible = await compatibleMutations();
const own = fields.filter(({ name }) => !compatible.has(name));

describe('mutations of ours', () => {
  it('are all but the 28 operations of other services', () => {
    assert.deepEqual([compatible.size, fields.length - own.length], [28, 28]);
  });

  it('take their target as id, or several as ids, and everything else in one input that is named after them', () => {
    const wrong = own.filter(({ args }) => !/^((id|ids),?)?(input)?$/.test(args.map(nameOf).join(',')));
    assert.deepEqual(wrong.map(nameOf), []);
    const inputs = own.flatMap((field) =>
      field.args.filter(({ name }) => name === 'input').map(({ type }) => [getNamedType(type).name, inputName(field)]),
    );
    assert.deepEqual(
      inputs.filter(([name, expected]) => name !== expected),
      [],
    );
  });

  it('answer a payload that is named after them', () => {
    assert.deepEqual(own.filter((field) => getNamedType(field.type).name !== payloadName(field)).map(nameOf), []);
  });
});

/** Numbers that are not durations of ours in milliseconds. */
const OTHER_NUMBERS = [
  // In seconds, as other services have them.
  'ContentMetadata.duration',
  'CreatorVideoDetail.durationSeconds',
  'EpisodeMetadata.duration',
  'FeatureMetadata.duration',
  'MiniseriesMetadata.duration',
  'SeasonMetadata.duration',
  'SerieMetadata.duration',
  'ShortMetadata.duration',
  'StreamMetadata.duration',
  'UserVideo.duration',
  'VideoAsset.duration',
  'WaitForProcessingInput.timeoutSeconds',
  // Places in an order.
  'MoveEpisodeInput.position',
  'MoveSeasonInput.position',
];

/** Lists of what one thing consists of: the parts of a text, and what rules say of a video. */
const PARTS = ['SearchHighlights.summary', 'SearchHighlights.title', 'ViralityRecommendations.improvements'];

describe('nodes', () => {
  it('are what node(id) returns, and nothing else', () => {
    const types = Object.values(platformSchema().getTypeMap()).filter(isObjectType);
    const named = types.filter((type) => type.getInterfaces().some(({ name }) => name === 'Node')).map(nameOf);
    assert.deepEqual(named.sort(), [...nodeTypes(platformSchema())].sort());
  });
});

describe('lists of objects', () => {
  it('are connections, or short: their description gives the limit', () => {
    const unlimited = listsOfObjects().filter(
      ({ description }) => !/\bat most [\d,]+\b|\bone (?:\w+ )?for each\b|\bof each\b|\bone entry\b/i.test(description),
    );
    assert.deepEqual(unlimited.map(nameOf).sort(), PARTS);
  });
});

function listsOfObjects() {
  return Object.values(platformSchema().getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.values(type.getFields())
          .filter(({ name, type: of }) => name !== 'edges' && isListType(getNullableType(of)))
          .filter(({ type: of }) => isCompositeType(getNamedType(of)))
          .map(({ name, description }) => ({ name: `${type.name}.${name}`, description: description ?? '' }))
      : [],
  );
}

describe('durations', () => {
  it('are in milliseconds', () => {
    const numbers = allNames().filter(
      ({ name, type }) => /(seconds|duration|position)$/i.test(name) && ['Int', 'Float', 'BigInt'].includes(type),
    );
    assert.deepEqual(numbers.map(nameOf).sort(), OTHER_NUMBERS.toSorted());
  });
});

describe('defaults', () => {
  it('are said once', () => {
    const twice = Object.values(platformSchema().getTypeMap()).flatMap((owner) =>
      (isInputObjectType(owner) ? Object.values(owner.getFields()) : []).flatMap(({ name, description }) =>
        /; default [^;]*; default /.test(description ?? '') ? [`${owner.name}.${name}`] : [],
      ),
    );
    assert.deepEqual(twice, []);
  });
});

/** The names of all fields, arguments and fields of inputs, with the names of their types. */
function allNames(): { readonly name: string; readonly type: string }[] {
  return Object.values(platformSchema().getTypeMap()).flatMap((owner) => {
    if (isInputObjectType(owner)) return Object.values(owner.getFields()).map((field) => entry(owner.name, field));
    if (!isObjectType(owner) && !isInterfaceType(owner)) return [];
    return Object.values(owner.getFields()).flatMap((field) => [
      entry(owner.name, field),
      ...field.args.map((argument) => entry(`${owner.name}.${field.name}`, argument)),
    ]);
  });
}

function entry(owner: string, { name, type }: { readonly name: string; readonly type: GraphQLType }) {
  return { name: `${owner}.${name}`, type: getNamedType(type).name };
}

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

function payloadName(field: GraphQLField<unknown, unknown>): string {
  return `${pascalCase(field)}Payload`;
}

function inputName(field: GraphQLField<unknown, unknown>): string {
  return `${pascalCase(field)}Input`;
}

function pascalCase({ name }: GraphQLField<unknown, unknown>): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}
