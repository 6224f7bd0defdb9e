import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InMemoryCache } from '@apollo/client';
import { parse } from 'graphql';
import { possibleTypes, typePolicies } from '../src/caches/apollo.ts';

const CONTENT = 'did:reelgraph:feature/1';

/** A cache with the client's policies, which is written and read by queries. */
function open() {
  const cache = new InMemoryCache({ possibleTypes, typePolicies });
  const documents = new Map<string, ReturnType<typeof parse>>();
  const document = (text: string) => {
    const known = documents.get(text) ?? parse(text, { noLocation: true });
    documents.set(text, known);
    return known;
  };
  return {
    cache,
    write: (text: string, data: Record<string, unknown>) => cache.writeQuery({ query: document(text), data }),
    /** What is stored of it; null if something of it is missing. */
    read: (text: string) => cache.readQuery<Record<string, unknown>>({ query: document(text) }),
  };
}

/** The comments of a content: a document, and the data of a page with these comments. */
const COMMENTS = (args: string, selection: string) =>
  `{ content(id: "${CONTENT}") { __typename id comments${args} { __typename ${selection} } } }`;
const EDGES = 'edges { __typename node { __typename id } }';
const CURSORS = 'edges { __typename cursor node { __typename id } }';
const PAGE = `${EDGES} pageInfo { __typename hasNextPage endCursor }`;
const content = (comments: Record<string, unknown>) => ({
  content: { __typename: 'Feature', id: CONTENT, comments: { __typename: 'CommentConnection', ...comments } },
});
const edge = (id: number, fields = {}) => ({
  __typename: 'CommentEdge',
  ...fields,
  node: { __typename: 'Comment', id: `${id}` },
});
const edges = (...ids: number[]) => ids.map((id) => edge(id));
const withCursors = (...ids: number[]) => ids.map((id) => edge(id, { cursor: `after ${id}` }));
const info = (last: number, hasNextPage: boolean) => ({
  pageInfo: { __typename: 'PageInfo', hasNextPage, endCursor: `after ${last}` },
});
const shown = (read: Record<string, unknown> | null) => {
  const list = read as { content: { comments: { edges: { node: { id: string } }[]; pageInfo?: object } } } | null;
  return list?.content.comments.edges.map(({ node }) => Number(node.id)) ?? null;
};
const infoShown = (read: Record<string, unknown> | null) => {
  const list = read as { content: { comments: { pageInfo: { hasNextPage: boolean; endCursor: string } } } } | null;
  return list && [list.content.comments.pageInfo.hasNextPage, list.content.comments.pageInfo.endCursor];
};

describe('lists with pages in the cache of Apollo Client', () => {
  const FIRST = COMMENTS('(first: 2)', PAGE);
  const NEXT = COMMENTS('(first: 2, after: "after 2")', PAGE);

  it('grow by the pages after their cursors', () => {
    const { read, write } = open();
    write(FIRST, content({ edges: edges(1, 2), ...info(2, true) }));
    assert.equal(read(NEXT), null, 'a page that was not read is requested');
    write(NEXT, content({ edges: edges(3, 4), ...info(4, false) }));
    assert.deepEqual(shown(read(FIRST)), [1, 2, 3, 4]);
    assert.deepEqual(infoShown(read(FIRST)), [false, 'after 4']);
    assert.deepEqual(shown(read(NEXT)), [3, 4]);
  });

  it('are requested where a view wants more of them, and keep what others have read', () => {
    const { read, write } = open();
    const more = COMMENTS('(first: 4)', EDGES);
    write(FIRST, content({ edges: edges(1, 2), ...info(2, true) }));
    assert.equal(read(more), null);
    write(more, content({ edges: edges(1, 2, 3, 4) }));
    assert.deepEqual(shown(read(more)), [1, 2, 3, 4]);
    assert.deepEqual(infoShown(read(FIRST)), [true, 'after 2'], 'as its page says');
    write(FIRST, content({ edges: edges(0, 1), ...info(1, true) }));
    assert.deepEqual(shown(read(more)), [0, 1, 2, 3, 4], 'the first page moved by one');
    write(FIRST, content({ edges: edges(8, 9), ...info(9, true) }));
    assert.deepEqual([shown(read(FIRST)), shown(read(more))], [[8, 9], null], 'nothing in common');
    write(FIRST, content({ edges: edges(9), ...info(9, false) }));
    assert.deepEqual(shown(read(more)), [9], 'there are no more');
  });

  it('of the size of the platform are requested once', () => {
    const { read, write } = open();
    const all = COMMENTS('', EDGES);
    write(FIRST, content({ edges: edges(1, 2), ...info(2, true) }));
    assert.equal(read(all), null);
    write(all, content({ edges: edges(1, 2, 3) }));
    assert.deepEqual(
      [shown(read(all)), shown(read(FIRST))],
      [
        [1, 2, 3],
        [1, 2, 3],
      ],
    );
  });

  it('have the fields of entries that any view selects', () => {
    const { read, write } = open();
    const [plain, cursors] = [COMMENTS('(first: 2)', EDGES), COMMENTS('(first: 2)', CURSORS)];
    write(cursors, content({ edges: withCursors(1, 2) }));
    write(plain, content({ edges: edges(1, 2) }));
    assert.deepEqual(shown(read(cursors)), [1, 2]);
    const count = COMMENTS('(first: 1)', 'totalCount');
    write(count, content({ totalCount: 7 }));
    assert.deepEqual(read(COMMENTS('(first: 2)', `totalCount ${CURSORS}`)), {
      content: {
        __typename: 'Feature',
        id: CONTENT,
        comments: { __typename: 'CommentConnection', totalCount: 7, edges: withCursors(1, 2) },
      },
    });
  });

  it('are others with other arguments, and from the other end', () => {
    const { read, write } = open();
    const sorted = COMMENTS('(first: 2, sort: TOP)', EDGES);
    const last = COMMENTS('(last: 2)', `${EDGES} pageInfo { __typename hasPreviousPage startCursor }`);
    const before = last.replace('(last: 2)', '(last: 2, before: "after 8")');
    const start = (first: number, hasPreviousPage: boolean) => ({
      pageInfo: { __typename: 'PageInfo', hasPreviousPage, startCursor: `after ${first}` },
    });
    write(FIRST, content({ edges: edges(1, 2), ...info(2, true) }));
    assert.deepEqual([read(sorted), read(last)], [null, null]);
    write(sorted, content({ edges: edges(9, 8) }));
    write(last, content({ edges: edges(8, 9), ...start(8, true) }));
    write(before, content({ edges: edges(6, 7), ...start(6, true) }));
    assert.deepEqual(
      [FIRST, sorted, last, before].map((document) => shown(read(document))),
      [
        [1, 2],
        [9, 8],
        [6, 7, 8, 9],
        [6, 7],
      ],
    );
  });

  it('keep a page after a cursor that they do not have apart', () => {
    const { read, write } = open();
    write(NEXT, content({ edges: edges(3, 4), ...info(4, true) }));
    assert.deepEqual([shown(read(NEXT)), read(FIRST)], [[3, 4], null]);
    write(FIRST, content({ edges: edges(7, 8), ...info(8, true) }));
    assert.deepEqual(
      [shown(read(NEXT)), shown(read(FIRST))],
      [
        [3, 4],
        [7, 8],
      ],
    );
  });

  it('lose objects that are evicted, without a request', () => {
    const { cache, read, write } = open();
    write(FIRST, content({ edges: edges(1, 2), ...info(2, true) }));
    cache.evict({ id: 'Comment:1' });
    assert.deepEqual(shown(read(FIRST)), [2]);
  });

  it('may be null, empty, or end with an empty page', () => {
    const { read, write } = open();
    const edits = '{ node(id: "1") { __typename id ... on Comment { edits(first: 2) { __typename totalCount } } } }';
    write(edits, { node: { __typename: 'Comment', id: '1', edits: null } });
    assert.deepEqual(read(edits), { node: { __typename: 'Comment', id: '1', edits: null } });
    const none = { pageInfo: { __typename: 'PageInfo', hasNextPage: false, endCursor: null } };
    write(FIRST, content({ edges: [], ...none }));
    write(COMMENTS('(first: 2)', EDGES), content({ edges: [] }));
    assert.deepEqual([shown(read(FIRST)), infoShown(read(FIRST))], [[], [false, null]]);
    write(FIRST, content({ edges: edges(1, 2), ...info(2, true) }));
    write(NEXT, content({ edges: [], ...none }));
    assert.deepEqual(shown(read(FIRST)), [1, 2]);
  });
});

describe('parts of objects in the cache of Apollo Client', () => {
  const CHAPTERS = (fields: string) =>
    `{ content(id: "${CONTENT}") { __typename id chapters { __typename ${fields} } } }`;
  const chapters = (...list: Record<string, unknown>[]) => ({
    content: {
      __typename: 'Feature',
      id: CONTENT,
      chapters: list.map((fields) => ({ __typename: 'Chapter', ...fields })),
    },
  });

  it('are merged entry by entry while the entries agree', () => {
    const { read, write } = open();
    const [titles, times] = [CHAPTERS('title'), CHAPTERS('title startMs')];
    write(times, chapters({ title: 'A', startMs: 0 }, { title: 'B', startMs: 5_000 }));
    write(titles, chapters({ title: 'A' }, { title: 'B' }));
    assert.deepEqual(read(times), chapters({ title: 'A', startMs: 0 }, { title: 'B', startMs: 5_000 }));
    write(titles, chapters({ title: 'A' }, { title: 'C' }));
    assert.deepEqual([read(titles), read(times)], [chapters({ title: 'A' }, { title: 'C' }), null]);
  });

  it('are merged, but not with those of another type', () => {
    const { read, write } = open();
    const METADATA = (fields: string) =>
      `{ content(id: "${CONTENT}") { __typename id metadata { __typename ${fields} } } }`;
    const metadata = (__typename: string, fields: object) => ({
      content: { __typename: 'Feature', id: CONTENT, metadata: { __typename, ...fields } },
    });
    write(METADATA('title'), metadata('FeatureMetadata', { title: 'Quiet' }));
    write(METADATA('summary'), metadata('FeatureMetadata', { summary: 'Loud' }));
    const both = { title: 'Quiet', summary: 'Loud' };
    assert.deepEqual(read(METADATA('title summary')), metadata('FeatureMetadata', both));
    write(METADATA('summary'), metadata('ShortMetadata', { summary: 'New' }));
    assert.equal(read(METADATA('title')), null);
  });

  it('of a response stay with it, whatever their id', () => {
    const { read, write } = open();
    const SEARCH = (query: string) =>
      `{ search(query: "${query}", first: 1) { __typename edges { __typename node { __typename id score } } } }`;
    const hits = (score: number) => ({
      search: {
        __typename: 'SearchHitConnection',
        edges: [{ __typename: 'SearchHitEdge', node: { __typename: 'SearchHit', id: '1', score } }],
      },
    });
    write(SEARCH('quiet'), hits(2));
    write(SEARCH('loud'), hits(1));
    assert.deepEqual([read(SEARCH('quiet')), read(SEARCH('loud'))], [hits(2), hits(1)]);
  });
});
