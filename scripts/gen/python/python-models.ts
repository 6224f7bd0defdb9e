import {
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { pascal } from '../client-document.ts';
import { applies, groupsOf, type SelectedGroup } from '../selected-fields.ts';
import { docstring, HEAD, importFrom, quoted, snake } from './python-text.ts';
import { mentions, type NamedTypes, scalar } from './python-types.ts';

interface ModelClass {
  readonly description: string | null | undefined;
  /** Type by attribute. */
  readonly fields: Map<string, { readonly type: string; readonly description: string | null | undefined }>;
}

/** Names in annotations; an attribute of such a name would hide it from type checkers. */
const TAKEN = new Set(['str', 'bool', 'int', 'float', 'list', 'dt', 'from_dict', 'to_dict']);

/**
 * Writes what clients select as Python classes: one for each fragment, named like it, one for each selection below it,
 * and a union where a selection depends on the type. Expects validated documents.
 */
export class ModelWriter {
  readonly #schema: GraphQLSchema;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #named: NamedTypes;
  readonly #classes = new Map<string, ModelClass>();
  readonly #unions = new Map<string, { readonly members: string[]; readonly description: string }>();

  constructor(schema: GraphQLSchema, fragments: ReadonlyMap<string, FragmentDefinitionNode>, named: NamedTypes) {
    this.#schema = schema;
    this.#fragments = fragments;
    this.#named = named;
  }

  fragment(node: FragmentDefinitionNode): void {
    const on = this.#schema.getType(node.typeCondition.name.value);
    if (!isCompositeType(on)) throw new Error(`${node.name.value} is not on a composite type`);
    this.#write(node.name.value, on, [node.selectionSet]);
  }

  /** The types of a connection's entries: `[Content, ContentEdge]`. */
  entriesOf(connection: string): [node: string, edge: string] {
    const edge = /^list\[(\w+)\]$/.exec(this.#classes.get(connection)?.fields.get('edges')?.type ?? '')?.[1] ?? '';
    const node = this.#classes.get(edge)?.fields.get('node')?.type;
    if (!node) throw new Error(`${connection} does not select edges and their nodes`);
    return [node, edge];
  }

  has(name: string): boolean {
    return this.#classes.has(name) || this.#unions.has(name);
  }

  /** The source of reelgraph/models.py. */
  file(): string {
    const names = [...this.#classes.keys()].sort();
    const classes = names.map((name) => this.#classText(name));
    const unions = [...this.#unions].map(
      ([name, { members, description }]) => `${name} = ${members.join(' | ')}\n${docstring(description, '')}`,
    );
    const body = [...classes, ...unions].join('\n\n');
    const enums = [...new Set(body.match(/\b[A-Z]\w+\b/g))].filter((word) => isEnumType(this.#schema.getType(word)));
    const used = enums.filter((word) => new RegExp(`: .*\\b${word}\\b`).test(body));
    return (
      `${HEAD('What the methods return: one class for each type of the schema, with the fields that they select.')}` +
      `import datetime as dt\nfrom typing import Literal\n\nfrom ._core.model import Model\n` +
      `${importFrom('.enums', used)}${importFrom(
        '.scalars',
        ['DID', 'JSON'].filter((name) => mentions(body, name)),
      )}\n\n${body}`
    );
  }

  #classText(name: string): string {
    const { description, fields } = this.#classes.get(name) ?? { description: null, fields: new Map() };
    const lines = [...fields].map(
      ([attribute, field]) => `    ${attribute}: ${field.type}\n${docstring(field.description, '    ')}`,
    );
    const about = docstring(description ?? `A part of ${name}.`, '    ');
    return `class ${name}(Model):\n${about}${lines.length > 0 ? `\n${lines.join('')}` : ''}`;
  }

  /** Writes the classes of a selection and returns the name of its type. */
  #write(name: string, type: GraphQLCompositeType, sets: readonly SelectionSetNode[]): string {
    if (this.has(name)) throw new Error(`Two selections are called ${name} in the Python client`);
    const groups = groupsOf(this.#schema, this.#fragments, type, sets);
    if (groups.length === 1) {
      for (const group of groups) this.#class(name, type.description, group);
      return name;
    }
    if (groups.some(({ selected }) => selected.typenames.length === 0))
      throw new Error(`${name} depends on the type: select __typename`);
    // Types of which only the common fields are selected are last: they stand for unknown ones, too.
    const bySize = groups.toSorted((one, other) => other.selected.fields.size - one.selected.fields.size);
    const members = bySize.map((group, index) => {
      const label = this.#labelOf(group, sets);
      const isRest = index === bySize.length - 1;
      const part = `${name}${isRest ? 'Other' : label}`;
      const about = isRest ? 'Any other type, also one that is newer than the client.' : null;
      this.#class(part, about ?? this.#schema.getType(label)?.description, group);
      return part;
    });
    this.#unions.set(name, { members, description: type.description ?? '' });
    return name;
  }

  /** The type whose fragment distinguishes a group. */
  #labelOf({ names }: SelectedGroup, sets: readonly SelectionSetNode[]): string {
    const conditions = sets.flatMap(({ selections }) =>
      selections.flatMap((node) => (node.kind === Kind.INLINE_FRAGMENT ? [node.typeCondition?.name.value ?? ''] : [])),
    );
    const found = conditions.filter((condition) =>
      names.every((name) => applies(this.#schema, condition, this.#schema.getType(name) as never)),
    );
    return found.join('') || names.join('');
  }

  #class(name: string, description: string | null | undefined, { names, selected }: SelectedGroup): void {
    const fields: ModelClass['fields'] = new Map();
    this.#classes.set(name, { description, fields });
    if (selected.typenames.length > 0)
      fields.set('typename', { type: `Literal[${names.map(quoted).join(', ')}]`, description: 'The concrete type.' });
    for (const [key, field] of selected.fields) {
      const attribute = snake(key);
      if (TAKEN.has(attribute)) throw new Error(`${name}.${attribute} would hide a name of the Python client`);
      const type = this.#output(field.type, field.sets, `${name}${pascal(key)}`);
      const isOptional = field.optional && !type.endsWith(' | None');
      fields.set(attribute, { type: isOptional ? `${type} | None` : type, description: field.description });
    }
  }

  #output(type: GraphQLOutputType, sets: readonly SelectionSetNode[], name: string): string {
    if (isNonNullType(type)) return this.#outputNonNull(type.ofType, sets, name);
    return `${this.#outputNonNull(type, sets, name)} | None`;
  }

  #outputNonNull(type: GraphQLOutputType, sets: readonly SelectionSetNode[], name: string): string {
    if (isListType(type)) return `list[${this.#output(type.ofType, sets, name)}]`;
    const named = getNamedType(type);
    if (isCompositeType(named))
      return this.#sharedFragment(named, sets) ?? this.#write(nestedName(named.name, name), named, sets);
    return isEnumType(named) ? this.#named.enumName(named) : scalar(named.name);
  }

  /** The fragment that is all of a selection, where it is one. */
  #sharedFragment(type: GraphQLCompositeType, sets: readonly SelectionSetNode[]): string | null {
    const [only, ...more] = sets.flatMap(({ selections }) => selections);
    if (only?.kind !== Kind.FRAGMENT_SPREAD || more.length > 0) return null;
    return this.#fragments.get(only.name.value)?.typeCondition.name.value === type.name ? only.name.value : null;
  }
}

/** Edges are selected in one place, so they keep the name of their type. */
function nestedName(type: string, place: string): string {
  return type.endsWith('Edge') ? type : place;
}
