import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { platformSchema } from './schema.ts';
import { everyConnection, queryReaching } from './testing/example-documents.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

const schema = platformSchema();
let fixture: SeededPlatform;
before(async () => {
  fixture = await openSeededPlatform();
});
after(() => fixture?.close());

/** The statements of the query alone: periodic work of the domains may run at the same time, but not every time. */
async function leastOf(tries: number, query: string): Promise<{ roundTrips: number; statements: number }> {
  const { roundTrips, statements } = await fixture.counted(() => fixture.ok(query));
  return statements > 1 && tries > 1 ? leastOf(tries - 1, query) : { roundTrips, statements };
}

describe('every list takes one statement in one round trip', () => {
  for (const name of everyConnection(schema)) {
    test(name, async () => {
      const query = queryReaching(schema, name, fixture.queries);
      assert.ok(query, `server/src/testing/seed-platform.ts has no query that leads to ${name}`);
      await fixture.ok(query);
      assert.deepEqual(await leastOf(3, query), { roundTrips: 1, statements: 1 }, query);
    });
  }
});
