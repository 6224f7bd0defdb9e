import assert from 'node:assert/strict';
import {
  type GraphQLArgument,
  getNamedType,
  Kind,
  type ObjectValueNode,
  type OperationDefinitionNode,
  parse,
  parseValue,
  print,
  valueFromASTUntyped,
} from 'graphql';
import type { Operation } from '../docs/reference/operation-pages.ts';
import type { Person } from '../domains/catalog/testing.ts';
import { type Access, isForOperators, isPermission } from '../kernel/permissions.ts';
import { exampleSelection } from './example-selection.ts';
import type { SeededPlatform } from './seed-platform.ts';

/** Operations that require a session, not a key. */
const BY_PERSON: readonly Access[] = ['api_key:manage', 'operator:claim', 'account:archive', 'billing:manage'];

const NOWHERE = 'did:reelgraph:content/feature/0190a0c4-0000-7000-8000-000000000000';

/** The response of an operation called with its example arguments. */
export interface Call {
  /** Points, as estimated before it ran. */
  readonly cost: number;
  /** Null for subscriptions. */
  readonly answer: unknown;
}

/** The arguments of a call, by name, with newly created objects. */
export async function exampleVariables(
  fixture: SeededPlatform,
  { kind, field }: Operation,
): Promise<Record<string, unknown>> {
  const isConnection = getNamedType(field.type).name.endsWith('Connection');
  const type = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const given =
    kind === 'mutation'
      ? await fixture.mutation(field.name, 'owner')
      : (fixture.queries[`${type}.${field.name}`] ?? (isConnection ? 'first: 2' : ''));
  assert.ok(given !== null, `server/src/testing/example-mutations.ts has no example of the mutation ${field.name}`);
  // In braces, arguments are an object.
  const node = parseValue(`{ ${given} }`) as ObjectValueNode;
  return valueFromASTUntyped(node) as Record<string, unknown>;
}

/** A document that calls the operation with variables of these names. */
export function exampleDocument({ kind, field }: Operation, variables: Readonly<Record<string, unknown>>): string {
  const args = field.args.filter(({ name }) => name in variables);
  const between = (parts: readonly string[]) => (parts.length === 0 ? '' : `(${parts.join(', ')})`);
  const head = `${kind} ${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}${between(args.map(definition))}`;
  const call = `${field.name}${between(args.map(({ name }) => `${name}: $${name}`))}`;
  return `${print(parse(`${head} { ${call}${exampleSelection(field.type)} }`))}\n`;
}

function definition({ name, type, defaultValue }: GraphQLArgument): string {
  return `$${name}: ${defaultValue === undefined ? type : String(type).replace(/!$/, '')}`;
}

/** Calls it as the owner, with a key if allowed. Throws for errors. */
export async function callExample(
  fixture: SeededPlatform,
  { kind, field, access }: Operation,
  document: string,
  variables: Record<string, unknown>,
): Promise<Call> {
  if (kind === 'subscription') {
    assert.equal(
      await fixture.subscribe(fixture.people.owner, inlined(document, variables)),
      null,
      `${field.name} is refused`,
    );
    return { cost: 2, answer: null };
  }
  const { body } = await fixture.execute(await callerOf(fixture, access, field.name), document, variables);
  assert.deepEqual(body.errors ?? [], [], field.name);
  const extensions = body.extensions as { cost: { requested: number } }; // every response has them
  return { cost: extensions.cost.requested, answer: body.data };
}

/** Calls it between two root fields that fail; the data, and the paths of the errors in their order. */
export async function callBeside(
  fixture: SeededPlatform,
  { kind, field, access }: Operation,
  document: string,
  variables: Record<string, unknown>,
): Promise<{ data: Record<string, unknown>; errors: unknown[] }> {
  const failing = kind === 'mutation' ? `deleteContent(id: "${NOWHERE}")` : `content(id: "${NOWHERE}")`;
  const [operation] = operationsOf(document);
  const [before, after] = operationsOf(
    `{ before: ${failing} { __typename } after: ${failing} { __typename } }`,
  ).flatMap(({ selectionSet }) => selectionSet.selections);
  assert.ok(operation && before && after);
  const selections = [before, ...operation.selectionSet.selections, after];
  const beside = print({ ...operation, selectionSet: { ...operation.selectionSet, selections } });
  const { body } = await fixture.execute(await callerOf(fixture, access, field.name), beside, variables);
  const errors = (body.errors ?? []).map(({ path }) => path);
  return { data: body.data as Record<string, unknown>, errors }; // its fields are those of the document
}

function callerOf(fixture: SeededPlatform, access: Access, operation: string): Promise<Person | null> | Person | null {
  if (isPermission(access) && isForOperators(access)) return fixture.people.operator;
  return BY_PERSON.includes(access) ? fixture.atHome(operation) : fixture.people.owner;
}

function operationsOf(document: string): OperationDefinitionNode[] {
  return parse(document).definitions.filter((node) => node.kind === Kind.OPERATION_DEFINITION);
}

/** The document with inlined variables. */
function inlined(document: string, variables: Readonly<Record<string, unknown>>): string {
  const [operation] = operationsOf(document);
  assert.ok(operation);
  const text = print({ ...operation, variableDefinitions: [] });
  return text.replace(/\$(\w+)/g, (_, name: string) => JSON.stringify(variables[name]));
}

/**
 * The recorded form of a request or response: identifiers are numbered in order, addresses are local, and secrets are
 * removed.
 */
export class Tidy {
  readonly #ids = new Map<string, string>();

  value<T>(value: T): T {
    return JSON.parse(this.#text(JSON.stringify(value))) as T; // strings stay strings, so that the shape stays
  }

  #text(text: string): string {
    return text
      .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => this.#number(id))
      .replace(/https?:\/\/(?:127\.0\.0\.1|localhost|reelgraph\.test)(?::\d+)?/g, 'http://localhost:4000')
      .replace(/(\/uploads\/[0-9a-f-]{36}-)[\w-]+/g, '$1secret')
      .replace(/\/media\/s\/[^/"]+\//g, '/media/s/signature/')
      .replace(/rg_\w{30,}/g, 'rg_secret')
      .replace(/rg([iot])_\w{20,}/g, 'rg$1_secret')
      .replace(/whsec_[\w+/=]+/g, 'whsec_secret')
      .replace(/(BEGIN PRIVATE KEY-----\\n)[^-]+(?=-----END)/g, '$1secret\\n')
      .replace(/(BEGIN PUBLIC KEY-----\\n)[^-]+(?=-----END)/g, '$1…\\n');
  }

  #number(id: string): string {
    const known = this.#ids.get(id) ?? `0198c0de-7a11-7000-8000-${String(this.#ids.size + 1).padStart(12, '0')}`;
    this.#ids.set(id, known);
    return known;
  }
}
