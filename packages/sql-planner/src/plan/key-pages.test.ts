import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { examplePorts } from '../testing/example-ports.ts';
import { pagesOfKeys } from './key-pages.ts';

/** What a page of a list of keys has: its keys, and whether there are others before and after them. */
type Seen = readonly [keys: string, before: boolean, after: boolean, total: number];

interface Connection {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly key: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}

const { errors } = examplePorts;

/** Pages of what exists of `keys`; the context is not looked at. */
function list(keys: string, exists: (key: string) => boolean = () => true) {
  const { resolve } = pagesOfKeys(
    {
      kind: 'keys',
      list: 'Query.letters',
      cost: undefined,
      timeoutMs: undefined,
      keys: async () => [...keys],
      read: async (_, asked) => new Map(asked.filter(exists).map((key) => [key, { key }])),
    },
    errors,
  );
  return (args: object) => resolve({} as never, args as never) as Promise<Connection>;
}

async function seen(page: Promise<Connection>): Promise<Seen> {
  const { edges, pageInfo, totalCount } = await page;
  return [edges.map(({ node }) => node.key).join(''), pageInfo.hasPreviousPage, pageInfo.hasNextPage, totalCount];
}

describe('a list of keys in descending order', () => {
  const letters = list('gfedcba');
  const cursorOf = async (key: string) =>
    (await letters({ first: 100 })).edges.find(({ node }) => node.key === key)?.cursor ?? assert.fail(key);

  for (const [what, args, expected] of [
    ['from the start', { first: 2 }, ['gf', false, true, 7]],
    ['from the end', { last: 2 }, ['ba', true, false, 7]],
    ['whole', {}, ['gfedcba', false, false, 7]],
    ['after a key', { first: 2, after: 'f' }, ['ed', true, true, 7]],
    ['up to the end', { first: 5, after: 'c' }, ['ba', true, false, 7]],
    ['before a key', { last: 2, before: 'd' }, ['fe', true, true, 7]],
    ['between two', { first: 5, after: 'f', before: 'c' }, ['ed', true, true, 7]],
    ['after the last one', { first: 2, after: 'a' }, ['', false, false, 7]],
  ] as const) {
    test(`has a page ${what}`, async () => {
      const { after, before, ...sizes } = args as { after?: string; before?: string };
      const asked = {
        ...sizes,
        ...(after === undefined ? {} : { after: await cursorOf(after) }),
        ...(before === undefined ? {} : { before: await cursorOf(before) }),
      };
      assert.deepEqual(await seen(letters(asked)), expected);
    });
  }

  test('goes on behind a key that is gone, and leaves out what was deleted meanwhile', async () => {
    const after = await cursorOf('e');
    assert.deepEqual(await seen(list('gfdcba')({ first: 2, after })), ['dc', true, true, 6]);
    assert.deepEqual(await seen(list('gfedcba', (key) => key !== 'f')({ first: 3 })), ['ge', false, true, 7]);
    assert.deepEqual(await seen(list('')({ first: 3 })), ['', false, false, 0]);
  });

  for (const [what, args, field] of [
    ['two sizes', { first: 1, last: 1 }, 'last'],
    ['no entry', { first: 0 }, 'first'],
    ['too many', { last: 101 }, 'last'],
    ['a cursor of another list', { after: 'x' }, 'after'],
  ] as const) {
    test(`refuses ${what}`, async () => {
      await assert.rejects(letters(args), { field });
    });
  }
});
