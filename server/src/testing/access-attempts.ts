import assert from 'node:assert/strict';
import type { GraphQLField, GraphQLSchema } from 'graphql';
import { type Access, isPermission, type Permission, TOKEN_PERMISSIONS } from '../kernel/permissions.ts';
import type { Outcome } from './access-document.ts';
import { smallestSelection } from './example-documents.ts';
import { casesOf } from './example-mutations.ts';
import type { Persona } from './seed-accounts.ts';
import type { SeededPlatform } from './seed-platform.ts';

export type RootKind = 'query' | 'mutation' | 'subscription';

/** A callable operation: a root field in one of its cases. */
export interface Operation {
  readonly kind: RootKind;
  readonly field: GraphQLField<unknown, unknown>;
  readonly access: Access;
  /** Empty for a single case. */
  readonly caseName: string;
}

/** Result of a call. */
export interface Attempt {
  readonly outcome: Outcome;
  /** Tables that the call changed. */
  readonly changed: readonly string[];
}

/** Codes of refused calls. */
const REFUSALS: readonly string[] = [
  'UNAUTHENTICATED',
  'UNAUTHORIZED',
  'RESOURCE_NOT_FOUND',
  'INVALID_INPUT',
] satisfies Outcome[];

/** Every root field of the schema, in each of its cases. */
export function operationsIn(schema: GraphQLSchema): Operation[] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
    ['subscription', schema.getSubscriptionType()],
  ] as const;
  return roots.flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).flatMap((field) => {
      // The schema's own check ensures that every root field declares an access.
      const access = field.extensions['access'] as Access;
      const cases = kind === 'mutation' ? casesOf(field.name).map(([name]) => name) : [''];
      return (cases.length === 0 ? [''] : cases).map((caseName) => ({ kind, field, access, caseName }));
    }),
  );
}

/** A document that calls this operation. */
export async function documentFor(
  fixture: SeededPlatform,
  { kind, field, caseName }: Operation,
  persona: Persona,
  unused?: Map<string, string>,
): Promise<string> {
  const type = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const given =
    kind === 'mutation'
      ? await fixture.mutation(field.name, persona, caseName, unused)
      : (fixture.queries[`${type}.${field.name}`] ?? '');
  assert.ok(given !== null, `testing/example-mutations.ts has no example of the mutation ${field.name}`);
  // A unique name per document, so that none is cached.
  calls += 1;
  const alias = `call${calls}`;
  const call = given === '' ? field.name : `${field.name}(${given})`;
  return `${kind} { ${kind === 'subscription' ? '' : `${alias}: `}${call}${smallestSelection(field.type)} }`;
}

let calls = 0;

/** Calls the operation as the persona. Fails the test for other errors than refusals. */
export async function attempt(fixture: SeededPlatform, operation: Operation, persona: Persona): Promise<Attempt> {
  const { code, message, changed } = await call(fixture, operation, persona);
  assert.ok(code === 'allowed' || REFUSALS.includes(code), `${operation.field.name} as ${persona}: ${code} ${message}`);
  return { outcome: code as Outcome, changed }; // it is one of them
}

/** What tokens can have besides the permission; nothing to read with, where an operation needs no permission. */
export function permissionsWithout(access: Access): Permission[] {
  return TOKEN_PERMISSIONS.filter((name) => (isPermission(access) ? name !== access : !name.endsWith(':read')));
}

/** Calls the operation as the persona, or as `who` with its objects: returns `allowed` or the error code. */
export async function call(
  fixture: SeededPlatform,
  operation: Operation,
  persona: Persona,
  given?: SeededPlatform['people'][Persona],
): Promise<{ readonly code: string; readonly message: string; readonly changed: readonly string[] }> {
  const who = given ?? fixture.people[persona];
  // What this token is without depends on the operation.
  if (persona === 'token_without' && who) await fixture.permit(who, permissionsWithout(operation.access));
  const unused = unusedOf(fixture);
  const document = await documentFor(fixture, operation, persona, unused);
  const errors: Refusal[] = [];
  const changed = await fixture.changed(async () => {
    const error = await run(fixture, operation, who, document);
    if (error !== null) errors.push(error);
  });
  if (errors.length === 0 || changed.length > 0) unused.clear();
  return { code: 'allowed', message: '', ...errors[0], changed };
}

const unusedBy = new WeakMap<SeededPlatform, Map<string, string>>();

/** Arguments whose objects are as they were made, of one operation after the other. */
function unusedOf(fixture: SeededPlatform): Map<string, string> {
  const unused = unusedBy.get(fixture) ?? new Map<string, string>();
  unusedBy.set(fixture, unused);
  return unused;
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

async function run(
  fixture: SeededPlatform,
  { kind }: Operation,
  who: SeededPlatform['people'][Persona],
  document: string,
): Promise<Refusal | null> {
  if (kind === 'subscription') {
    const code = await fixture.subscribe(who, document);
    return code === null ? null : { code, message: '' };
  }
  const { data, errors } = await fixture.run(who, document);
  // Bulk mutations have a result for each entry.
  const [value] = Object.values(data ?? {}) as { results?: { error: Refusal | null }[] }[];
  return errors[0] ?? value?.results?.[0]?.error ?? null;
}
