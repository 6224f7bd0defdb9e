import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { comment, countsAndRecount, eventsOf, member } from '../testing.ts';
import { COUNT, CREATE, idsOf, MISSING, READ, UPDATE } from './testing.ts';

const DELETE = 'mutation ($id: DID!) { deleteComment(id: $id) { id } }';

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

  it('keeps the previous texts of a comment, for its author and the moderators', async () => {
    const id = await comment(api, bert, content, 'First');
    api.clock.advance(1_000);
    await api.ok(bert, UPDATE, { id, body: 'Second' });
    await api.ok(bert, UPDATE, { id, body: 'Second' });
    api.clock.advance(1_000);
    const at = new Date(api.clock.now()).toISOString();
    const { comment: updateComment } = (await api.ok(bert, UPDATE, { id, body: 'Third' })).updateComment;
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
    await api.rows("insert into comment_edits select gen_random_uuid(), $1, 'x', now() from generate_series(1, 98)", [
      uuidOf(id),
    ]);
    const many = await api.refused(bert, UPDATE, { id, body: 'Once more' });
    assert.deepEqual([many.code, many.field], ['INVALID_INPUT', 'id']);
  });

  it('deletes a comment without replies entirely, and leaves a placeholder otherwise', async () => {
    const root = await comment(api, bert, content, 'Root');
    const one = await comment(api, cleo, content, 'One', root);
    const two = await comment(api, bert, content, 'Two', one);
    const total = async () => (await api.ok(bert, COUNT, { id: content })).content;
    const before = await total();
    await api.ok(bert, DELETE, { id: root });
    const place = (await api.ok(cleo, READ, { id: root })).comment;
    assert.deepEqual([place.body, place.status, place.author, place.thread.totalCount], ['', 'DELETED', null, 2]);
    assert.deepEqual(await total(), { ...before, commentCount: before.commentCount - 1 });
    assert.equal(
      (await api.refused(bert, CREATE, { contentId: content, body: 'To a deleted one', parent: root })).code,
      'RESOURCE_NOT_FOUND',
    );
    await api.ok(cleo, DELETE, { id: one });
    assert.equal((await api.ok(bert, READ, { id: root })).comment.thread.totalCount, 2);
    // The last reply takes the placeholders above it with it.
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

  it('requires the author or a moderator, in one round trip', async () => {
    const [vera, emil] = [await api.person('vera'), await api.person('emil')];
    await member(api, anna, vera, 'VIEWER');
    await member(api, anna, emil, 'EDITOR');
    const id = await comment(api, bert, content);
    for (const who of [cleo, vera]) assert.equal((await api.refused(who, DELETE, { id })).code, 'UNAUTHORIZED');
    const { result, roundTrips } = await api.counted(() => api.ok(emil, DELETE, { id }));
    assert.deepEqual([result.deleteComment, roundTrips], [{ id }, 1]);
  });

  it('keeps a reply that is written while the comment is deleted', async () => {
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

  it('deletes all comments of a deleted account; threads of others stay', async () => {
    const fred = await api.person('fred');
    const root = await comment(api, fred, content, 'I leave');
    const response = await comment(api, bert, content, 'A pity', root);
    const alone = await comment(api, fred, content, 'Alone');
    const below = await comment(api, fred, content, 'Goodbye', response);
    await api.ok(fred, 'mutation ($id: DID!) { likeComment(id: $id) { comment { id } } }', { id: response });
    await api.rows('delete from accounts where id = $1', [fred.accountId]);
    assert.deepEqual((await api.ok(bert, READ, { id: root })).comment.status, 'DELETED');
    assert.deepEqual(idsOf((await api.ok(bert, READ, { id: root })).comment.replies), [response]);
    for (const id of [alone, below]) assert.equal((await api.refused(bert, READ, { id })).code, 'RESOURCE_NOT_FOUND');
    const liked = await api.ok(bert, 'query ($id: DID!) { comment(id: $id) { likes { count } } }', { id: response });
    assert.equal(liked.comment.likes.count, 0);
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  it('deletes all comments when the content is purged', async () => {
    const gone = await api.content(anna, { status: 'PUBLISHED' });
    const root = await comment(api, bert, gone);
    await comment(api, cleo, gone, 'Answer', root);
    await api.rows('delete from contents where id = $1', [uuidOf(gone)]);
    assert.deepEqual(await api.rows('select 1 from comments where content_id = $1', [uuidOf(gone)]), []);
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  it('supports a chain of 5,000 replies at the usual cost', async () => {
    const ids = Array.from({ length: 5_000 }, () => newId(api.clock.now()));
    await api.rows(
      `insert into comments (id, content_id, channel_id, account_id, parent_id, root_id, depth, body, created_at)
       select id, $2, $3, $4, lag(id) over (order by n), case when n > 1 then ($1::uuid[])[1] end, n - 1, 'Deeper',
         now() + n * interval '1 second'
       from unnest($1::uuid[]) with ordinality u(id, n)`,
      [ids, uuidOf(content), anna.channelId, bert.accountId],
    );
    await api.rows('analyze comments'); // as autovacuum does after so many rows
    const did = (index: number) => `did:reelgraph:comment/${ids.at(index)}`;
    const { result, statements } = await api.counted(() => api.ok(cleo, READ, { id: did(0) }));
    assert.deepEqual(
      [result.comment.thread.totalCount, result.comment.replies.totalCount, statements <= 2],
      [4_999, 1, true],
    );
    const response = await api.ok(cleo, CREATE, { contentId: content, body: 'Deepest', parent: did(-1) });
    assert.equal(response.createComment.depth, 5_000);
    await api.ok(cleo, DELETE, { id: response.createComment.id });
    await api.rows(
      "update comments set deleted_at = now(), account_id = null, body = '', placeholder = true where id = any($1)",
      [ids.slice(0, -1)],
    );
    await api.ok(bert, DELETE, { id: did(-1) });
    assert.equal((await api.refused(cleo, READ, { id: did(0) })).code, 'RESOURCE_NOT_FOUND');
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });
});
