import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { authorizeViewer } from './domains/accounts/keys/key-access.policy.ts';
import { plansAllowing } from './gql/index.ts';
import { isPermission, PERMISSION_NAMES, PERMISSIONS } from './kernel/permissions.ts';
import { PLAN_CODES } from './kernel/plans.ts';
import { platformSchema } from './schema.ts';
import { attempt, documentFor, operationsIn } from './testing/access-attempts.ts';
import {
  type AccessRow,
  callersOf,
  type Outcome,
  readAccessMatrix,
  readPermissionPlans,
  rowText,
} from './testing/access-document.ts';
import type { Persona } from './testing/seed-accounts.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

const operations = operationsIn(platformSchema());
const matrix = readAccessMatrix();
const keyOf = ({ operation, caseName }: Pick<AccessRow, 'operation' | 'caseName'>) => `${operation} ${caseName}`.trim();
const rows = new Map(matrix.map((row) => [keyOf(row), row]));
let fixture: SeededPlatform;
before(async () => {
  fixture = await openSeededPlatform();
});
after(() => fixture?.close());

describe('access matrix', () => {
  test('has exactly one row for each operation and case', () => {
    const expected = operations.map(({ kind, field, caseName }) =>
      keyOf({ operation: `${kind} ${field.name}`, caseName }),
    );
    assert.deepEqual([...rows.keys()].sort(), expected.sort());
    assert.equal(matrix.length, rows.size, 'no row twice');
  });

  for (const { kind, field, access } of operations) {
    if (kind !== 'mutation' || !isPermission(access) || PERMISSIONS[access].role === null) continue;
    test(`${field.name} declares the policy that decides about its target`, () => {
      const { policies } = (field.extensions['plan'] as { extras: { policies: readonly unknown[] } }).extras;
      assert.ok(policies.length > 0);
    });
  }

  for (const operation of operations) {
    const { kind, field, access, caseName } = operation;
    const name = keyOf({ operation: `${kind} ${field.name}`, caseName });
    test(`${name} (${access}) matches docs/access.md, and a refused call changes no row`, async () => {
      const row = rows.get(name);
      const outcomes: Partial<Record<Persona, Outcome>> = {};
      for (const persona of callersOf(`${kind} ${field.name}`)) {
        const { outcome, changed } = await attempt(fixture, operation, persona);
        outcomes[persona] = outcome;
        if (outcome !== 'allowed') assert.deepEqual(changed, [], `${name} as ${persona} is refused and changes rows`);
      }
      const text = rowText({ operation: `${kind} ${field.name}`, caseName, permission: access, outcomes });
      assert.ok(row, `docs/access.md has no row. The answers are:\n${text}`);
      assert.equal(rowText(row), text);
    });
  }
});

describe('permissions of plans', () => {
  const documented = readPermissionPlans();
  test('are all documented', () => {
    assert.deepEqual([...documented.keys()].sort(), [...PERMISSION_NAMES].sort());
  });

  for (const permission of PERMISSION_NAMES) {
    for (const [index, plan] of PLAN_CODES.entries()) {
      for (const credential of ['session', 'key', 'oauth'] as const) {
        const names = (documented.get(permission)?.[index] ?? '').split(', ');
        const granted = names.includes({ session: 'session', key: 'key', oauth: 'application' }[credential]);
        const forOperators = credential === 'session' && names.includes('session of an operator');
        test(`${permission} on ${plan} by ${credential}: ${granted ? 'granted' : forOperators ? 'for operators' : 'not granted'}`, () => {
          const viewer = { plan, state: 'ACTIVE' as const, accessUntilMs: Number.POSITIVE_INFINITY, credential };
          const decision = (isOperator: boolean) => authorizeViewer({ ...viewer, isOperator }, permission, 0).kind;
          assert.deepEqual(
            [decision(false), decision(true)],
            [granted ? 'allow' : 'deny', granted || forOperators ? 'allow' : 'deny'],
          );
          // The equivalent in SQL, for writing statements; what is for operators comes with no plan.
          const { always, whileCurrent } = plansAllowing(permission, credential);
          assert.equal([...always, ...whileCurrent].includes(plan), granted);
        });
      }
    }
  }
});

describe('anonymous access with trusted documents', () => {
  for (const operation of operations) {
    const { kind, field, access, caseName } = operation;
    test(`${kind} ${field.name} ${caseName}: ${access === 'public' ? 'read' : 'nothing'}`, async () => {
      const document = await documentFor(fixture, operation, 'anonymous');
      assert.deepEqual((await fixture.openly(document)).codes, access === 'public' ? [] : ['UNAUTHENTICATED']);
    });
  }
});
