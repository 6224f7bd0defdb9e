import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Person } from '../../catalog/testing.ts';
import { type Cast, openCast } from '../moderation/testing.ts';
import { comment, countsAndRecount, eventsOf } from '../testing.ts';

const CREATE =
  'mutation ($contentId: DID!, $body: String!) { createComment(contentId: $contentId, body: $body) ' +
  '{ id status heldFor } }';

describe('blocking accounts', () => {
  let cast: Cast;
  before(async () => {
    cast = await openCast();
  });
  after(() => cast.api.close());

  const BLOCK =
    'mutation ($channel: DID!, $username: String!, $hide: Boolean!) { blockUser(id: $channel, ' +
    'input: { username: $username, hideComments: $hide }) { ok rejectedComments user { username } } }';

  it('prevents comments and likes there, and can reject existing comments', async () => {
    const { api, anna, bert, cleo, emil } = cast;
    const content = await api.content(anna, { status: 'PUBLISHED' });
    const theirs = await comment(api, bert, content, 'Spam');
    const others = await comment(api, cleo, content, 'Fine');
    await api.ok(bert, 'mutation ($id: DID!) { likeContent(id: $id) { id } }', { id: content });
    const block = () => api.ok(emil, BLOCK, { channel: anna.channel, username: 'BERT', hide: true });
    assert.deepEqual((await block()).blockUser, { ok: true, rejectedComments: 1, user: { username: 'bert' } });
    assert.deepEqual((await block()).blockUser.rejectedComments, 0);
    const listed = await api.ok(
      cleo,
      'query ($id: DID!) { comments(contentId: $id) { totalCount edges { node { id } } } }',
      {
        id: content,
      },
    );
    assert.deepEqual(listed.comments, { totalCount: 1, edges: [{ node: { id: others } }] });
    assert.deepEqual(await eventsOf(api, theirs), ['comment.created', 'comment.updated']);
    for (const [document, id] of [
      [CREATE.replace('$contentId', '$id').replace('contentId: $contentId', 'contentId: $id'), content],
      ['mutation ($id: DID!) { likeContent(id: $id) { id } }', content],
      ['mutation ($id: DID!) { likeComment(id: $id) { comment { id } } }', others],
    ] as const) {
      assert.equal((await api.refused(bert, document, { id, body: 'Again' })).code, 'UNAUTHORIZED', document);
    }
    await api.ok(bert, 'mutation ($id: DID!) { unlikeContent(id: $id) { id } }', { id: content });
    await api.ok(bert, CREATE, { contentId: await api.content(cleo, { status: 'PUBLISHED' }), body: 'Elsewhere' });

    const list =
      'query ($id: DID!) { channel(id: $id) { blockedUsers { totalCount edges { node { user { username ' +
      '} blockedAt } } } } }';
    const { result, statements } = await api.counted(() => api.ok(anna, list, { id: anna.channel }));
    assert.equal(statements, 1);
    const { totalCount, edges } = result.channel.blockedUsers;
    assert.deepEqual([totalCount, edges[0].node.user], [1, { username: 'bert' }]);
    assert.deepEqual((await api.ok(cast.vera, list, { id: anna.channel })).channel, { blockedUsers: null });

    const unblock = 'mutation ($channel: DID!) { unblockUser(id: $channel, input: { username: "bert" }) { ok } }';
    for (let times = 0; times < 2; times += 1) await api.ok(anna, unblock, { channel: anna.channel });
    await comment(api, bert, content, 'Back');
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  const refusals: [string, (cast: Cast) => [Person, string, string], string, string][] = [
    ['someone who works on the channel', ({ anna }) => [anna, anna.channel, 'vera'], 'INVALID_INPUT', 'input.username'],
    ['nobody', ({ anna }) => [anna, anna.channel, 'nobody'], 'RESOURCE_NOT_FOUND', 'input.username'],
    ['a blank name', ({ anna }) => [anna, anna.channel, ' '], 'FIELD_REQUIRED', 'input.username'],
    ['in the channel of others', ({ bert, anna }) => [bert, anna.channel, 'cleo'], 'UNAUTHORIZED', 'id'],
    ['as VIEWER', ({ vera, anna }) => [vera, anna.channel, 'cleo'], 'UNAUTHORIZED', 'id'],
    [
      'in no channel',
      ({ anna }) => [anna, 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e', 'cleo'],
      'RESOURCE_NOT_FOUND',
      'id',
    ],
  ];
  for (const [name, who, code, field] of refusals) {
    it(`refuses to block ${name}`, async () => {
      const [person, channel, username] = who(cast);
      const error = await cast.api.refused(person, BLOCK, { channel, username, hide: false });
      assert.deepEqual([error.code, error.field], [code, field]);
    });
  }
});
