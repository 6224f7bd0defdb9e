import type { Operation, PlannedField } from '@reelgraph/sql-planner';
import {
  type ArgumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  getNamedType,
  getNullableType,
  type InlineFragmentNode,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type SelectionNode,
  valueFromASTUntyped,
} from 'graphql';
import { AppError } from '../../kernel/errors.ts';
import { type Text, t } from '../../kernel/languages/message.ts';
import { flatSelection } from './flat-selection.ts';

/** The exported connection and two levels of connections in its objects. */
export const MAX_EXPORT_LEVELS = 3;
/** Argument in errors about the document. */
export const QUERY_FIELD = 'input.query';

/** Entries of the pages of the exported connection, and of those in its objects. */
export interface PageSizes {
  readonly root: number;
  readonly nested: number;
}

/** A connection of an export, as the pages of its parent select it. */
export interface ExportedList {
  /** Response name. */
  readonly key: string;
  /** For messages: `contents.comments`. */
  readonly path: string;
  /** The field by the types that it is selected on; selections in several fragments have several. */
  readonly variants: ReadonlyArray<{ readonly on: string; readonly field: FieldNode }>;
  /** The connections in its objects. */
  readonly nested: readonly ExportedList[];
}

/** What a query exports. */
export interface ExportedConnection {
  /** Name of the field. */
  readonly name: string;
  /** Response names from the root to the connection. */
  readonly keys: readonly string[];
  /** Puts another field in the place of the connection; returns the selection of the operation. */
  readonly place: (field: FieldNode) => SelectionNode;
  /** Cursor to start after. */
  readonly start: string | null;
  readonly list: ExportedList;
}

/** Response name in pages of the identifier of an object with connections; queries may not use it. */
export const ID_KEY = '__id';
const PAGE_ARGUMENTS = ['first', 'last', 'after', 'before'];
/** Planned objects on the way to the connection. */
const ON_THE_WAY = ['one', 'embed', 'node'];

/**
 * Reads what a validated query exports, with its selections rewritten for pages of `sizes`: fragments are in place,
 * directives are applied, page arguments are the job's. Pure.
 * @throws AppError INVALID_INPUT about `input.query` for what cannot be exported.
 */
export function readExport(
  operation: Operation,
  variables: Readonly<Record<string, unknown>>,
  sizes: PageSizes,
): ExportedConnection {
  requireExportable(operation);
  const flat = flatSelection(operation, variables);
  const reader = new ExportReader(operation, variables, sizes);
  return reader.read(flat);
}

/** @throws AppError unless the operation is a query that reveals no credential. */
function requireExportable({ kind, secret, introspections }: Operation): void {
  if (kind !== 'query')
    throw refused(
      kind === 'mutation' ? t`A mutation cannot be exported.` : t`A subscription cannot be exported.`,
      t`Send a query with one connection, such as { contents { … } }.`,
    );
  if (secret)
    throw refused(
      t`The query selects a secret or an address that is its own permission; files do not contain them.`,
      t`Leave the fields with secrets out and read them one by one.`,
    );
  if (introspections > 0) throw refused(t`The schema cannot be exported.`, t`Fetch it from /schema.graphql.`);
}

interface Found {
  readonly type: GraphQLCompositeType;
  readonly field: FieldNode;
  readonly wrap: (field: FieldNode) => SelectionNode;
}

class ExportReader {
  readonly #operation: Operation;
  readonly #variables: Readonly<Record<string, unknown>>;
  readonly #sizes: PageSizes;

  constructor(operation: Operation, variables: Readonly<Record<string, unknown>>, sizes: PageSizes) {
    this.#operation = operation;
    this.#variables = variables;
    this.#sizes = sizes;
  }

  read(selections: readonly SelectionNode[]): ExportedConnection {
    let type: GraphQLCompositeType = this.#operation.rootType;
    let current = selections;
    const keys: string[] = [];
    let place = (field: FieldNode): SelectionNode => field;
    for (;;) {
      const found = this.#only(current, type, keys);
      const { field } = found;
      keys.push(keyOf(field));
      const definition = fieldOf(found.type, field);
      const outer = place;
      if (planOf(definition) === 'connection') {
        const path = keys.join('.');
        const { rendered, nested } = this.#connection(field, definition, { path, level: 1 });
        return {
          name: field.name.value,
          keys,
          place: (other) => outer(found.wrap(other) as FieldNode), // only its place matters
          start: this.#start(field, path),
          list: { key: keyOf(field), path, variants: [{ on: found.type.name, field: rendered }], nested },
        };
      }
      const below = getNamedType(definition.type);
      const isOnTheWay = ON_THE_WAY.includes(planOf(definition)) && !isListType(getNullableType(definition.type));
      if (!isOnTheWay || !isCompositeType(below))
        throw refused(
          t`${keys.join('.')} is not a connection.`,
          t`Export a connection: a field with edges, such as contents, or one of an object: channel { contents { … }
            }.`,
        );
      place = (inner) =>
        outer(found.wrap({ ...field, selectionSet: { kind: Kind.SELECTION_SET, selections: [inner] } }) as FieldNode);
      type = below;
      current = field.selectionSet?.selections ?? [];
    }
  }

  /** The only field of a selection on the way to the connection. */
  #only(selections: readonly SelectionNode[], type: GraphQLCompositeType, keys: readonly string[]): Found {
    const [first, second] = this.#fields(selections, type, (field) => field);
    const where = keys.join('.') || 'query';
    if (!first) throw refused(t`${where} selects no connection.`, t`Select one connection with edges { node { … } }.`);
    if (second)
      throw refused(
        t`An export reads one connection, and ${where} selects ${keyOf(first.field)} and ${keyOf(second.field)}.`,
        t`Export them one by one.`,
      );
    return first;
  }

  #fields(
    selections: readonly SelectionNode[],
    type: GraphQLCompositeType,
    wrap: (inner: SelectionNode) => SelectionNode,
  ): Found[] {
    return selections.flatMap((selection): Found[] => {
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return this.#fields(selection.selectionSet.selections, this.#typeOf(selection, type), (inner) =>
          wrap({ ...selection, selectionSet: { kind: Kind.SELECTION_SET, selections: [inner] } }),
        );
      if (selection.kind !== Kind.FIELD || selection.name.value === '__typename') return [];
      return [{ type, field: selection, wrap }];
    });
  }

  /** A connection for one page, and the connections in its objects. */
  #connection(
    field: FieldNode,
    definition: GraphQLField<unknown, unknown>,
    at: { readonly path: string; readonly level: number },
  ): { rendered: FieldNode; nested: ExportedList[] } {
    this.#requireForward(field, at);
    const type = entryType(definition);
    const entries = selectionsOf(selectionsOf(field.selectionSet?.selections ?? [], 'edges'), 'node');
    if (entries.length === 0)
      throw refused(t`${at.path} selects no objects.`, t`Select fields of them: ${at.path} { edges { node { id } } }.`);
    const nested: ExportedList[] = [];
    const node = this.#objects(entries, type, at, nested);
    const size = at.level === 1 ? this.#sizes.root : this.#sizes.nested;
    const own = (field.arguments ?? []).filter(({ name }) => !PAGE_ARGUMENTS.includes(name.value));
    const rendered = {
      ...field,
      arguments: [...own, argument('first', { kind: Kind.INT, value: String(size) })],
      selectionSet: setOf([
        selected('edges', [...(nested.length > 0 ? [selected('cursor')] : []), selected('node', node)]),
        selected('pageInfo', [selected('hasNextPage'), selected('endCursor')]),
      ]),
    };
    return { rendered, nested };
  }

  /** The selection on the objects of a list; connections in it are added to `nested`. */
  #objects(
    selections: readonly SelectionNode[],
    type: GraphQLCompositeType,
    at: { readonly path: string; readonly level: number },
    nested: ExportedList[],
  ): SelectionNode[] {
    return selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const inner = this.#objects(selection.selectionSet.selections, this.#typeOf(selection, type), at, nested);
        return [{ ...selection, selectionSet: setOf(inner) }];
      }
      if (selection.kind !== Kind.FIELD) return [];
      const path = `${at.path}.${keyOf(selection)}`;
      if (selection.alias?.value.startsWith('__'))
        throw refused(t`${path}: names that begin with __ are those of the export.`, t`Choose another alias.`);
      if (selection.name.value === '__typename') return [selection];
      const definition = fieldOf(type, selection);
      if (planOf(definition) !== 'connection') {
        this.#requireNoConnection(selection, definition, path);
        return [selection];
      }
      requireNested(type, path, at.level + 1);
      const { rendered, nested: below } = this.#connection(selection, definition, { path, level: at.level + 1 });
      addList(nested, {
        key: keyOf(selection),
        path,
        variants: [{ on: type.name, field: rendered }],
        nested: below,
      });
      return [{ ...selected('id'), alias: { kind: Kind.NAME, value: ID_KEY } }, rendered];
    });
  }

  /** Connections are exported where they belong to an exported object, which has an identifier. */
  #requireNoConnection(field: FieldNode, definition: GraphQLField<unknown, unknown>, path: string): void {
    const type = getNamedType(definition.type);
    if (!field.selectionSet || !isCompositeType(type)) return;
    for (const { type: on, field: inner } of this.#fields(field.selectionSet.selections, type, (node) => node)) {
      const innerPath = `${path}.${keyOf(inner)}`;
      if (planOf(fieldOf(on, inner)) === 'connection')
        throw refused(
          t`${innerPath} is a connection of ${path}, which is not an object of an exported list.`,
          t`Move ${keyOf(inner)} to an exported object, or export it by itself.`,
        );
      this.#requireNoConnection(inner, fieldOf(on, inner), innerPath);
    }
  }

  #requireForward(field: FieldNode, { path, level }: { readonly path: string; readonly level: number }): void {
    for (const { name, value } of field.arguments ?? []) {
      const isRefused = ['last', 'before'].includes(name.value) || (level > 1 && name.value === 'after');
      if (!isRefused || valueFromASTUntyped(value, this.#variables) == null) continue;
      throw refused(
        t`${path} has the argument ${name.value}; an export reads the whole list from its start.`,
        t`Leave ${name.value} out; first is ignored, and after is accepted on the exported connection only.`,
      );
    }
  }

  #start(field: FieldNode, path: string): string | null {
    const given = field.arguments?.find(({ name }) => name.value === 'after');
    const value: unknown = given ? (valueFromASTUntyped(given.value, this.#variables) ?? null) : null;
    if (value === null || typeof value === 'string') return value;
    throw refused(t`after of ${path} is not a cursor.`, t`Send a cursor of this list, or leave it out.`);
  }

  #typeOf({ typeCondition }: InlineFragmentNode, outer: GraphQLCompositeType): GraphQLCompositeType {
    const type = typeCondition && this.#operation.schema.getType(typeCondition.name.value);
    return isCompositeType(type) ? type : outer;
  }
}

function requireNested(type: GraphQLCompositeType, path: string, level: number): void {
  if (level > MAX_EXPORT_LEVELS)
    throw refused(
      t`${path} is the ${level}th level of connections; an export has ${MAX_EXPORT_LEVELS} at most.`,
      t`Leave ${path} out, or export it by itself.`,
    );
  const isNode =
    (isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().some(({ name }) => name === 'Node');
  if (!isNode)
    throw refused(
      t`${path} belongs to ${type.name}, which has no identifier of its own.`,
      t`Leave ${path} out, or export it by itself.`,
    );
}

/** Adds a list, merged with one under the same name: of another fragment. */
function addList(lists: ExportedList[], list: ExportedList): void {
  const at = lists.findIndex(({ key }) => key === list.key);
  const known = lists[at];
  if (!known) return void lists.push(list);
  const nested = [...known.nested];
  for (const below of list.nested) addList(nested, below);
  lists[at] = { ...known, variants: [...known.variants, ...list.variants], nested };
}

/** The selections on a field of a connection or an edge, under whatever names. */
function selectionsOf(selections: readonly SelectionNode[], name: string): SelectionNode[] {
  return selections.flatMap((selection): readonly SelectionNode[] => {
    if (selection.kind === Kind.INLINE_FRAGMENT) return selectionsOf(selection.selectionSet.selections, name);
    if (selection.kind !== Kind.FIELD || selection.name.value !== name) return [];
    return selection.selectionSet?.selections ?? [];
  });
}

/** The type of the objects of a connection. */
function entryType(definition: GraphQLField<unknown, unknown>): GraphQLCompositeType {
  const edges = isObjectType(getNamedType(definition.type)) ? 'edges' : '';
  let type: unknown = getNamedType(definition.type);
  for (const name of [edges, 'node']) {
    const field = isObjectType(type) ? type.getFields()[name] : undefined;
    type = field && getNamedType(field.type);
  }
  if (!isCompositeType(type as never)) throw new TypeError(`${definition.name} is no connection`);
  return type as GraphQLCompositeType; // just checked
}

function fieldOf(type: GraphQLCompositeType, { name }: FieldNode): GraphQLField<unknown, unknown> {
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name.value] : undefined;
  // The document was validated.
  if (!field) throw new TypeError(`${type.name} has no field ${name.value}`);
  return field;
}

function planOf({ extensions }: GraphQLField<unknown, unknown>): string {
  return (extensions as Partial<PlannedField>).plan?.kind ?? '';
}

export function keyOf({ alias, name }: FieldNode): string {
  return alias?.value ?? name.value;
}

function setOf(selections: readonly SelectionNode[]) {
  return { kind: Kind.SELECTION_SET, selections } as const;
}

function selected(name: string, selections?: readonly SelectionNode[]): FieldNode {
  const field = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name } } as const;
  return selections ? { ...field, selectionSet: setOf(selections) } : field;
}

export function argument(name: string, value: ArgumentNode['value']): ArgumentNode {
  return { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: name }, value };
}

function refused(message: Text, suggestedFix: Text): AppError {
  return new AppError('INVALID_INPUT', message, { field: QUERY_FIELD, suggestedFix });
}
