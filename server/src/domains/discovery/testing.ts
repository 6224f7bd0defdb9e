import assert from 'node:assert/strict';
import { type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';

/** A published content with the given columns; returns its DID. */
export async function publish(
  api: TestCatalog,
  owner: Person,
  title: string,
  columns: Readonly<Record<string, unknown>> = {},
  options: Parameters<TestCatalog['content']>[1] = {},
): Promise<string> {
  const id = await api.content(owner, { status: 'PUBLISHED', title, ...options });
  for (const [name, value] of Object.entries(columns))
    await api.rows(`update contents set ${name} = $2 where id = $1`, [uuidOf(id), value]);
  return id;
}

interface Page {
  readonly totalCount: number;
  readonly edges: readonly { readonly cursor: string; readonly node: never }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
}

/** Arguments of a page. */
export const PAGE = 'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

/**
 * Reads a list in pages of two, from the start and from the end, and checks that both return the same distinct entries,
 * as many as totalCount. `read` requests a page; `name` identifies entries.
 */
export async function readWhole(
  read: (page: string) => Promise<Page>,
  name: (node: never) => string,
): Promise<string[]> {
  const forwards: string[] = [];
  const backwards: string[] = [];
  let total = 0;
  for (let page = 'first: 2'; page !== ''; ) {
    const { edges, pageInfo, totalCount } = await read(page);
    total = totalCount;
    forwards.push(...edges.map((edge) => name(edge.node)));
    page = pageInfo.hasNextPage ? `first: 2, after: "${pageInfo.endCursor}"` : '';
  }
  for (let page = 'last: 2'; page !== ''; ) {
    const { edges, pageInfo } = await read(page);
    backwards.unshift(...edges.map((edge) => name(edge.node)));
    page = pageInfo.hasPreviousPage ? `last: 2, before: "${pageInfo.startCursor}"` : '';
  }
  assert.deepEqual(backwards, forwards);
  assert.equal(forwards.length, total);
  assert.equal(new Set(forwards).size, total);
  return forwards;
}
