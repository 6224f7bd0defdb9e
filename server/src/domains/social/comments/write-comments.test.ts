import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { comment, eventsOf } from '../testing.ts';
import { COUNT, CREATE, idsOf, LIST, MISSING, READ, UPDATE } from './testing.ts';

describe('writing comments', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let content: string;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    content = await api.content(anna, { status: 'PUBLISHED' });
  });
  after(() => api.close());

  it('stores plain text, with its author, and writes an event', async () => {
    const { createComment } = await api.ok(bert, CREATE, {
      contentId: content,
      body: '  <b>Nice</b> & "good"\r\nreally ',
    });
    const { id, ...rest } = createComment;
    assert.match(id, /^did:reelgraph:comment\/[0-9a-f-]{36}$/);
    assert.deepEqual(rest, {
      body: '<b>Nice</b> & "good"\nreally',
      contentId: content,
      status: 'PUBLISHED',
      depth: 0,
      author: { id: bert.channel, username: 'bert' },
      parent: null,
    });
    assert.deepEqual(await eventsOf(api, id), ['comment.created']);
    assert.deepEqual((await api.ok(bert, COUNT, { id: content })).content, {
      commentCount: 1,
      isCommented: true,
      comments: { totalCount: 1 },
    });
    assert.equal((await api.ok(anna, COUNT, { id: content })).content.isCommented, false);
  });

  it('returns the same comment for a duplicate request, also a concurrent one, and a new one later', async () => {
    api.clock.advance(60_000);
    const send = () => api.ok(bert, CREATE, { contentId: content, body: 'Twice' });
    const responses = await Promise.all([send(), send(), send()]);
    assert.equal(new Set(responses.map(({ createComment }) => createComment.id)).size, 1);
    api.clock.advance(60_000);
    assert.notEqual((await send()).createComment.id, responses[0]?.createComment.id);
  });

  it('replies at any depth', async () => {
    const root = await comment(api, bert, content, 'Root');
    const one = await comment(api, anna, content, 'One', root);
    const two = await comment(api, bert, content, 'Two', one);
    const three = await comment(api, anna, content, 'Three', root);
    const document = `query ($id: DID!) { comment(id: $id) { thread { totalCount edges { node { id depth threadId parent
      { id } } } }
      threadId
      replies { totalCount edges { node { id replies { totalCount edges { node { id } } } } } } } }`;
    const read = (await api.ok(bert, document, { id: root })).comment;
    assert.deepEqual([read.thread.totalCount, idsOf(read.thread)], [3, [one, two, three]]);
    const starts = read.thread.edges.map(({ node }: { node: { threadId: string } }) => node.threadId);
    assert.deepEqual([read.threadId, ...starts], [root, root, root, root]);
    assert.deepEqual(
      read.thread.edges.map((edge: { node: { depth: number; parent: { id: string } } }) => [
        edge.node.depth,
        edge.node.parent.id,
      ]),
      [
        [1, root],
        [2, one],
        [1, root],
      ],
    );
    assert.deepEqual([read.replies.totalCount, idsOf(read.replies)], [2, [one, three]]);
    assert.deepEqual(idsOf(read.replies.edges[0].node.replies), [two]);
  });

  const refusals: [string, Record<string, unknown>, string, string][] = [
    ['an empty text', { body: ' \n\u200b ' }, 'FIELD_REQUIRED', 'body'],
    ['10,000 characters', { body: 'x'.repeat(10_000) }, 'INVALID_INPUT', 'body'],
    ['a control character', { body: 'a\u0007b' }, 'INVALID_INPUT', 'body'],
    ['NUL', { body: 'a\u0000b' }, 'INVALID_INPUT', 'body'],
    ['half a surrogate pair', { body: 'a\ud83d' }, 'INVALID_INPUT', 'body'],
    [
      'a channel as content',
      { contentId: 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e' },
      'INVALID_INPUT',
      'contentId',
    ],
    ['an answer to nothing', { parent: MISSING }, 'RESOURCE_NOT_FOUND', 'parent'],
    [
      'an answer to a content',
      { parent: 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e' },
      'INVALID_INPUT',
      'parent',
    ],
  ];
  for (const [name, variables, code, field] of refusals) {
    it(`refuses ${name} with ${code} and leaves nothing behind`, async () => {
      const before = await api.row('select count(*) as n from comments');
      const error = await api.refused(bert, CREATE, { contentId: content, body: 'fine', ...variables });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.deepEqual(await api.row('select count(*) as n from comments'), before);
    });
  }

  it('returns the same error for deleted, private and missing contents, and refuses replies on another content', async () => {
    const deleted = await api.content(anna, { status: 'PUBLISHED' });
    const parent = await comment(api, bert, deleted);
    assert.equal(
      (await api.refused(bert, CREATE, { contentId: content, body: 'x', parent })).code,
      'RESOURCE_NOT_FOUND',
    );
    await api.rows('update contents set deleted_at = now() where id = $1', [uuidOf(deleted)]);
    const hidden = [
      deleted,
      await api.content(anna, { status: 'PUBLISHED', visibility: 'PRIVATE' }),
      await api.content(anna),
    ];
    const missing = await api.refused(bert, CREATE, {
      contentId: 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e',
      body: 'x',
    });
    assert.deepEqual([missing.code, missing.field], ['RESOURCE_NOT_FOUND', 'contentId']);
    for (const contentId of hidden)
      assert.deepEqual(await api.refused(bert, CREATE, { contentId, body: 'x' }), missing);
    assert.equal((await api.refused(null, CREATE, { contentId: content, body: 'x' })).code, 'UNAUTHENTICATED');
    assert.deepEqual((await api.ok(bert, LIST, { id: hidden[1], sort: 'NEWEST' })).comments, {
      totalCount: 0,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
    assert.equal((await api.refused(bert, READ, { id: parent })).code, 'RESOURCE_NOT_FOUND');
  });

  it('is limited to ten per minute in a channel, also for concurrent requests; members are not limited', async () => {
    const cleo = await api.person('cleo');
    const send = (who: Person, index: number) => api.run(who, CREATE, { contentId: content, body: `Fast ${index}` });
    const responses = await Promise.all(Array.from({ length: 14 }, (_, index) => send(cleo, index)));
    const errors = responses.flatMap((response) => response.errors);
    assert.deepEqual(
      errors.map(({ code }) => code),
      Array(4).fill('RATE_LIMIT_EXCEEDED'),
    );
    const elsewhere = await api.content(bert, { status: 'PUBLISHED' });
    await api.ok(cleo, CREATE, { contentId: elsewhere, body: 'Another channel' });
    api.clock.advance(60_000);
    await api.ok(cleo, CREATE, { contentId: content, body: 'A minute later' });
    const own = await Promise.all(Array.from({ length: 14 }, (_, index) => send(anna, index)));
    assert.deepEqual(
      own.flatMap((response) => response.errors),
      [],
    );
  });

  it('mentions accounts, case-insensitively and before a full stop, and lists them on me', async () => {
    const dora = await api.person('dora');
    const id = await comment(api, bert, content, 'Look @DORA. and @anna, not @nobody');
    const { comment: read } = await api.ok(
      anna,
      'query ($id: DID!) { comment(id: $id) { mentions { id username } } }',
      { id },
    );
    assert.deepEqual(read.mentions, [
      { id: anna.channel, username: 'anna' },
      { id: dora.channel, username: 'dora' },
    ]);
    const mentions = '{ me { commentMentions { totalCount edges { node { id } } } } }';
    assert.deepEqual((await api.ok(dora, mentions)).me.commentMentions, { totalCount: 1, edges: [{ node: { id } }] });
    await api.ok(bert, UPDATE, { id, body: 'Look @anna' });
    assert.deepEqual((await api.ok(dora, mentions)).me.commentMentions, { totalCount: 0, edges: [] });
  });

  it('supports the deprecated mutation', async () => {
    const { createCommentByLrn } = await api.ok(
      bert,
      'mutation ($id: DID!) { createCommentByLrn(targetLrn: $id, body: "Old") { body contentId } }',
      { id: content },
    );
    assert.deepEqual(createCommentByLrn, { body: 'Old', contentId: content });
  });
});
