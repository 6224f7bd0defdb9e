import {
  buildSchema,
  concatAST,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  type SelectionNode,
  Source,
  validate,
} from 'graphql';
import { entityTypes } from '../../server/src/gql/entity-types.ts';
import { DefaultSelections } from './default-selections.ts';
import { fragmentsOf, reachedFragments } from './fragments.ts';
import type { OperationFile } from './web-operations.ts';

/**
 * What the clients in TypeScript and Python select: one operation for each root field of the schema. Pure: texts in,
 * data out.
 *
 * An operation in clients/typescript/operations is used for its root field; for every other root field one is generated
 * that takes all arguments and selects the type's default selection.
 */
export interface ClientDocument {
  readonly schema: GraphQLSchema;
  readonly methods: readonly Method[];
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The fragments that the operations reach. */
  readonly used: readonly FragmentDefinitionNode[];
}

/** The operation of a method, and the path of its result in the data. */
export interface Method {
  readonly name: string;
  readonly kind: OperationTypeNode;
  readonly operation: OperationDefinitionNode;
  readonly description: string;
  /** Response keys down to the result. */
  readonly path: readonly string[];
  readonly answer: GraphQLOutputType;
  /** Whether something above the result may be null. */
  readonly nullable: boolean;
}

/** Throws an Error that lists every error with file and line. */
export function clientDocument(schemaText: string, files: readonly OperationFile[]): ClientDocument {
  const schema = buildSchema(schemaText);
  const written = concatAST(files.map((file) => parse(new Source(file.text, file.path))));
  const document = completed(schema, written);
  const errors = validate(schema, document).filter(({ message }) => !/^Fragment "\w+Ref" is never used/.test(message));
  if (errors.length > 0)
    throw new Error(`The client's operations do not fit the schema:\n${errors.map(String).join('\n')}`);
  const fragments = fragmentsOf(document);
  const methods = methodsOf(schema, document);
  const used = new Map(methods.flatMap(({ operation }) => [...reachedFragments(operation, fragments)]));
  return { schema, methods, fragments, used: [...used.values()] };
}

/** The document with an operation for every root field, and with the fragments that they need. */
function completed(schema: GraphQLSchema, written: DocumentNode): DocumentNode {
  const selections = new DefaultSelections(fragmentsOf(written), entityTypes(schema));
  const operations = written.definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
  const present = new Set(operations.map(({ name }) => name?.value));
  const created: string[] = [];
  for (const [kind, root] of rootTypes(schema)) {
    for (const field of Object.values(root.getFields()))
      if (!present.has(pascal(field.name))) created.push(operationText(kind, field, selections));
  }
  for (const node of written.definitions) needMentioned(schema, node, selections);
  return concatAST([written, parse([...created, ...selections.fragments].join('\n'))]);
}

/** What was written may speak of default selections too. */
function needMentioned(schema: GraphQLSchema, node: DefinitionNode, selections: DefaultSelections): void {
  for (const [, name = ''] of print(node).matchAll(/\.\.\.(\w+)/g)) {
    const type = schema.getType(name);
    if (type) selections.need(type);
  }
}

function rootTypes(schema: GraphQLSchema): [OperationTypeNode, GraphQLObjectType][] {
  return Object.values(OperationTypeNode).flatMap((kind) => {
    const type = schema.getRootType(kind);
    return type ? [[kind, type]] : [];
  });
}

function operationText(
  kind: OperationTypeNode,
  field: GraphQLField<unknown, unknown>,
  selections: DefaultSelections,
): string {
  const variables = field.args.map(
    ({ name, type, defaultValue }) => `$${name}: ${defaultValue === undefined ? type : `${type}`.replace(/!$/, '')}`,
  );
  const root = `${field.name}${inParentheses(field.args.map(({ name }) => `${name}: $${name}`))}`;
  return (
    `${kind} ${pascal(field.name)}${inParentheses(variables)} { ${root}${selections.of(getNamedType(field.type))} ` +
    '}'
  );
}

function inParentheses(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `(${parts.join(', ')})`;
}

function methodsOf(schema: GraphQLSchema, document: DocumentNode): Method[] {
  return document.definitions
    .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    .map((node) => methodOf(schema, node));
}

/**
 * The answer lies below the operation's only fields: `channel { contents { ...ContentConnection } }` answers the
 * contents.
 */
function methodOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Method {
  const kind = operation.operation;
  const root = schema.getRootType(kind);
  const name = operation.name?.value ?? '';
  const fields: GraphQLField<unknown, unknown>[] = [];
  let [node, ...more]: readonly SelectionNode[] = operation.selectionSet.selections;
  for (
    let type: GraphQLNamedType | null | undefined = root;
    node?.kind === Kind.FIELD && more.length === 0 && isObjectType(type);
  ) {
    const field: GraphQLField<unknown, unknown> | undefined = type.getFields()[node.name.value];
    if (!field || node.alias) break;
    fields.push(field);
    type = getNamedType(field.type);
    [node, ...more] = node.selectionSet?.selections ?? [];
  }
  const last = fields.at(-1);
  if (!last) throw new Error(`${name}: an operation of the client has one root field, without alias`);
  return {
    name: name.charAt(0).toLowerCase() + name.slice(1),
    kind,
    operation,
    description: last.description ?? '',
    path: fields.map((field) => field.name),
    answer: last.type,
    // A root field that is null comes with an error, which is thrown.
    nullable: fields.slice(1).some(({ type }) => !isNonNullType(type)),
  };
}

export function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
