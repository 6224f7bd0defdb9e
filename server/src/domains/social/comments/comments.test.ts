import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { comment, countsAndRecount, eventsOf, member } from '../testing.ts';

const CREATE =
  'mutation ($contentId: DID!, $body: String!, $parent: DID) { createComment(contentId: $contentId, body: $body, parent: $parent) { id body contentId status depth author { id username } parent { id } } }';
const DELETE = 'mutation ($id: DID!) { deleteComment(id: $id) { id } }';
const UPDATE =
  'mutation ($id: DID!, $body: String!) { updateComment(id: $id, body: $body) { id body editedAt edits { totalCount edges { node { body replacedAt } } } } }';
const READ =
  'query ($id: DID!) { comment(id: $id) { id body status author { username } replies { totalCount edges { node { id } } } thread { totalCount } } }';
const LIST =
  'query ($id: DID!, $sort: CommentSort!, $first: Int, $after: String, $last: Int, $before: String) { comments(contentId: $id, sort: $sort, first: $first, after: $after, last: $last, before: $before) { totalCount edges { node { id body isPinned likes { count } } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }';
const COUNT = 'query ($id: DID!) { content(id: $id) { commentCount isCommented comments { totalCount } } }';
const MISSING = 'did:reelgraph:comment/01a1facb-422b-7000-b9e0-9276b51acd0e';

interface Listed {
  readonly edges: { node: { id: string; body: string } }[];
}
const idsOf = ({ edges }: Listed) => edges.map(({ node }) => node.id);

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

  it('keeps the text as text, with its author, and tells it', async () => {
    const { createComment } = await api.ok(bert, CREATE, { contentId: content, body: '  <b>Nice</b> & "good"\r\nreally ' });
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

  it('is the same comment when it is sent twice, also at once, and another one later', async () => {
    api.clock.advance(60_000);
    const send = () => api.ok(bert, CREATE, { contentId: content, body: 'Twice' });
    const answers = await Promise.all([send(), send(), send()]);
    assert.equal(new Set(answers.map(({ createComment }) => createComment.id)).size, 1);
    api.clock.advance(60_000);
    assert.notEqual((await send()).createComment.id, answers[0]?.createComment.id);
  });

  it('answers comments at any depth', async () => {
    const root = await comment(api, bert, content, 'Root');
    const one = await comment(api, anna, content, 'One', root);
    const two = await comment(api, bert, content, 'Two', one);
    const three = await comment(api, anna, content, 'Three', root);
    const document = `query ($id: DID!) { comment(id: $id) { thread { totalCount edges { node { id depth parent { id } } } }
      replies { totalCount edges { node { id replies { totalCount edges { node { id } } } } } } } }`;
    const read = (await api.ok(bert, document, { id: root })).comment;
    assert.deepEqual([read.thread.totalCount, idsOf(read.thread)], [3, [one, two, three]]);
    assert.deepEqual(
      read.thread.edges.map((edge: { node: { depth: number; parent: { id: string } } }) => [edge.node.depth, edge.node.parent.id]),
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
    ['a channel as content', { contentId: 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e' }, 'INVALID_INPUT', 'contentId'],
    ['an answer to nothing', { parent: MISSING }, 'RESOURCE_NOT_FOUND', 'parent'],
    ['an answer to a content', { parent: 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e' }, 'INVALID_INPUT', 'parent'],
  ];
  for (const [name, variables, code, field] of refusals) {
    it(`refuses ${name} with ${code} and leaves nothing behind`, async () => {
      const before = await api.row('select count(*) as n from comments');
      const error = await api.refused(bert, CREATE, { contentId: content, body: 'fine', ...variables });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.deepEqual(await api.row('select count(*) as n from comments'), before);
    });
  }

  it('refuses contents that are deleted, private or missing alike, and answers on another content', async () => {
    const deleted = await api.content(anna, { status: 'PUBLISHED' });
    const parent = await comment(api, bert, deleted);
    assert.equal((await api.refused(bert, CREATE, { contentId: content, body: 'x', parent })).code, 'RESOURCE_NOT_FOUND');
    await api.rows('update contents set deleted_at = now() where id = $1', [uuidOf(deleted)]);
    const hidden = [deleted, await api.content(anna, { status: 'PUBLISHED', visibility: 'PRIVATE' }), await api.content(anna)];
    const missing = await api.refused(bert, CREATE, {
      contentId: 'did:reelgraph:content/feature/01a1facb-422b-7000-b9e0-9276b51acd0e',
      body: 'x',
    });
    assert.deepEqual([missing.code, missing.field], ['RESOURCE_NOT_FOUND', 'contentId']);
    for (const contentId of hidden) assert.deepEqual(await api.refused(bert, CREATE, { contentId, body: 'x' }), missing);
    assert.equal((await api.refused(null, CREATE, { contentId: content, body: 'x' })).code, 'UNAUTHENTICATED');
    assert.deepEqual((await api.ok(bert, LIST, { id: hidden[1], sort: 'NEWEST' })).comments, {
      totalCount: 0,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
    assert.equal((await api.refused(bert, READ, { id: parent })).code, 'RESOURCE_NOT_FOUND');
  });

  it('is limited to ten a minute in a channel, also when all are sent at once; its own people are not', async () => {
    const cleo = await api.person('cleo');
    const send = (who: Person, index: number) => api.run(who, CREATE, { contentId: content, body: `Fast ${index}` });
    const answers = await Promise.all(Array.from({ length: 14 }, (_, index) => send(cleo, index)));
    const errors = answers.flatMap((answer) => answer.errors);
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
      own.flatMap((answer) => answer.errors),
      [],
    );
  });

  it('mentions accounts, in any case and before a full stop, and lists them on me', async () => {
    const dora = await api.person('dora');
    const id = await comment(api, bert, content, 'Look @DORA. and @anna, not @nobody');
    const { comment: read } = await api.ok(anna, 'query ($id: DID!) { comment(id: $id) { mentions { id username } } }', { id });
    assert.deepEqual(read.mentions, [
      { id: anna.channel, username: 'anna' },
      { id: dora.channel, username: 'dora' },
    ]);
    const mentions = '{ me { commentMentions { totalCount edges { node { id } } } } }';
    assert.deepEqual((await api.ok(dora, mentions)).me.commentMentions, { totalCount: 1, edges: [{ node: { id } }] });
    await api.ok(bert, UPDATE, { id, body: 'Look @anna' });
    assert.deepEqual((await api.ok(dora, mentions)).me.commentMentions, { totalCount: 0, edges: [] });
  });

  it('answers the older spelling', async () => {
    const { createCommentByLrn } = await api.ok(
      bert,
      'mutation ($id: DID!) { createCommentByLrn(targetLrn: $id, body: "Old") { body contentId } }',
      { id: content },
    );
    assert.deepEqual(createCommentByLrn, { body: 'Old', contentId: content });
  });
});

describe('changing and deleting comments', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let cleo: Person;
  let content: string;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert, cleo] = [await api.person('anna'), await api.person('bert'), await api.person('cleo')];
    content = await api.content(anna, { status: 'PUBLISHED' });
  });
  after(() => api.close());

  it('keeps what a comment said before, for its author and the moderators', async () => {
    const id = await comment(api, bert, content, 'First');
    api.clock.advance(1_000);
    await api.ok(bert, UPDATE, { id, body: 'Second' });
    await api.ok(bert, UPDATE, { id, body: 'Second' });
    api.clock.advance(1_000);
    const at = new Date(api.clock.now()).toISOString();
    const { updateComment } = await api.ok(bert, UPDATE, { id, body: 'Third' });
    assert.deepEqual([updateComment.body, updateComment.editedAt, updateComment.edits.totalCount], ['Third', at, 2]);
    assert.deepEqual(updateComment.edits.edges[0].node, { body: 'Second', replacedAt: at });
    const history = 'query ($id: DID!) { comment(id: $id) { body edits { totalCount edges { node { body } } } } }';
    const counted = await api.counted(() => api.ok(anna, history, { id }));
    assert.equal(counted.statements, 1);
    assert.equal(counted.result.comment.edits.totalCount, 2);
    assert.deepEqual((await api.ok(cleo, history, { id })).comment, { body: 'Third', edits: null });
    assert.deepEqual(await eventsOf(api, id), ['comment.created', 'comment.updated', 'comment.updated']);
    for (const who of [anna, cleo]) {
      const error = await api.refused(who, UPDATE, { id, body: 'Mine' });
      assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'id']);
    }
    assert.equal((await api.refused(bert, UPDATE, { id: MISSING, body: 'x' })).code, 'RESOURCE_NOT_FOUND');
    await api.rows("insert into comment_edits select gen_random_uuid(), $1, 'x', now() from generate_series(1, 98)", [uuidOf(id)]);
    const many = await api.refused(bert, UPDATE, { id, body: 'Once more' });
    assert.deepEqual([many.code, many.field], ['INVALID_INPUT', 'id']);
  });

  it('goes without a trace when nothing answers it, and leaves an empty place otherwise', async () => {
    const root = await comment(api, bert, content, 'Root');
    const one = await comment(api, cleo, content, 'One', root);
    const two = await comment(api, bert, content, 'Two', one);
    const total = async () => (await api.ok(bert, COUNT, { id: content })).content;
    const before = await total();
    await api.ok(bert, DELETE, { id: root });
    const place = (await api.ok(cleo, READ, { id: root })).comment;
    assert.deepEqual([place.body, place.status, place.author, place.thread.totalCount], ['', 'DELETED', null, 2]);
    assert.deepEqual(await total(), { ...before, commentCount: before.commentCount - 1 });
    assert.equal((await api.refused(bert, CREATE, { contentId: content, body: 'To nobody', parent: root })).code, 'RESOURCE_NOT_FOUND');
    await api.ok(cleo, DELETE, { id: one });
    assert.equal((await api.ok(bert, READ, { id: root })).comment.thread.totalCount, 2);
    // With the last answer the empty places above it go too.
    await api.ok(bert, DELETE, { id: two });
    for (const id of [root, one, two]) assert.equal((await api.refused(bert, READ, { id })).code, 'RESOURCE_NOT_FOUND');
    assert.deepEqual(await total(), {
      ...before,
      commentCount: before.commentCount - 3,
      comments: { totalCount: before.comments.totalCount - 1 },
    });
    assert.deepEqual(await eventsOf(api, root), ['comment.created', 'comment.deleted']);
    assert.equal((await api.refused(bert, DELETE, { id: root })).code, 'RESOURCE_NOT_FOUND');
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  it('is for the author and moderators only, in one round trip', async () => {
    const [vera, emil] = [await api.person('vera'), await api.person('emil')];
    await member(api, anna, vera, 'VIEWER');
    await member(api, anna, emil, 'EDITOR');
    const id = await comment(api, bert, content);
    for (const who of [cleo, vera]) assert.equal((await api.refused(who, DELETE, { id })).code, 'UNAUTHORIZED');
    const { result, roundTrips } = await api.counted(() => api.ok(emil, DELETE, { id }));
    assert.deepEqual([result.deleteComment, roundTrips], [{ id }, 1]);
  });

  it('loses no answer that arrives while the comment is deleted', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = await comment(api, bert, content, `Round ${round}`);
      api.clock.advance(60_000);
      const [deleted, answered] = await Promise.all([
        api.run(bert, DELETE, { id }),
        api.run(cleo, CREATE, { contentId: content, body: 'Hm', parent: id }),
      ]);
      assert.deepEqual(deleted.errors, []);
      assert.ok(answered.errors.length === 0 || answered.errors[0]?.code === 'RESOURCE_NOT_FOUND');
      const rows = await api.rows('select 1 from comments where id = $1', [uuidOf(id)]);
      assert.equal(rows.length, answered.errors.length === 0 ? 1 : 0);
    }
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  it('happens to all comments of an account that leaves; threads of others stay', async () => {
    const fred = await api.person('fred');
    const root = await comment(api, fred, content, 'I leave');
    const answer = await comment(api, bert, content, 'A pity', root);
    const alone = await comment(api, fred, content, 'Alone');
    const below = await comment(api, fred, content, 'Goodbye', answer);
    await api.ok(fred, 'mutation ($id: DID!) { likeComment(id: $id) { id } }', { id: answer });
    await api.rows('delete from accounts where id = $1', [fred.accountId]);
    assert.deepEqual((await api.ok(bert, READ, { id: root })).comment.status, 'DELETED');
    assert.deepEqual(idsOf((await api.ok(bert, READ, { id: root })).comment.replies), [answer]);
    for (const id of [alone, below]) assert.equal((await api.refused(bert, READ, { id })).code, 'RESOURCE_NOT_FOUND');
    const liked = await api.ok(bert, 'query ($id: DID!) { comment(id: $id) { likes { count } } }', { id: answer });
    assert.equal(liked.comment.likes.count, 0);
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  it('happens to all when the content is deleted for good', async () => {
    const gone = await api.content(anna, { status: 'PUBLISHED' });
    const root = await comment(api, bert, gone);
    await comment(api, cleo, gone, 'Answer', root);
    await api.rows('delete from contents where id = $1', [uuidOf(gone)]);
    assert.deepEqual(await api.rows('select 1 from comments where content_id = $1', [uuidOf(gone)]), []);
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  it('takes a chain of 5,000 answers: reading, answering and deleting it cost as elsewhere', async () => {
    const ids = Array.from({ length: 5_000 }, () => newId(api.clock.now()));
    await api.rows(
      `insert into comments (id, content_id, channel_id, account_id, parent_id, root_id, depth, body, created_at)
       select id, $2, $3, $4, lag(id) over (order by n), case when n > 1 then ($1::uuid[])[1] end, n - 1, 'Deeper', now() + n * interval '1 second'
       from unnest($1::uuid[]) with ordinality u(id, n)`,
      [ids, uuidOf(content), anna.channelId, bert.accountId],
    );
    await api.rows('analyze comments'); // as PostgreSQL does by itself soon after so many rows
    const did = (index: number) => `did:reelgraph:comment/${ids.at(index)}`;
    const { result, statements } = await api.counted(() => api.ok(cleo, READ, { id: did(0) }));
    assert.deepEqual([result.comment.thread.totalCount, result.comment.replies.totalCount, statements <= 2], [4_999, 1, true]);
    const answer = await api.ok(cleo, CREATE, { contentId: content, body: 'Deepest', parent: did(-1) });
    assert.equal(answer.createComment.depth, 5_000);
    await api.ok(cleo, DELETE, { id: answer.createComment.id });
    await api.rows("update comments set deleted_at = now(), account_id = null, body = '', placeholder = true where id = any($1)", [
      ids.slice(0, -1),
    ]);
    await api.ok(bert, DELETE, { id: did(-1) });
    assert.equal((await api.refused(cleo, READ, { id: did(0) })).code, 'RESOURCE_NOT_FOUND');
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });
});

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
    for (let index = 0; index < 7; index += 1) comments.push(await comment(api, index % 2 ? anna : bert, content, `Comment ${index}`));
    for (const [index, likers] of [
      [1, [anna]],
      [4, [anna, bert]],
    ] as const) {
      for (const who of likers) await api.ok(who, 'mutation ($id: DID!) { likeComment(id: $id) { id } }', { id: comments[index] });
    }
  });
  after(() => api.close());

  const at = (...indexes: number[]) => indexes.map((index) => comments[index]);

  it('are one statement each, wherever they are asked for', async () => {
    const documents = [
      'query ($id: DID!) { comments(contentId: $id) { totalCount edges { cursor node { id body contentId createdAt author { id username } likes { count isLiked } } } pageInfo { hasNextPage endCursor } } }',
      'query ($id: DID!) { comments(contentId: $id) { edges { node { id replies(first: 3) { totalCount edges { node { id body author { username } } } } } } } }',
      'query ($id: DID!) { comments(contentId: $id) { edges { node { id mentions { username } thread(first: 3) { totalCount edges { node { id } } } } } } }',
      'query ($id: DID!) { content(id: $id) { commentCount isCommented commentSettings { mode } comments(sort: TOP) { totalCount edges { node { id } } } } }',
      'query ($id: DID!) { feature(id: $id) { commentCount likes { count isLiked } comments { totalCount edges { node { id } } } } }',
      '{ features { edges { node { id likes { count } commentCount comments(first: 2) { edges { node { id } } } } } } }',
      '{ me { comments { totalCount edges { node { id status content { id } } } } } }',
      '{ me { commentMentions { totalCount edges { node { id } } } } }',
    ];
    for (const document of documents) {
      const { roundTrips, statements } = await api.counted(() => api.ok(bert, document, document.includes('$id') ? { id: content } : {}));
      assert.deepEqual([roundTrips, statements], [1, 1], document);
    }
  });

  for (const [sort, expected] of [
    ['NEWEST', [6, 5, 4, 3, 2, 1, 0]],
    ['TOP', [4, 1, 6, 5, 3, 2, 0]],
  ] as const) {
    it(`page through ${sort} without gap or repetition, in both directions`, async () => {
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

  it('begin with the one that is pinned, in each order, and pin one at a time', async () => {
    const PIN = 'mutation ($id: DID!) { pinComment(id: $id) { isPinned } }';
    assert.deepEqual(await api.ok(anna, PIN, { id: comments[0] }), { pinComment: { isPinned: true } });
    for (const sort of ['NEWEST', 'TOP']) assert.equal(idsOf((await api.ok(bert, LIST, { id: content, sort })).comments)[0], comments[0]);
    await Promise.all(at(2, 3, 2, 3).map((id) => api.ok(anna, PIN, { id })));
    const pinned = await api.rows('select id from comments where pin = 1 and content_id = $1', [uuidOf(content)]);
    assert.equal(pinned.length, 1);
    await api.ok(anna, 'mutation ($id: DID!) { unpinComment(id: $id) { isPinned } }', {
      id: `did:reelgraph:comment/${(pinned[0] as { id: string }).id}`,
    });
    assert.deepEqual(idsOf((await api.ok(bert, LIST, { id: content, sort: 'NEWEST' })).comments), at(6, 5, 4, 3, 2, 1, 0));
    const answer = await comment(api, bert, content, 'Answer', comments[0]);
    assert.deepEqual((await api.refused(anna, PIN, { id: answer })).code, 'INVALID_INPUT');
    assert.deepEqual((await api.refused(bert, PIN, { id: comments[0] })).code, 'UNAUTHORIZED');
    assert.deepEqual((await api.refused(bert, PIN, { id: MISSING })).code, 'RESOURCE_NOT_FOUND');
  });

  it('show hearts, which the people of the channel give', async () => {
    const heart = (name: string) => `mutation ($id: DID!) { ${name}(id: $id) { isHearted } }`;
    const { result, roundTrips } = await api.counted(() => api.ok(anna, heart('heartComment'), { id: comments[6] }));
    assert.deepEqual([result.heartComment, roundTrips], [{ isHearted: true }, 1]);
    await api.ok(anna, heart('heartComment'), { id: comments[6] });
    assert.deepEqual((await api.ok(anna, heart('unheartComment'), { id: comments[6] })).unheartComment, { isHearted: false });
    assert.equal((await eventsOf(api, comments[6] ?? '')).length, 3);
    assert.equal((await api.refused(bert, heart('heartComment'), { id: comments[6] })).code, 'UNAUTHORIZED');
  });

  it('count likes of comments once, exactly and for the viewer', async () => {
    const LIKE = 'mutation ($id: DID!) { likeComment(id: $id) { likes { count isLiked } } }';
    const UNLIKE = 'mutation ($id: DID!) { unlikeComment(id: $id) { likes { count isLiked } } }';
    const people = await Promise.all(Array.from({ length: 12 }, (_, index) => api.person(`fan${index}`)));
    await Promise.all(people.flatMap((who) => [LIKE, LIKE, UNLIKE, LIKE].map((document) => api.ok(who, document, { id: comments[5] }))));
    const { n } = await api.row<{ n: number }>('select count(*) as n from comment_likes where comment_id = $1', [
      uuidOf(comments[5] ?? ''),
    ]);
    const { comment: read } = await api.ok(bert, 'query ($id: DID!) { comment(id: $id) { likes { count isLiked } } }', { id: comments[5] });
    assert.deepEqual(read.likes, { count: n, isLiked: false });
    assert.deepEqual((await api.ok(bert, LIKE, { id: comments[5] })).likeComment.likes, { count: n + 1, isLiked: true });
    assert.deepEqual((await api.ok(bert, UNLIKE, { id: comments[5] })).unlikeComment.likes, { count: n, isLiked: false });
    assert.equal((await api.refused(bert, LIKE, { id: MISSING })).code, 'RESOURCE_NOT_FOUND');
  });

  it('are found by node where the content is visible', async () => {
    const document = 'query ($id: DID!) { node(id: $id) { id ... on Comment { body } } }';
    assert.deepEqual((await api.ok(bert, document, { id: comments[0] })).node, { id: comments[0], body: 'Comment 0' });
    const hidden = await api.content(anna, { status: 'PUBLISHED', visibility: 'PRIVATE' });
    const id = await comment(api, anna, hidden);
    assert.deepEqual((await api.ok(bert, document, { id })).node, null);
  });
});
