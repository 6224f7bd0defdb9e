import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { platformSchema } from './schema.ts';
import { readAccessMatrix } from './testing/access-document.ts';
import { firstDifference, guardsOf, noticed } from './testing/guards.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

// Policies are constants that this schema and the seeded platform share.
const guards = Map.groupBy(guardsOf(platformSchema()), ({ mutation }) => mutation);
const matrix = readAccessMatrix();

describe('a removed permission predicate', () => {
  let fixture: SeededPlatform;
  before(async () => {
    fixture = await openSeededPlatform();
  });
  after(() => fixture?.close());

  for (const [mutation, names] of guards) {
    it(`would be noticed by access matrix: ${mutation}, ${names.length}`, async () => {
      assert.equal(await firstDifference(fixture, mutation, matrix), null, 'everything matches before');
      for (const guard of guardsOf(fixture.schema)) {
        if (guard.mutation === mutation)
          assert.notEqual(await noticed(fixture, guard, matrix), null, `${guard.name} is not noticed`);
      }
    });
  }
});
