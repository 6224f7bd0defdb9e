import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, publishedEpisode, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { comment, countsAndRecount, eventsOf, member } from '../testing.ts';

const CREATE =
  'mutation ($contentId: DID!, $body: String!) { createComment(contentId: $contentId, body: $body) ' +
  '{ id status heldFor } }';
const SETTINGS =
  'mutation ($id: DID!, $mode: CommentMode!) { updateCommentSettings(contentId: $id, input: { mode: $mode }) ' +
  '{ commentSettings { mode } } }';
const MODERATION =
  'mutation ($channel: DID!, $input: UpdateModerationInput!) { updateModeration(channel: $channel, input: $input) ' +
  '{ moderation { blockedWords holdLinks } } }';
const QUEUE =
  'query ($id: DID!) { channel(id: $id) { heldComments { totalCount edges { node { id body author { username } } ' +
  '} } moderation { holdLinks } } }';
const REVIEW = (name: string) =>
  `mutation ($ids: [DID!]!) { ${name}(ids: $ids) { results { id ok error { code field } } } }`;
const MISSING = 'did:reelgraph:comment/01a1facb-422b-7000-b9e0-9276b51acd0e';

interface Cast {
  readonly api: TestCatalog;
  /** Owner of the channel. */
  readonly anna: Person;
  /** A stranger. */
  readonly bert: Person;
  readonly cleo: Person;
  /** EDITOR and VIEWER of the channel. */
  readonly emil: Person;
  readonly vera: Person;
}

async function openCast(): Promise<Cast> {
  const api = await openTestCatalog();
  const [anna, bert, cleo, emil, vera] = await Promise.all(
    ['anna', 'bert', 'cleo', 'emil', 'vera'].map((name) => api.person(name)),
  );
  assert.ok(anna && bert && cleo && emil && vera);
  await member(api, anna, emil, 'EDITOR');
  await member(api, anna, vera, 'VIEWER');
  return { api, anna, bert, cleo, emil, vera };
}

describe('holding comments for review', () => {
  let cast: Cast;
  before(async () => {
    cast = await openCast();
  });
  after(() => cast.api.close());

  it('follows the settings of the content', async () => {
    const { api, anna, bert, vera } = cast;
    const contentId = await api.content(anna, { status: 'PUBLISHED' });
    const say = (who: Person, body: string) => {
      api.clock.advance(60_000);
      return api.run(who, CREATE, { contentId, body });
    };
    const { result, roundTrips } = await api.counted(() => api.ok(anna, SETTINGS, { id: contentId, mode: 'HOLD_ALL' }));
    assert.deepEqual([result.updateCommentSettings, roundTrips], [{ commentSettings: { mode: 'HOLD_ALL' } }, 1]);
    const held = (await say(bert, 'Held')).data.createComment;
    assert.deepEqual([held.status, held.heldFor], ['HELD', 'ALL']);
    assert.equal((await say(anna, 'Own people are not held')).data.createComment.status, 'PUBLISHED');
    await api.ok(anna, SETTINGS, { id: contentId, mode: 'MEMBERS_ONLY' });
    assert.deepEqual(
      (await say(bert, 'Let me in')).errors.map(({ code, field }) => [code, field]),
      [['UNAUTHORIZED', 'contentId']],
    );
    assert.deepEqual((await say(vera, 'In')).errors, []);
    await api.ok(anna, SETTINGS, { id: contentId, mode: 'DISABLED' });
    for (const who of [anna, bert]) {
      const [error] = (await say(who, 'Hello?')).errors;
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
      (await api.ok(dora, MODERATION, { channel: dora.channel, input })).updateModeration.moderation;
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
    const { updateModeration } = await api.ok(emil, MODERATION, { channel: anna.channel, input });
    assert.deepEqual(updateModeration.moderation, { blockedWords: ['Café', 'bad deal'], holdLinks: true });
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

    await api.ok(bert, 'mutation ($id: DID!) { updateComment(id: $id, body: "A bad  deal") { status } }', { id: fine });
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
      assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'channel']);
    }
    const missing = await api.refused(bert, MODERATION, {
      channel: 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e',
      input: {},
    });
    assert.deepEqual([missing.code, missing.field], ['RESOURCE_NOT_FOUND', 'channel']);
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
      const error = await api.refused(anna, `mutation ($id: DID!) { ${name}(id: $id) { id } }`, { id });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'id'], name);
    }
  });
});

describe('blocking accounts', () => {
  let cast: Cast;
  before(async () => {
    cast = await openCast();
  });
  after(() => cast.api.close());

  const BLOCK =
    'mutation ($channel: DID!, $username: String!, $hide: Boolean!) { blockUser(channel: $channel, ' +
    'username: $username, hideComments: $hide) { ok rejectedComments user { username } } }';

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
      ['mutation ($id: DID!) { likeComment(id: $id) { id } }', others],
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

    const unblock = 'mutation ($channel: DID!) { unblockUser(channel: $channel, username: "bert") { ok } }';
    for (let times = 0; times < 2; times += 1) await api.ok(anna, unblock, { channel: anna.channel });
    await comment(api, bert, content, 'Back');
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  const refusals: [string, (cast: Cast) => [Person, string, string], string, string][] = [
    ['someone who works on the channel', ({ anna }) => [anna, anna.channel, 'vera'], 'INVALID_INPUT', 'username'],
    ['nobody', ({ anna }) => [anna, anna.channel, 'nobody'], 'RESOURCE_NOT_FOUND', 'username'],
    ['a blank name', ({ anna }) => [anna, anna.channel, ' '], 'FIELD_REQUIRED', 'username'],
    ['in the channel of others', ({ bert, anna }) => [bert, anna.channel, 'cleo'], 'UNAUTHORIZED', 'channel'],
    ['as VIEWER', ({ vera, anna }) => [vera, anna.channel, 'cleo'], 'UNAUTHORIZED', 'channel'],
    [
      'in no channel',
      ({ anna }) => [anna, 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e', 'cleo'],
      'RESOURCE_NOT_FOUND',
      'channel',
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

describe('reports', () => {
  let cast: Cast;
  before(async () => {
    cast = await openCast();
  });
  after(() => cast.api.close());

  const REPORT =
    'mutation ($input: ReportInput!) { report(input: $input) { id status reason note content { id } comment { id ' +
    '} channel { id } } }';
  const LIST =
    'query ($id: DID!, $status: ReportStatus!) { channel(id: $id) { reports(status: $status) { totalCount edges ' +
    '{ node { id note madeBy { username } comment { body } resolvedAt } } } } }';
  const RESOLVE =
    'mutation ($id: DID!, $resolution: ReportResolution!) { resolveReport(id: $id, resolution: $resolution) ' +
    '{ status } }';

  it('are limited to one open report per account and object, and are listed for and closed by moderators', async () => {
    const { api, anna, bert, cleo, emil, vera } = cast;
    const content = await api.content(anna, { status: 'PUBLISHED' });
    const rude = await comment(api, cleo, content, 'Rude');
    const send = (who: Person, target: string, note?: string) =>
      api.ok(who, REPORT, { input: { target, reason: 'SPAM', note } });
    const first = (await send(bert, rude, 'Look\nhere')).report;
    assert.deepEqual(
      { ...first, id: '' },
      {
        id: '',
        status: 'OPEN',
        reason: 'SPAM',
        note: 'Look\nhere',
        content: null,
        comment: { id: rude },
        channel: { id: anna.channel },
      },
    );
    const again = await Promise.all([send(bert, rude, 'Changed'), send(bert, rude, 'Changed')]);
    assert.deepEqual(
      again.map(({ report }) => report.id),
      [first.id, first.id],
    );
    assert.deepEqual(await eventsOf(api, first.id), ['report.created']);
    assert.deepEqual((await send(cleo, content)).report.content, { id: content });
    assert.deepEqual((await send(bert, anna.channel)).report.channel, { id: anna.channel });

    const list = (who: Person, status: string) => api.ok(who, LIST, { id: anna.channel, status });
    const { result, statements } = await api.counted(() => list(emil, 'OPEN'));
    const { totalCount, edges } = result.channel.reports;
    assert.deepEqual([statements, totalCount, edges.length], [1, 3, 3]);
    const { node } = edges.find((edge: { node: { id: string } }) => edge.node.id === first.id);
    assert.deepEqual(node, {
      id: first.id,
      note: 'Changed',
      madeBy: { username: 'bert' },
      comment: { body: 'Rude' },
      resolvedAt: null,
    });
    for (const who of [bert, vera]) assert.deepEqual((await list(who, 'OPEN')).channel, { reports: null });

    for (const who of [bert, vera])
      assert.equal(
        (await api.refused(who, RESOLVE, { id: first.id, resolution: 'RESOLVED' })).code,
        'RESOURCE_NOT_FOUND',
      );
    for (let times = 0; times < 2; times += 1) {
      assert.deepEqual((await api.ok(emil, RESOLVE, { id: first.id, resolution: 'RESOLVED' })).resolveReport, {
        status: 'RESOLVED',
      });
    }
    assert.deepEqual(await eventsOf(api, first.id), ['report.created', 'report.resolved']);
    assert.deepEqual(await api.row(`select channel_id, payload from events where type = 'report.resolved'`), {
      channel_id: anna.channelId,
      payload: { resolution: 'RESOLVED' },
    });
    const other = await api.refused(anna, RESOLVE, { id: first.id, resolution: 'DISMISSED' });
    assert.deepEqual([other.code, other.field], ['INVALID_INPUT', 'resolution']);
    assert.equal((await list(anna, 'OPEN')).channel.reports.totalCount, 2);
    assert.equal((await list(anna, 'RESOLVED')).channel.reports.totalCount, 1);
    assert.notEqual((await send(bert, rude)).report.id, first.id);
    await api.rows('delete from comments where id = $1', [uuidOf(rude)]);
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  it('refuse objects the account cannot see, and invalid notes', async () => {
    const { api, anna, bert } = cast;
    const cases: [Record<string, unknown>, string, string][] = [
      [{ target: await api.content(anna) }, 'RESOURCE_NOT_FOUND', 'input.target'],
      [{ target: MISSING }, 'RESOURCE_NOT_FOUND', 'input.target'],
      [{ target: 'did:reelgraph:job/01a1facb-422b-7000-b9e0-9276b51acd0e' }, 'INVALID_INPUT', 'input.target'],
      [{ target: anna.channel, note: 'x'.repeat(1_001) }, 'INVALID_INPUT', 'input.note'],
      [{ target: anna.channel, note: 'a\u0000' }, 'INVALID_INPUT', 'input.note'],
    ];
    for (const [input, code, field] of cases) {
      const error = await api.refused(bert, REPORT, { input: { reason: 'OTHER', ...input } });
      assert.deepEqual([error.code, error.field], [code, field]);
    }
    assert.equal(
      (await api.refused(null, REPORT, { input: { target: anna.channel, reason: 'OTHER' } })).code,
      'UNAUTHENTICATED',
    );
  });
});
