import type { GraphQLSchema } from 'graphql';
import { type Access, isPermission, PERMISSIONS } from '../kernel/permissions.ts';
import { and, type Condition, or, type Policy, type Requirement } from '../kernel/policy.ts';
import { call, type Operation, operationsIn } from './access-attempts.ts';
import { type AccessRow, callersOf } from './access-document.ts';
import type { SeededPlatform } from './seed-platform.ts';

/** A permission predicate of a mutation, which can be removed temporarily. */
export interface Guard {
  /** `updateContent: requirement 1, may`. */
  readonly name: string;
  readonly mutation: string;
  /** Removes it; returns a function that restores it. */
  remove(): () => void;
}

/**
 * Every permission predicate of every mutation in the schema: its permission, and each fact that its policies require
 * of the caller.
 */
export function guardsOf(schema: GraphQLSchema): Guard[] {
  return Object.values(schema.getMutationType()?.getFields() ?? {}).flatMap((field) => {
    const extensions = field.extensions as {
      access: Access;
      plan: { statement?: unknown; extras: { policies: readonly Policy<never>[] } };
    };
    const { access, plan } = extensions;
    const ofPermission: Guard[] =
      plan.statement !== undefined || isForFew(access)
        ? [
            {
              name: `${field.name}: the permission ${access}`,
              mutation: field.name,
              remove: () => replace(extensions, 'access', 'public'),
            },
          ]
        : [];
    return [...ofPermission, ...plan.extras.policies.flatMap((policy) => guardsOfPolicy(field.name, policy))];
  });
}

/**
 * Whether a permission is more than being signed in. If not, and the command loads its caller itself, the permission
 * check is redundant, and a test cannot detect its absence.
 */
function isForFew(access: Access): boolean {
  return access === 'api_key:manage' || (isPermission(access) && PERMISSIONS[access].from !== 'FREE');
}

function guardsOfPolicy(mutation: string, policy: Policy<never>): Guard[] {
  const required = policy.requires as readonly Requirement<never>[];
  return required.flatMap((requirement, index) =>
    requirement.about === 'state'
      ? []
      : leavesOf(requirement.that).map((leaf) => ({
          name: `${mutation}: requirement ${index + 1}, ${leaf.column}`,
          mutation,
          remove: () => replace(requirement, 'that', without(requirement.that, leaf, true)),
        })),
  );
}

type Leaf = Extract<Condition, { readonly column: string }>;

function leavesOf(condition: Condition): Leaf[] {
  if (condition.kind === 'fact' || condition.kind === 'one-of') return [condition];
  return condition.kind === 'not' ? leavesOf(condition.of) : condition.of.flatMap(leavesOf);
}

/** The condition with a disabled leaf: true, or false below a `not`. */
function without(condition: Condition, leaf: Leaf, isPositive: boolean): Condition {
  if (condition === leaf) return isPositive ? and() : or();
  if (condition.kind === 'fact' || condition.kind === 'one-of') return condition;
  if (condition.kind === 'not') return { ...condition, of: without(condition.of, leaf, !isPositive) };
  return { ...condition, of: condition.of.map((each) => without(each, leaf, isPositive)) };
}

/** Policies are constants: only this code changes them, and restores them. */
function replace<Holder extends object>(holder: Holder, key: keyof Holder, value: unknown): () => void {
  const before = holder[key];
  Object.assign(holder, { [key]: value });
  return () => Object.assign(holder, { [key]: before });
}

/**
 * The first persona whose result differs from the matrix while a guard is removed, or that changes a row although
 * refused; null if none.
 */
export async function noticed(
  fixture: SeededPlatform,
  guard: Guard,
  matrix: readonly AccessRow[],
): Promise<string | null> {
  const putBack = guard.remove();
  try {
    return await firstDifference(fixture, guard.mutation, matrix);
  } finally {
    putBack();
  }
}

/** As {@link noticed} with all guards: null, unless the platform itself differs from the matrix. */
export async function firstDifference(
  fixture: SeededPlatform,
  mutation: string,
  matrix: readonly AccessRow[],
): Promise<string | null> {
  for (const operation of operationsIn(fixture.schema)) {
    if (operation.kind !== 'mutation' || operation.field.name !== mutation) continue;
    const difference = await differenceIn(fixture, operation, matrix);
    if (difference !== null) return difference;
  }
  return null;
}

async function differenceIn(
  fixture: SeededPlatform,
  operation: Operation,
  matrix: readonly AccessRow[],
): Promise<string | null> {
  const name = `${operation.kind} ${operation.field.name}`;
  const row = matrix.find((each) => each.operation === name && each.caseName === operation.caseName);
  if (!row) throw new Error(`docs/access.md has no row for ${name} ${operation.caseName}`);
  for (const persona of callersOf(name)) {
    const expected = row.outcomes[persona];
    const { code, changed } = await call(fixture, operation, persona);
    if (code !== expected) return `${persona} is answered ${code} instead of ${expected}`;
    if (code !== 'allowed' && changed.length > 0)
      return `${persona} is answered ${code} and changes ${changed.join(', ')}`;
  }
  return null;
}
