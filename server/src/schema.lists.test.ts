import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { platformSchema } from './schema.ts';
import { everyConnection, queryReaching } from './testing/example-documents.ts';
import { openSeededPlatform, type SeededPlatform } from './testing/seed-platform.ts';

const schema = platformSchema();
let fixture: SeededPlatform;
let cursors: Readonly<Record<'channels' | 'features', string>>;
before(async () => {
  fixture = await openSeededPlatform();
  const { data } = await fixture.run(
    fixture.people.owner,
    '{ channels(first: 1) { edges { cursor } } features(first: 1) { edges { cursor } } }',
  );
  cursors = { channels: data.channels.edges[0].cursor, features: data.features.edges[0].cursor };
});
after(() => fixture?.close());

/** Invalid arguments of any list, with the refused one. */
function invalidArguments(list: string): [args: string, field: string][] {
  const foreign = list === 'Query.channels' ? cursors.features : cursors.channels;
  return [
    ['first: 0', 'first'],
    ['first: -1', 'first'],
    ['first: 101', 'first'],
    ['last: 0', 'last'],
    ['last: -2147483648', 'last'],
    ['first: 1, last: 1', 'last'],
    ['first: 1, after: "x"', 'after'],
    [`first: 1, after: "${foreign}"`, 'after'],
    [`last: 1, before: "${foreign}"`, 'before'],
  ];
}

describe('every list refuses invalid sizes and foreign cursors', () => {
  for (const name of everyConnection(schema)) {
    test(name, async () => {
      const query = queryReaching(schema, name, fixture.queries) ?? '';
      const place = query.lastIndexOf('first: 2');
      assert.ok(place > 0, `the example of ${name} asks for the first 2`);
      for (const [args, field] of invalidArguments(name)) {
        const document = `${query.slice(0, place)}${args}${query.slice(place + 'first: 2'.length)}`;
        const { errors } = await fixture.run(fixture.people.owner, document);
        assert.deepEqual(
          errors.map((error) => [error.code, error.field]),
          [['INVALID_INPUT', field]],
          document,
        );
      }
    });
  }
});
