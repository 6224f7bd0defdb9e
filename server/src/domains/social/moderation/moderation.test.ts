import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Person, publishedEpisode, uuidOf } from '../../catalog/testing.ts';
import { comment, countsAndRecount, eventsOf } from '../testing.ts';
import { type Cast, openCast } from './testing.ts';

const CREATE =
  'mutation ($contentId: DID!, $body: String!) { createComment(contentId: $contentId, body: $body) ' +
  '{ id status heldFor } }';
const SETTINGS =
  'mutation ($id: DID!, $mode: CommentMode!) { updateCommentSettings(id: $id, input: { mode: $mode }) ' +
  '{ content { commentSettings { mode } } } }';
const MODERATION =
  'mutation ($channel: DID!, $input: UpdateModerationInput!) { updateModeration(id: $channel, input: $input) ' +
  '{ channel { moderation { blockedWords holdLinks } } } }';
const QUEUE =
  'query ($id: DID!) { channel(id: $id) { heldComments { totalCount edges { node { id body author { username } } ' +
  '} } moderation { holdLinks } } }';
const REVIEW = (name: string) =>
  `mutation ($ids: [DID!]!) { ${name}(ids: $ids) { results { id ok error { code field } } } }`;
const MISSING = 'did:reelgraph:comment/01a1facb-422b-7000-b9e0-9276b51acd0e';

describe('holding comments for review', () => {
  let cast: Cast;
  before(async () => {
    cast = await openCast();
  });
  after(() => cast.api.close());

  it('follows the settings of the content', async () => {
    const { api, anna, bert, vera } = cast;
    const contentId = await api.content(anna, { status: 'PUBLISHED' });
    const post = (who: Person, body: string) => {
      api.clock.advance(60_000);
      return api.run(who, CREATE, { contentId, body });
    };
    const { result, roundTrips } = await api.counted(() => api.ok(anna, SETTINGS, { id: contentId, mode: 'HOLD_ALL' }));
    assert.deepEqual(
      [result.updateCommentSettings.content, roundTrips],
      [{ commentSettings: { mode: 'HOLD_ALL' } }, 1],
    );
    const held = (await post(bert, 'Held')).data.createComment;
    assert.deepEqual([held.status, held.heldFor], ['HELD', 'ALL']);
    assert.equal((await post(anna, 'Own people are not held')).data.createComment.status, 'PUBLISHED');
    await api.ok(anna, SETTINGS, { id: contentId, mode: 'MEMBERS_ONLY' });
    assert.deepEqual(
      (await post(bert, 'Let me in')).errors.map(({ code, field }) => [code, field]),
      [['UNAUTHORIZED', 'contentId']],
    );
    assert.deepEqual((await post(vera, 'In')).errors, []);
    await api.ok(anna, SETTINGS, { id: contentId, mode: 'DISABLED' });
    for (const who of [anna, bert]) {
      const [error] = (await post(who, 'Hello?')).errors;
      assert.deepEqual([error?.code, error?.field], ['UNAUTHORIZED', 'contentId']);
      assert.match(error?.message ?? '', /disabled/);
    }
    assert.equal((await api.refused(bert, SETTINGS, { id: contentId, mode: 'ENABLED' })).code, 'UNAUTHORIZED');
    assert.equal((await api.refused(vera, SETTINGS, { id: contentId, mode: 'ENABLED' })).code, 'UNAUTHORIZED');
    const draft = await api.content(anna);
    assert.equal((await api.refused(bert, SETTINGS, { id: draft, mode: 'ENABLED' })).code, 'RESOURCE_NOT_FOUND');
  });

  it('hides comments of an episode while its series is hidden', async () => {
    const { api, anna, bert } = cast;
    const { serie, episode } = await publishedEpisode(api, anna);
    const changeBy = async (who: Person) => (await api.refused(who, SETTINGS, { id: episode, mode: 'ENABLED' })).code;
    assert.equal(await changeBy(bert), 'UNAUTHORIZED');
    await api.rows(`update contents set visibility = 'PRIVATE' where id = $1`, [uuidOf(serie)]);
    assert.equal(await changeBy(bert), 'RESOURCE_NOT_FOUND');
    await api.rows(`update contents set visibility = 'UNLISTED' where id = $1`, [uuidOf(serie)]);
    assert.equal(await changeBy(bert), 'UNAUTHORIZED');
    await api.rows(`update contents set status = 'READY', published_at = null where id = $1`, [uuidOf(serie)]);
    assert.equal(await changeBy(bert), 'RESOURCE_NOT_FOUND');
    await api.ok(anna, SETTINGS, { id: episode, mode: 'ENABLED' });
  });

  it('clears the blocked words with null, keeps omitted settings, and refuses null for the links', async () => {
    const { api, dora } = { ...cast, dora: await cast.api.person('dora') };
    const change = async (input: Record<string, unknown>) =>
      (await api.ok(dora, MODERATION, { channel: dora.channel, input })).updateModeration.channel.moderation;
    assert.deepEqual(await change({ blockedWords: ['bad deal'] }), { blockedWords: ['bad deal'], holdLinks: false });
    assert.deepEqual(await change({ holdLinks: true }), { blockedWords: ['bad deal'], holdLinks: true });
    const error = await api.refused(dora, MODERATION, {
      channel: dora.channel,
      input: { blockedWords: ['x'], holdLinks: null },
    });
    assert.deepEqual([error.code, error.field], ['FIELD_REQUIRED', 'input.holdLinks']);
    assert.deepEqual(await change({ blockedWords: null }), { blockedWords: [], holdLinks: true });
  });

  it('holds comments with blocked words and links, also after edits, for the author and the moderators only', async () => {
    const { api, anna, bert, cleo, emil, vera } = cast;
    const contentId = await api.content(anna, { status: 'PUBLISHED' });
    const input = { blockedWords: ['Café', 'café', 'bad deal'], holdLinks: true };
    const { channel } = (await api.ok(emil, MODERATION, { channel: anna.channel, input })).updateModeration;
    assert.deepEqual(channel.moderation, { blockedWords: ['Café', 'bad deal'], holdLinks: true });
    const word = await comment(api, bert, contentId, 'what a CAFE');
    const link = await comment(api, bert, contentId, 'see https://example.com');
    const fine = await comment(api, bert, contentId, 'cafeteria');
    const read = 'query ($id: DID!) { comment(id: $id) { body status heldFor author { username } } }';
    for (const who of [bert, anna, emil]) {
      assert.deepEqual((await api.ok(who, read, { id: word })).comment, {
        body: 'what a CAFE',
        status: 'HELD',
        heldFor: 'BLOCKED_WORD',
        author: { username: 'bert' },
      });
    }
    for (const who of [cleo, vera])
      assert.equal((await api.refused(who, read, { id: word })).code, 'RESOURCE_NOT_FOUND');
    const listed =
      'query ($id: DID!) { content(id: $id) { commentCount comments { totalCount edges { node { id } } } } }';
    assert.deepEqual((await api.ok(bert, listed, { id: contentId })).content, {
      commentCount: 1,
      comments: { totalCount: 1, edges: [{ node: { id: fine } }] },
    });
    assert.equal((await api.ok(bert, '{ me { comments { totalCount } } }')).me.comments.totalCount >= 3, true);

    const { result, statements } = await api.counted(() => api.ok(emil, QUEUE, { id: anna.channel }));
    assert.equal(statements, 1);
    const queue = result.channel.heldComments.edges.map((edge: { node: { id: string } }) => edge.node.id);
    assert.deepEqual(queue.slice(-2), [word, link]);
    for (const who of [bert, vera])
      assert.deepEqual((await api.ok(who, QUEUE, { id: anna.channel })).channel, {
        heldComments: null,
        moderation: null,
      });

    await api.ok(
      bert,
      'mutation ($id: DID!) { updateComment(id: $id, input: { body: "A bad  deal" }) { comment { status } } }',
      {
        id: fine,
      },
    );
    assert.deepEqual((await api.ok(bert, listed, { id: contentId })).content, {
      commentCount: 0,
      comments: { totalCount: 0, edges: [] },
    });
  });

  const refusals: [string, Record<string, unknown>, string, string][] = [
    ['a blank word', { blockedWords: ['ok', ' '] }, 'FIELD_REQUIRED', 'input.blockedWords.1'],
    ['a control character', { blockedWords: ['a\u0000'] }, 'INVALID_INPUT', 'input.blockedWords.0'],
    [
      '501 words',
      { blockedWords: Array.from({ length: 501 }, (_, index) => `w${index}`) },
      'INVALID_INPUT',
      'input.blockedWords',
    ],
  ];
  for (const [name, input, code, field] of refusals) {
    it(`refuses ${name}`, async () => {
      const error = await cast.api.refused(cast.anna, MODERATION, { channel: cast.anna.channel, input });
      assert.deepEqual([error.code, error.field], [code, field]);
    });
  }

  it('requires a moderator', async () => {
    const { api, anna, bert, vera } = cast;
    for (const who of [bert, vera]) {
      const error = await api.refused(who, MODERATION, { channel: anna.channel, input: {} });
      assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'id']);
    }
    const missing = await api.refused(bert, MODERATION, {
      channel: 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e',
      input: {},
    });
    assert.deepEqual([missing.code, missing.field], ['RESOURCE_NOT_FOUND', 'id']);
  });
});

describe('reviewing comments', () => {
  let cast: Cast;
  let content: string;
  before(async () => {
    cast = await openCast();
    content = await cast.api.content(cast.anna, { status: 'PUBLISHED' });
  });
  after(() => cast.api.close());

  it('reports a result for each, in order, and is idempotent', async () => {
    const { api, anna, bert, emil } = cast;
    await api.ok(anna, SETTINGS, { id: content, mode: 'HOLD_ALL' });
    const [one, two] = [await comment(api, bert, content, 'One'), await comment(api, bert, content, 'Two')];
    await api.ok(anna, SETTINGS, { id: content, mode: 'ENABLED' });
    const elsewhere = await api.content(bert, { status: 'PUBLISHED' });
    const foreign = await comment(api, bert, elsewhere);
    const ids = [two, MISSING, 'nonsense', foreign, one];
    const { approveComments } = await api.ok(emil, REVIEW('approveComments'), { ids });
    assert.deepEqual(approveComments.results, [
      { id: two, ok: true, error: null },
      { id: MISSING, ok: false, error: { code: 'RESOURCE_NOT_FOUND', field: 'ids.1' } },
      { id: 'nonsense', ok: false, error: { code: 'INVALID_INPUT', field: 'ids.2' } },
      { id: foreign, ok: false, error: { code: 'UNAUTHORIZED', field: 'ids.3' } },
      { id: one, ok: true, error: null },
    ]);
    await api.ok(emil, REVIEW('approveComments'), { ids: [one, one] });
    assert.deepEqual(await eventsOf(api, one), ['comment.created', 'comment.updated']);
    assert.deepEqual(
      (await api.ok(bert, 'query ($id: DID!) { content(id: $id) { commentCount } }', { id: content })).content,
      {
        commentCount: 2,
      },
    );
    const many = await api.refused(emil, REVIEW('rejectComments'), { ids: Array(101).fill(one) });
    assert.deepEqual([many.code, many.field], ['INVALID_INPUT', 'ids']);
    assert.deepEqual((await api.ok(emil, REVIEW('rejectComments'), { ids: [] })).rejectComments.results, []);
  });

  it('keeps a placeholder for a rejected comment with replies, and restores it when approved again', async () => {
    const { api, anna, bert, cleo } = cast;
    const root = await comment(api, bert, content, 'Rude');
    const response = await comment(api, cleo, content, 'Indeed', root);
    await api.ok(
      cleo,
      'mutation ($id: DID!, $parent: DID) { createComment(contentId: $id, body: "More", parent: $parent) { id } }',
      {
        id: content,
        parent: root,
      },
    );
    const read = 'query ($id: DID!) { comment(id: $id) { body status author { username } replies { totalCount } } }';
    await api.ok(anna, REVIEW('rejectComments'), { ids: [root] });
    assert.deepEqual((await api.ok(cleo, read, { id: root })).comment, {
      body: '',
      status: 'REJECTED',
      author: null,
      replies: { totalCount: 2 },
    });
    assert.equal((await api.ok(bert, read, { id: root })).comment.body, 'Rude');
    assert.equal(
      (await api.ok(cleo, 'query ($id: DID!) { comment(id: $id) { parent { body } } }', { id: response })).comment
        .parent.body,
      '',
    );
    await api.ok(anna, REVIEW('approveComments'), { ids: [root] });
    assert.equal((await api.ok(cleo, read, { id: root })).comment.body, 'Rude');
    await api.ok(anna, REVIEW('holdComments'), { ids: [response] });
    assert.equal((await api.ok(cleo, read, { id: root })).comment.replies.totalCount, 1);
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  it('refuses hearts, likes and pins of unpublished comments', async () => {
    const { api, anna, bert } = cast;
    const id = await comment(api, bert, content, 'Wait');
    await api.ok(anna, REVIEW('holdComments'), { ids: [id] });
    for (const name of ['heartComment', 'likeComment', 'pinComment']) {
      const error = await api.refused(anna, `mutation ($id: DID!) { ${name}(id: $id) { comment { id } } }`, { id });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'id'], name);
    }
  });
});
