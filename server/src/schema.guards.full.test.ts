import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildPlatformSchema } from './schema.ts';
import { readAccessMatrix } from './testing/access-document.ts';
import { firstDifference, guardsOf, noticed } from './testing/guards.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

// Policies are constants that this schema and the seeded platform share.
const guards = Map.groupBy(guardsOf(buildPlatformSchema()), ({ mutation }) => mutation);
const matrix = readAccessMatrix();

describe('a removed permission predicate', () => {
  let world: SeededPlatform;
  before(async () => {
    world = await openSeededPlatform();
  });
  after(() => world?.close());

  for (const [mutation, names] of guards) {
    it(`would be noticed by access matrix: ${mutation}, ${names.length}`, async () => {
      assert.equal(await firstDifference(world, mutation, matrix), null, 'everything matches before');
      for (const guard of guardsOf(world.schema)) {
        if (guard.mutation === mutation)
          assert.notEqual(await noticed(world, guard, matrix), null, `${guard.name} is not noticed`);
      }
    });
  }
});
