import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import {
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  print,
  type TypeNode,
} from 'graphql';
import { platformSchema } from './schema.ts';

const TYPES = new URL('./testing/compatibility/types.graphql', import.meta.url);
const GUIDE = new URL('../../docs/guides/another-service.md', import.meta.url);

/** Pairs of named types whose values are the same in JSON: every value here is one there. */
const SAME_VALUES = new Set([
  ...['ID', 'String', 'IngestionID'].map((there) => `${there} DID`),
  ...['Int BigInt', 'Float Int', 'String MimeType'],
]);

test('types and fields are those of the service that the platform implements, or the guide says how they differ', async () => {
  const guide = await readFile(GUIDE, 'utf8');
  const renamed = new Map(
    rowsOf(guide, 'Types with other names').flatMap(([there = '', here = '']) => {
      const [old, now] = [namesIn(there), namesIn(here)];
      return old.map((name, index) => [name, now[index] ?? now[0] ?? ''] as const);
    }),
  );
  const found: string[] = [];
  for (const type of parse(await readFile(TYPES, 'utf8')).definitions) {
    if (type.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const here = platformSchema().getType(renamed.get(type.name.value) ?? type.name.value);
    if (!(isObjectType(here) || isInterfaceType(here))) {
      assert.ok(guide.includes(`\`${type.name.value}\``), `the guide does not say that ${type.name.value} is missing`);
      continue;
    }
    for (const field of type.fields ?? []) {
      const ours = here.getFields()[field.name.value];
      if (!ours || !isSame(field.type, ours.type, renamed))
        found.push(`${type.name.value}.${field.name.value}: ${print(field.type)} ${ours?.type ?? 'missing'}`);
    }
  }
  const listed = rowsOf(guide, 'Fields with other types').flatMap(([fields = '', there = '', here = '']) =>
    [...fields.matchAll(/`([\w.]+)`/g)].map(([, name]) => `${name}: ${bare(there)} ${bare(here)}`),
  );
  assert.deepEqual(found.sort(), listed.sort());
});

/** Whether each value of the type here is one of the type there. Null may only be there. */
function isSame(there: TypeNode, here: GraphQLOutputType, renamed: ReadonlyMap<string, string>): boolean {
  if (there.kind === Kind.NON_NULL_TYPE)
    return isNonNullType(here) && isSame(there.type, getNullableType(here), renamed);
  const ours = getNullableType(here);
  if (there.kind === Kind.LIST_TYPE) return isListType(ours) && isSame(there.type, ours.ofType, renamed);
  if (isListType(ours)) return false;
  const { value: name } = there.name;
  const own = getNamedType(ours);
  return (
    own.name === (renamed.get(name) ?? name) ||
    SAME_VALUES.has(`${name} ${own.name}`) ||
    (name === 'String' && isEnumType(own))
  );
}

/** The rows of the first table below a heading, as the texts of their cells. */
function rowsOf(markdown: string, heading: string): string[][] {
  const [, section = ''] = markdown.split(new RegExp(`^## ${heading}$`, 'm'));
  const [, body = ''] = /\n\|[:|-]+\|\n([\s\S]*?)\n\n/.exec(section) ?? [];
  assert.notEqual(body, '', `the guide has no table below ${heading}`);
  return body.split('\n').map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The names of a cell that consists of names; none of a cell that says where it holds. */
function namesIn(cell: string): string[] {
  return /^(`\w+`(, )?)+$/.test(cell) ? cell.split(', ').map(bare) : [];
}

function bare(cell: string): string {
  return cell.replaceAll('`', '');
}
