import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { comment, eventsOf } from '../testing.ts';
import { idsOf, LIST, MISSING } from './testing.ts';

describe('lists of comments', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let content: string;
  let comments: string[];
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    content = await api.content(anna, { status: 'PUBLISHED' });
    comments = [];
    for (let index = 0; index < 7; index += 1)
      comments.push(await comment(api, index % 2 ? anna : bert, content, `Comment ${index}`));
    for (const [index, likers] of [
      [1, [anna]],
      [4, [anna, bert]],
    ] as const) {
      for (const who of likers)
        await api.ok(who, 'mutation ($id: DID!) { likeComment(id: $id) { comment { id } } }', { id: comments[index] });
    }
  });
  after(() => api.close());

  const at = (...indexes: number[]) => indexes.map((index) => comments[index]);

  it('take one statement each, on every field', async () => {
    const documents = [
      'query ($id: DID!) { comments(contentId: $id) { totalCount edges { cursor node ' +
        '{ id body contentId createdAt author { id username } likes { count isLiked } } } pageInfo ' +
        '{ hasNextPage endCursor } } }',
      'query ($id: DID!) { comments(contentId: $id) { edges { node { id replies(first: 3) { totalCount edges ' +
        '{ node { id body author { username } } } } } } } }',
      'query ($id: DID!) { comments(contentId: $id) { edges { node { id mentions { username } thread(first: 3) ' +
        '{ totalCount edges { node { id } } } } } } }',
      'query ($id: DID!) { content(id: $id) { commentCount isCommented commentSettings { mode ' +
        '} comments(sort: TOP) { totalCount edges { node { id } } } } }',
      'query ($id: DID!) { feature(id: $id) { commentCount likes { count isLiked } comments { totalCount edges ' +
        '{ node { id } } } } }',
      '{ features { edges { node { id likes { count } commentCount comments(first: 2) { edges { node { id } } } } ' +
        '} } }',
      '{ me { comments { totalCount edges { node { id status content { id } } } } } }',
      '{ me { commentMentions { totalCount edges { node { id } } } } }',
    ];
    for (const document of documents) {
      const { roundTrips, statements } = await api.counted(() =>
        api.ok(bert, document, document.includes('$id') ? { id: content } : {}),
      );
      assert.deepEqual([roundTrips, statements], [1, 1], document);
    }
  });

  for (const [sort, expected] of [
    ['NEWEST', [6, 5, 4, 3, 2, 1, 0]],
    ['TOP', [4, 1, 6, 5, 3, 2, 0]],
  ] as const) {
    it(`page through ${sort} without gaps or duplicates, in both directions`, async () => {
      const forwards: string[] = [];
      for (let variables: Record<string, unknown> | null = { first: 3 }; variables; ) {
        const { comments: page } = await api.ok(bert, LIST, { id: content, sort, ...variables });
        assert.equal(page.totalCount, 7);
        forwards.push(...idsOf(page));
        variables = page.pageInfo.hasNextPage ? { first: 3, after: page.pageInfo.endCursor } : null;
      }
      assert.deepEqual(forwards, at(...expected));
      const backwards: string[] = [];
      for (let variables: Record<string, unknown> | null = { last: 3 }; variables; ) {
        const { comments: page } = await api.ok(bert, LIST, { id: content, sort, ...variables });
        backwards.unshift(...idsOf(page));
        variables = page.pageInfo.hasPreviousPage ? { last: 3, before: page.pageInfo.startCursor } : null;
      }
      assert.deepEqual(backwards, at(...expected));
    });
  }

  it('refuse a cursor of the other order', async () => {
    const { comments: page } = await api.ok(bert, LIST, { id: content, sort: 'TOP', first: 1 });
    const error = await api.refused(bert, LIST, { id: content, sort: 'NEWEST', after: page.pageInfo.endCursor });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'after']);
  });

  it('begin with the pinned comment, in each order, and pin one at a time', async () => {
    const PIN = 'mutation ($id: DID!) { pinComment(id: $id) { comment { isPinned } } }';
    assert.deepEqual(await api.ok(anna, PIN, { id: comments[0] }), { pinComment: { comment: { isPinned: true } } });
    for (const sort of ['NEWEST', 'TOP'])
      assert.equal(idsOf((await api.ok(bert, LIST, { id: content, sort })).comments)[0], comments[0]);
    await Promise.all(at(2, 3, 2, 3).map((id) => api.ok(anna, PIN, { id })));
    const pinned = await api.rows('select id from comments where pin = 1 and content_id = $1', [uuidOf(content)]);
    assert.equal(pinned.length, 1);
    await api.ok(anna, 'mutation ($id: DID!) { unpinComment(id: $id) { comment { isPinned } } }', {
      id: `did:reelgraph:comment/${(pinned[0] as { id: string }).id}`,
    });
    assert.deepEqual(
      idsOf((await api.ok(bert, LIST, { id: content, sort: 'NEWEST' })).comments),
      at(6, 5, 4, 3, 2, 1, 0),
    );
    const response = await comment(api, bert, content, 'Answer', comments[0]);
    assert.deepEqual((await api.refused(anna, PIN, { id: response })).code, 'INVALID_INPUT');
    assert.deepEqual((await api.refused(bert, PIN, { id: comments[0] })).code, 'UNAUTHORIZED');
    assert.deepEqual((await api.refused(bert, PIN, { id: MISSING })).code, 'RESOURCE_NOT_FOUND');
  });

  it('show hearts, which members of the channel give', async () => {
    const heart = (name: string) => `mutation ($id: DID!) { ${name}(id: $id) { comment { isHearted } } }`;
    const { result, roundTrips } = await api.counted(() => api.ok(anna, heart('heartComment'), { id: comments[6] }));
    assert.deepEqual([result.heartComment.comment, roundTrips], [{ isHearted: true }, 1]);
    await api.ok(anna, heart('heartComment'), { id: comments[6] });
    assert.deepEqual((await api.ok(anna, heart('unheartComment'), { id: comments[6] })).unheartComment.comment, {
      isHearted: false,
    });
    assert.equal((await eventsOf(api, comments[6] ?? '')).length, 3);
    assert.equal((await api.refused(bert, heart('heartComment'), { id: comments[6] })).code, 'UNAUTHORIZED');
  });

  it('count likes of comments once, exactly and for the viewer', async () => {
    const LIKE = 'mutation ($id: DID!) { likeComment(id: $id) { comment { likes { count isLiked } } } }';
    const UNLIKE = 'mutation ($id: DID!) { unlikeComment(id: $id) { comment { likes { count isLiked } } } }';
    const people = await Promise.all(Array.from({ length: 12 }, (_, index) => api.person(`fan${index}`)));
    await Promise.all(
      people.flatMap((who) => [LIKE, LIKE, UNLIKE, LIKE].map((document) => api.ok(who, document, { id: comments[5] }))),
    );
    const { n } = await api.row<{ n: number }>('select count(*) as n from comment_likes where comment_id = $1', [
      uuidOf(comments[5] ?? ''),
    ]);
    const { comment: read } = await api.ok(bert, 'query ($id: DID!) { comment(id: $id) { likes { count isLiked } } }', {
      id: comments[5],
    });
    assert.deepEqual(read.likes, { count: n, isLiked: false });
    assert.deepEqual((await api.ok(bert, LIKE, { id: comments[5] })).likeComment.comment.likes, {
      count: n + 1,
      isLiked: true,
    });
    assert.deepEqual((await api.ok(bert, UNLIKE, { id: comments[5] })).unlikeComment.comment.likes, {
      count: n,
      isLiked: false,
    });
    assert.equal((await api.refused(bert, LIKE, { id: MISSING })).code, 'RESOURCE_NOT_FOUND');
  });

  it('are returned by node where the content is visible', async () => {
    const document = 'query ($id: DID!) { node(id: $id) { id ... on Comment { body } } }';
    assert.deepEqual((await api.ok(bert, document, { id: comments[0] })).node, { id: comments[0], body: 'Comment 0' });
    const hidden = await api.content(anna, { status: 'PUBLISHED', visibility: 'PRIVATE' });
    const id = await comment(api, anna, hidden);
    assert.deepEqual((await api.ok(bert, document, { id })).node, null);
  });
});
