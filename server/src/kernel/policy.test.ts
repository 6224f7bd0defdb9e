import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../platform/db/testing.ts';
import { AppError } from './errors.ts';
import {
  and,
  authorize,
  type Condition,
  decide,
  fact,
  holds,
  not,
  oneOf,
  or,
  type Policy,
  permission,
  permits,
  state,
} from './policy.ts';

const CONDITIONS: readonly [
  name: string,
  condition: Condition,
  rows: readonly (readonly [row: Row, holds: boolean])[],
][] = [
  [
    'a fact',
    fact('member'),
    [
      [{ member: true, status: null }, true],
      [{ member: false, status: null }, false],
      [{ member: null, status: null }, false],
    ],
  ],
  [
    'the negation of a fact that is not known',
    not(fact('member')),
    [
      [{ member: null, status: null }, true],
      [{ member: true, status: null }, false],
    ],
  ],
  [
    'one of several values',
    oneOf('status', ['READY', "it's"]),
    [
      [{ member: null, status: 'READY' }, true],
      [{ member: null, status: "it's" }, true],
      [{ member: null, status: 'DRAFT' }, false],
      [{ member: null, status: null }, false],
    ],
  ],
  [
    'null among the values',
    oneOf('status', [null]),
    [
      [{ member: null, status: null }, true],
      [{ member: null, status: 'READY' }, false],
    ],
  ],
  [
    'a sentence',
    and(or(fact('member'), oneOf('status', ['PUBLISHED'])), not(oneOf('status', ['DRAFT']))),
    [
      [{ member: true, status: 'READY' }, true],
      [{ member: true, status: 'DRAFT' }, false],
      [{ member: false, status: 'PUBLISHED' }, true],
      [{ member: null, status: null }, false],
    ],
  ],
  ['an empty and', and(), [[{ member: null, status: null }, true]]],
  ['an empty or', or(), [[{ member: true, status: null }, false]]],
];

interface Row {
  readonly member: boolean | null;
  readonly status: string | null;
}

const notThere = (field: string) => new AppError('RESOURCE_NOT_FOUND', undefined, { field });
const notAllowed = (field: string) => new AppError('UNAUTHORIZED', undefined, { field });

describe('conditions', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db?.close());

  for (const [name, condition, rows] of CONDITIONS) {
    for (const [row, expected] of rows) {
      it(`${name}: ${JSON.stringify(row)} is ${expected}, in SQL as in JavaScript`, async () => {
        assert.equal(holds(condition, { ...row }), expected);
        const policy: Policy<Row> = {
          missing: notThere,
          requires: [permission(condition as Condition<keyof Row>, notAllowed)],
        };
        const [found] = await db.db.run<{ permitted: boolean }>(
          {
            name: `policy_${name.replaceAll(' ', '_')}`,
            text: `select ${permits(policy)} as permitted from (select $1::boolean as member, $2::text as status) t`,
          },
          [row.member, row.status],
        );
        assert.equal(found?.permitted, expected);
      });
    }
  }
});

describe('policies', () => {
  const policy: Policy<Row> = {
    missing: notThere,
    requires: [
      permission(fact('member'), notAllowed),
      state(oneOf('status', ['READY']), (field) => new AppError('INVALID_INPUT', undefined, { field })),
    ],
  };
  const cases: [string, Row | null, string | null][] = [
    ['without a target', null, 'RESOURCE_NOT_FOUND'],
    ['where nothing holds, by the first requirement', { member: false, status: 'DRAFT' }, 'UNAUTHORIZED'],
    ['where only the state is wrong', { member: true, status: 'DRAFT' }, 'INVALID_INPUT'],
    ['where all holds', { member: true, status: 'READY' }, null],
  ];
  for (const [name, row, code] of cases) {
    it(`decide ${name}: ${code ?? 'allowed'}`, () => {
      const refused = decide(policy, row, 'id');
      assert.deepEqual([refused?.code ?? null, refused?.field ?? null], [code, code && 'id']);
      if (code === null) authorize(policy, row, 'id');
      else assert.throws(() => authorize(policy, row, 'id'), { code });
    });
  }
});
