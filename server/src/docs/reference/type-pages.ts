import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';
import type { DocPage } from '../doc-page.ts';
import { withNotes } from './lifecycle-notes.ts';
import { operationsOf } from './operation-pages.ts';
import { cell, paragraphs, table, typeLink, typePath } from './type-links.ts';

/** A page for every non-root type, with links to related types and uses. */
export function typePages(schema: GraphQLSchema): DocPage[] {
  const uses = usesOf(schema);
  return typesOf(schema).map((type) => ({
    path: typePath(type.name),
    section: 'Types',
    markdown: paragraphs(
      `# ${type.name}`,
      withNotes(type),
      `Kind: ${kindOf(type)}.`,
      ...bodyOf(schema, type),
      ...section('Used by', (uses.get(type.name) ?? []).map((use) => `* ${use}`).join('\n')),
    ),
  }));
}

/** Types with a page, by name. */
export function typesOf(schema: GraphQLSchema): GraphQLNamedType[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(schema.getTypeMap())
    .filter(
      (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type) && !roots.some((root) => root === type),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The kind of a type. */
export function kindOf(type: GraphQLNamedType): 'object' | 'interface' | 'union' | 'enum' | 'input' | 'scalar' {
  if (isObjectType(type)) return 'object';
  if (isInterfaceType(type)) return 'interface';
  if (isUnionType(type)) return 'union';
  if (isEnumType(type)) return 'enum';
  return isInputObjectType(type) ? 'input' : 'scalar';
}

function bodyOf(schema: GraphQLSchema, type: GraphQLNamedType): string[] {
  if (isEnumType(type)) {
    const rows = type.getValues().map((value) => [`\`${value.name}\``, cell(withNotes(value))]);
    return section('Values', table(['Value', 'Meaning'], rows));
  }
  if (isInputObjectType(type)) {
    const rows = Object.values(type.getFields()).map((field) => [
      `\`${field.name}\``,
      typeLink(field.type),
      cell(withNotes(field)),
    ]);
    return section('Fields', table(['Name', 'Type', 'Meaning'], rows));
  }
  if (isUnionType(type)) return section('Possible types', links(type.getTypes()));
  if (!isObjectType(type) && !isInterfaceType(type)) return [];
  const rows = Object.values(type.getFields()).map((field) => [
    `\`${field.name}\`${argumentsOf(field)}`,
    typeLink(field.type),
    cell(withNotes(field)),
  ]);
  return [
    ...section('Fields', table(['Name', 'Type', 'Meaning'], rows)),
    ...section('Implements', links(type.getInterfaces())),
    ...section('Possible types', isInterfaceType(type) ? links(schema.getPossibleTypes(type)) : ''),
  ];
}

function section(heading: string, text: string): string[] {
  return text === '' ? [] : [`## ${heading}`, text];
}

function links(types: readonly GraphQLNamedType[]): string {
  return types.map(({ name }) => `[${name}](${typePath(name)})`).join(', ');
}

/** Page arguments are the same everywhere. */
function argumentsOf({ args }: GraphQLField<unknown, unknown>): string {
  const own = args.filter(({ name }) => !['first', 'after', 'last', 'before'].includes(name));
  return own.length === 0 ? '' : ` (${own.map((arg) => `\`${arg.name}\`: ${typeLink(arg.type)}`).join(', ')})`;
}

/** By type name: links to operations and types that use it. What is in a payload is used by its mutation. */
function usesOf(schema: GraphQLSchema): Map<string, string[]> {
  const uses = new Map<string, Set<string>>();
  const add = (name: string, use: string) => uses.set(name, (uses.get(name) ?? new Set()).add(use));
  const payloads = new Map<string, string>();
  for (const { field, path } of operationsOf(schema)) {
    const operation = `[${field.name}](${path})`;
    for (const type of [field.type, ...field.args.map((arg) => arg.type)]) add(getNamedType(type).name, operation);
    const answer = getNamedType(field.type).name;
    if (answer.endsWith('Payload')) payloads.set(answer, operation);
  }
  for (const owner of typesOf(schema)) {
    if (!isObjectType(owner) && !isInterfaceType(owner) && !isInputObjectType(owner)) continue;
    const fields: readonly (GraphQLField<unknown, unknown> | GraphQLInputField)[] = Object.values(owner.getFields());
    for (const field of fields) {
      const use = payloads.get(owner.name) ?? `[${owner.name}](${typePath(owner.name)}).\`${field.name}\``;
      add(getNamedType(field.type).name, use);
      const args = 'args' in field ? field.args : [];
      for (const arg of args) add(getNamedType(arg.type).name, use);
    }
  }
  return new Map(Array.from(uses, ([name, found]) => [name, [...found]]));
}
