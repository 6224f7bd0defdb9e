import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

/** One statement per document, except where sibling lists need one each; all in one round trip. */
const COUNTED: [string, string, number][] = [
  [
    'a channel',
    'query ($channel: DID!) { channel(id: $channel) { id handle metadata ' +
      '{ name title summary shortSummary keywords } createdAt } }',
    1,
  ],
  [
    'channels',
    '{ channels(first: 5) { totalCount edges { cursor node { id handle } } pageInfo ' +
      '{ hasNextPage hasPreviousPage startCursor endCursor } } }',
    1,
  ],
  [
    'a feature',
    'query ($feature: DID!) { feature(id: $feature) { id metadata { title duration contentLayout } channel ' +
      '{ id metadata { title } } publishedAt createdAt } }',
    1,
  ],
  [
    'features',
    '{ features(first: 20) { totalCount edges { cursor node { id metadata { title } channel { id handle } } ' +
      '} pageInfo { hasNextPage endCursor } } }',
    1,
  ],
  [
    'features with their images',
    '{ features(first: 20) { edges { node { id assets { images(first: 3) { edges { node { url variants ' +
      '{ url width } } } totalCount } } } } } }',
    1,
  ],
  [
    'a content',
    'query ($feature: DID!) { content(id: $feature) { id status hints { type } metadata { visibility releaseDate ' +
      '} outputAssets { video { hls } } transcodeJob { status progress error } updatedAt } }',
    1,
  ],
  [
    'a content with both kinds of files',
    'query ($feature: DID!) { content(id: $feature) { assets { videos { edges { node { id playlistUrl } } ' +
      '} images { edges { node { id } } } } } }',
    1,
  ],
  [
    "a channel's features",
    'query ($channel: DID!) { channel(id: $channel) { features(first: 2) { totalCount edges { node { id } ' +
      '} pageInfo { hasNextPage } } } }',
    1,
  ],
  [
    "the own channel's contents",
    '{ me { channel { contents(first: 2) { totalCount edges { node { id status } } } } } }',
    1,
  ],
  [
    "the own channel's series",
    '{ me { channel { contents(first: 2, kinds: [SERIES, MINISERIES]) { totalCount edges { node { id } } } } } }',
    1,
  ],
  ["the own channel's images", '{ me { channel { assets { images { totalCount edges { node { id } } } } } } }', 1],
  [
    'own uploads',
    '{ me { ingestions(first: 2) { totalCount edges { node { id endpoint state tus { filename initiator ' +
      '} metadata { contentId channelId hint } progress { current total } expiresAt } } } } }',
    1,
  ],
  [
    'an object by identifier',
    'query ($feature: DID!) { node(id: $feature) { id ... on Feature { metadata { title } } } }',
    1,
  ],
  [
    'objects of two kinds',
    'query ($channel: DID!, $feature: DID!) { nodes(ids: [$channel, $feature, $channel]) { id __typename } }',
    2,
  ],
];

describe('reading contents', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let feature: string;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    for (let index = 0; index < 5; index += 1)
      feature = await api.content(anna, { status: 'PUBLISHED', title: `Video ${index}` });
    await api.content(anna, { status: 'PUBLISHED', kind: 'SHORT' });
    await api.content(bert, { status: 'PUBLISHED', title: "Bert's video" });
  });
  after(() => api.close());

  for (const [name, document, statements] of COUNTED) {
    it(`reads ${name} in one round trip`, async () => {
      const counted = await api.counted(() => api.ok(anna, document, { channel: anna.channel, feature }));
      assert.deepEqual([counted.roundTrips, counted.statements], [1, statements]);
    });
  }

  it('pages through features without gaps or duplicates, in both directions, newest first', async () => {
    const page =
      'query ($first: Int, $after: String, $last: Int, $before: String) { features(first: $first, after: $after, ' +
      'last: $last, before: $before) { totalCount edges { cursor node { metadata { title } } } pageInfo ' +
      '{ hasNextPage hasPreviousPage startCursor endCursor } } }';
    const titles = ["Bert's video", 'Video 4', 'Video 3', 'Video 2', 'Video 1', 'Video 0'];
    const forwards: string[] = [];
    for (let variables: Record<string, unknown> | null = { first: 4 }; variables; ) {
      const { features } = await api.ok(bert, page, variables);
      assert.equal(features.totalCount, 6);
      forwards.push(
        ...features.edges.map((edge: { node: { metadata: { title: string } } }) => edge.node.metadata.title),
      );
      variables = features.pageInfo.hasNextPage ? { first: 4, after: features.pageInfo.endCursor } : null;
    }
    assert.deepEqual(forwards, titles);
    const backwards: string[] = [];
    for (let variables: Record<string, unknown> | null = { last: 4 }; variables; ) {
      const { features } = await api.ok(bert, page, variables);
      backwards.unshift(
        ...features.edges.map((edge: { node: { metadata: { title: string } } }) => edge.node.metadata.title),
      );
      variables = features.pageInfo.hasPreviousPage ? { last: 4, before: features.pageInfo.startCursor } : null;
    }
    assert.deepEqual(backwards, titles);
  });

  it('lists and counts a channel’s contents by kind for members, and nothing for others', async () => {
    const own =
      'query ($id: DID!, $kinds: [ContentKind!]) { channel(id: $id) { contents(kinds: $kinds) { totalCount edges ' +
      '{ node { kind } } } } }';
    const kindsOf = async (kinds: string[]) => {
      const { channel } = await api.ok(anna, own, { id: anna.channel, kinds });
      return [
        channel.contents.totalCount,
        channel.contents.edges.map((edge: { node: { kind: string } }) => edge.node.kind),
      ];
    };
    const draft = await api.content(anna, { status: 'DRAFT', kind: 'SHORT' });
    assert.deepEqual(await kindsOf(['SHORT']), [2, ['SHORT', 'SHORT']]);
    assert.deepEqual(await kindsOf(['SHORT', 'SHORT', 'SERIES']), [2, ['SHORT', 'SHORT']]);
    assert.deepEqual(await kindsOf(['FEATURE']), [5, Array(5).fill('FEATURE')]);
    assert.deepEqual(await kindsOf([]), [0, []]);
    await api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: draft });
    assert.deepEqual(await kindsOf(['SHORT']), [1, ['SHORT']]);
    assert.deepEqual(await api.ok(bert, own, { id: anna.channel, kinds: ['SHORT'] }), { channel: { contents: null } });
  });

  it('refuses invalid page arguments and cursors of another list, naming the argument', async () => {
    const { channels } = await api.ok(anna, '{ channels(first: 1) { pageInfo { endCursor } } }');
    const cases: [string, string][] = [
      ['first: 0', 'first'],
      ['first: -1', 'first'],
      ['first: 101', 'first'],
      ['last: 101', 'last'],
      ['after: "nonsense"', 'after'],
      [`after: "${channels.pageInfo.endCursor}"`, 'after'],
    ];
    for (const [args, field] of cases) {
      const error = await api.refused(anna, `{ features(${args}) { edges { cursor } } }`);
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', field], args);
    }
  });

  it('keeps totals exact through publishing, hiding and deleting, overall and per channel', async () => {
    const totals = async () => {
      const { features, channel } = await api.ok(
        anna,
        'query ($id: DID!) { features { totalCount } channel(id: $id) { features { totalCount } contents ' +
          '{ totalCount } } }',
        { id: anna.channel },
      );
      return [features.totalCount, channel.features.totalCount, channel.contents.totalCount];
    };
    const [all = 0, own = 0, kept = 0] = await totals();
    const id = await api.content(anna);
    const step = async (document: string, expected: number[]) => {
      await api.ok(anna, document, { id });
      assert.deepEqual(await totals(), expected, document);
    };
    assert.deepEqual(await totals(), [all, own, kept + 1]);
    await step('mutation ($id: DID!) { publishContent(id: $id) { id } }', [all + 1, own + 1, kept + 1]);
    await step('mutation ($id: DID!) { updateContent(id: $id, input: { visibility: UNLISTED }) { id } }', [
      all,
      own,
      kept + 1,
    ]);
    await step('mutation ($id: DID!) { updateContent(id: $id, input: { visibility: PUBLIC }) { id } }', [
      all + 1,
      own + 1,
      kept + 1,
    ]);
    await step('mutation ($id: DID!) { unpublishContent(id: $id) { id } }', [all, own, kept + 1]);
    await step('mutation ($id: DID!) { publishContent(id: $id) { id } }', [all + 1, own + 1, kept + 1]);
    await step('mutation ($id: DID!) { deleteContent(id: $id) { id } }', [all, own, kept]);
  });

  it('shows the contents of a channel to its owner only', async () => {
    const document = 'query ($id: DID!) { channel(id: $id) { contents { totalCount } features { totalCount } } }';
    assert.ok((await api.ok(anna, document, { id: anna.channel })).channel.contents.totalCount > 0);
    assert.deepEqual((await api.ok(bert, document, { id: anna.channel })).channel.contents, null);
  });

  const visibility: [string, { status: string; visibility: string }, boolean, boolean][] = [
    ['a draft', { status: 'DRAFT', visibility: 'PUBLIC' }, false, false],
    ['what is ready', { status: 'READY', visibility: 'PUBLIC' }, false, false],
    ['what is published', { status: 'PUBLISHED', visibility: 'PUBLIC' }, true, true],
    ['what is unlisted', { status: 'PUBLISHED', visibility: 'UNLISTED' }, true, false],
    ['what is private', { status: 'PUBLISHED', visibility: 'PRIVATE' }, false, false],
  ];
  for (const [name, options, others, listed] of visibility) {
    it(`shows ${name} to its owner, ${others ? 'and' : 'not'} to others${listed ? ', and lists it' : ''}`, async () => {
      const id = await api.content(anna, options);
      const document =
        'query ($id: DID!) { content(id: $id) { status } feature(id: $id) { id } node(id: $id) { id __typename } }';
      const own = await api.ok(anna, document, { id });
      assert.deepEqual(own, {
        content: { status: options.status },
        feature: { id },
        node: { id, __typename: 'Feature' },
      });
      const theirs = await api.run(bert, document, { id });
      if (others)
        assert.deepEqual(
          [theirs.data.content, theirs.data.feature, theirs.data.node],
          [{ status: options.status }, { id }, { id, __typename: 'Feature' }],
        );
      else
        assert.deepEqual(
          [theirs.data, theirs.errors.map(({ code, field }) => [code, field])],
          [
            { content: null, feature: null, node: null },
            [
              ['RESOURCE_NOT_FOUND', 'id'],
              ['RESOURCE_NOT_FOUND', 'id'],
            ],
          ],
        );
      const { features } = await api.ok(bert, '{ features(first: 100) { edges { node { id } } } }');
      assert.equal(
        features.edges.some((edge: { node: { id: string } }) => edge.node.id === id),
        listed,
      );
    });
  }

  it('returns a short as Short, and refuses its identifier as a feature', async () => {
    const id = await api.content(anna, { kind: 'SHORT', status: 'PUBLISHED' });
    assert.deepEqual(
      await api.ok(bert, 'query ($id: DID!) { node(id: $id) { id __typename } content(id: $id) { kind } }', { id }),
      {
        node: { id, __typename: 'Short' },
        content: { kind: 'SHORT' },
      },
    );
    assert.deepEqual(
      (await api.refused(bert, 'query ($id: DID!) { feature(id: $id) { id } }', { id })).code,
      'INVALID_INPUT',
    );
  });

  it('returns null for missing objects and, of several, for invalid identifiers; a single one is refused', async () => {
    const missing = 'did:reelgraph:channel/01a1facb-422b-7000-b9e0-9276b51acd0e';
    assert.deepEqual(
      await api.ok(anna, 'query ($ids: [DID!]!) { nodes(ids: $ids) { id } }', {
        ids: [missing, anna.channel, 'anna', ''],
      }),
      { nodes: [null, { id: anna.channel }, null, null] },
    );
    const error = await api.refused(anna, '{ node(id: "anna") { id } }');
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'id']);
  });

  it('shows jobs and uploads to their owner only', async () => {
    const content = await api.content(anna, { status: 'PUBLISHED' });
    const job = newId();
    await api.rows(
      'insert into transcode_jobs (id, channel_id, content_id, status, error_message) values ($1, $2, $3, ' +
        "'ERROR', 'secret reason')",
      [job, anna.channelId, uuidOf(content)],
    );
    const document =
      'query ($id: DID!, $job: DID!) { content(id: $id) { transcodeJob { error } } node(id: $job) { id } }';
    const variables = { id: content, job: `did:reelgraph:job/${job}` };
    assert.deepEqual(await api.ok(anna, document, variables), {
      content: { transcodeJob: { error: 'secret reason' } },
      node: { id: variables.job },
    });
    assert.deepEqual(await api.ok(bert, document, variables), { content: { transcodeJob: null }, node: null });
  });
});
