import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const SERIE =
  'mutation ($channel: DID, $input: CreateSerieInput!) { createSerie(channel: $channel, input: $input) ' +
  '{ id kind status } }';
const MINISERIE = 'mutation ($input: CreateSerieInput!) { createMiniserie(input: $input) { id kind status } }';
const STREAM = 'mutation ($input: CreateStreamInput!) { createStream(input: $input) { id kind status } }';
const SEASON =
  'mutation ($serie: DID!, $input: CreateSeasonInput!) { createSeason(serie: $serie, input: $input) ' +
  '{ id kind status metadata { title number } parent { id } } }';
const EPISODE =
  'mutation ($parent: DID!, $input: CreateEpisodeInput!) { createEpisode(parent: $parent, input: $input) ' +
  '{ id kind status metadata { number } } }';
const MOVE =
  'mutation ($id: DID!, $to: DID, $number: Int, $position: Int) { moveEpisode(id: $id, to: $to, number: $number, ' +
  'position: $position) { metadata { number } parent { id } } }';
const RENUMBER =
  'mutation ($parent: DID!, $ids: [DID!], $from: Int) { renumberEpisodes(parent: $parent, ids: $ids, from: $from) ' +
  '{ children { edges { node { id } } } } }';
const PUBLISH = 'mutation ($id: DID!, $date: DateTime) { publishContent(id: $id, releaseDate: $date) { status } }';
const UPDATE = 'mutation ($id: DID!, $input: UpdateContentInput!) { updateContent(id: $id, input: $input) { id } }';

interface Listed {
  readonly totalCount: number;
  readonly edges: readonly { readonly node: { readonly id: string } }[];
}
const idsOf = ({ edges }: Listed): string[] => edges.map(({ node }) => node.id);

let api: TestCatalog;
let anna: Person;
let bert: Person;
before(async () => {
  api = await openTestCatalog();
  [anna, bert] = [await api.person('anna'), await api.person('bert')];
});
after(() => api.close());

const created = async (document: string, variables: Record<string, unknown>): Promise<string> =>
  Object.values((await api.ok(anna, document, variables)) as Record<string, { id: string }>)[0]?.id ?? '';
const serie = () => created(SERIE, { input: { title: 'Hills' } });
const season = (parent: string) => created(SEASON, { serie: parent, input: { title: 'Season' } });
const episode = (parent: string, number?: number) => created(EPISODE, { parent, input: { title: 'Episode', number } });
/** An episode that can be published. */
async function ready(parent: string): Promise<string> {
  const id = await episode(parent);
  await api.rows("update contents set status = 'READY' where id = $1", [uuidOf(id)]);
  return id;
}
/** Numbers of the children of a parent outside the trash, in order, by the given ids. */
async function numbers(parent: string, names: Record<string, string>): Promise<string> {
  const { content } = await api.ok(
    anna,
    'query ($id: DID!) { content(id: $id) { children(first: 100) { totalCount edges { node { id metadata { number ' +
      '} } } } } }',
    { id: parent },
  );
  const edges = content.children.edges as { node: { id: string; metadata: { number: number } } }[];
  assert.equal(content.children.totalCount, edges.length);
  return edges
    .map(({ node }) => `${Object.keys(names).find((name) => names[name] === node.id)}${node.metadata.number}`)
    .join(' ');
}

describe('creating series', () => {
  it('creates containers that can be published immediately, and drafts of kinds that need a video', async () => {
    const { createSerie } = await api.ok(anna, SERIE, { input: { title: 'Hills' } });
    assert.match(createSerie.id, /content\/serie\//);
    assert.deepEqual([createSerie.kind, createSerie.status], ['SERIE', 'READY']);
    assert.equal((await api.ok(anna, MINISERIE, { input: { title: 'Hills' } })).createMiniserie.status, 'READY');
    const { createStream } = await api.ok(anna, STREAM, {
      input: { title: 'Match', note: 'Rain\nfrom the second half' },
    });
    assert.deepEqual([createStream.kind, createStream.status], ['STREAM', 'DRAFT']);
    const note = async (input: Record<string, unknown>) => {
      const UPDATE =
        'mutation ($id: DID!, $input: UpdateContentInput!) { updateContent(id: $id, input: $input) { id } }';
      await api.ok(anna, UPDATE, { id: createStream.id, input });
      return (
        await api.ok(anna, 'query ($id: DID!) { stream(id: $id) { metadata { note } } }', { id: createStream.id })
      ).stream.metadata.note;
    };
    assert.equal(await note({ title: 'Match of the day' }), 'Rain\nfrom the second half');
    assert.equal(await note({ note: null }), '');
    const { createSeason } = await api.ok(anna, SEASON, { serie: createSerie.id, input: { title: ' One ' } });
    assert.deepEqual(
      [createSeason.status, createSeason.metadata, createSeason.parent],
      ['READY', { title: 'One', number: 1 }, { id: createSerie.id }],
    );
    const { createEpisode } = await api.ok(anna, EPISODE, {
      parent: createSeason.id,
      input: { title: 'Pilot', isPremiere: true },
    });
    assert.deepEqual([createEpisode.status, createEpisode.metadata.number], ['DRAFT', 1]);
    const events = await api.rows<{ type: string }>('select type from events where subject_id = $1', [
      uuidOf(createEpisode.id),
    ]);
    assert.deepEqual(events, [{ type: 'content.created' }]);
  });

  it('assigns the next number, or the given one', async () => {
    const parent = await season(await serie());
    const [a, b, c, d] = [
      await episode(parent),
      await episode(parent, 7),
      await episode(parent),
      await episode(parent, 0),
    ];
    assert.equal(await numbers(parent, { a, b, c, d }), 'd0 a1 b7 c8');
  });

  it('assigns unique numbers to concurrent requests', async () => {
    const parent = await season(await serie());
    const ids = await Promise.all(Array.from({ length: 8 }, () => episode(parent)));
    const rows = await api.rows<{ number: number }>(
      'select number from contents where id = any($1::uuid[]) order by number',
      [ids.map(uuidOf)],
    );
    assert.deepEqual(
      rows.map(({ number }) => number),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
  });

  const refusals: [
    string,
    (ids: { serie: string; season: string; episode: string }) => [string, Record<string, unknown>],
    string,
    string,
  ][] = [
    [
      'a number that is taken',
      (w) => [EPISODE, { parent: w.season, input: { title: 'a', number: 1 } }],
      'RESOURCE_ALREADY_EXISTS',
      'input.number',
    ],
    [
      'a negative number',
      (w) => [EPISODE, { parent: w.season, input: { title: 'a', number: -1 } }],
      'INVALID_INPUT',
      'input.number',
    ],
    ['an episode in a series', (w) => [EPISODE, { parent: w.serie, input: { title: 'a' } }], 'INVALID_INPUT', 'parent'],
    [
      'an episode in an episode',
      (w) => [EPISODE, { parent: w.episode, input: { title: 'a' } }],
      'INVALID_INPUT',
      'parent',
    ],
    ['a season in a season', (w) => [SEASON, { serie: w.season, input: { title: 'a' } }], 'INVALID_INPUT', 'serie'],
    ['a blank title', (w) => [SEASON, { serie: w.serie, input: { title: ' ' } }], 'FIELD_REQUIRED', 'input.title'],
    [
      'a season that says it is a miniseries',
      (w) => [EPISODE, { parent: w.season.replace('/season/', '/miniserie/'), input: { title: 'a' } }],
      'RESOURCE_NOT_FOUND',
      'parent',
    ],
    ['a move into itself', (w) => [MOVE, { id: w.episode, to: w.episode }], 'INVALID_INPUT', 'to'],
    ['number and position', (w) => [MOVE, { id: w.episode, number: 1, position: 1 }], 'INVALID_INPUT', 'position'],
    ['position 0', (w) => [MOVE, { id: w.episode, position: 0 }], 'INVALID_INPUT', 'position'],
    ['a number too high', (w) => [MOVE, { id: w.episode, number: 100_001 }], 'INVALID_INPUT', 'number'],
    [
      'an episode twice',
      (w) => [RENUMBER, { parent: w.season, ids: [w.episode, w.episode] }],
      'INVALID_INPUT',
      'ids.1',
    ],
  ];
  for (const [name, build, code, field] of refusals) {
    it(`refuses ${name} with ${code} and changes nothing`, async () => {
      const [one] = [await serie()];
      const two = await season(one);
      const fixture = { serie: one, season: two, episode: await episode(two) };
      const state = () =>
        api.rows('select count(*) as n, sum(number) as s from contents where channel_id = $1', [anna.channelId]);
      const before = await state();
      const error = await api.refused(anna, ...build(fixture));
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.deepEqual(await state(), before);
    });
  }

  it('refuses a video for containers', async () => {
    const id = await serie();
    const asset =
      'mutation ($id: DID!) { createContentAsset(id: $id, input: { filename: "a.mp4", size: 5, video: { hint: VR ' +
      '} }) { id } }';
    for (const [document, field] of [
      [asset, 'id'],
      ['mutation ($id: DID!) { submitContentForProcessing(id: $id) { id } }', 'id'],
      ['mutation ($id: DID!) { finalizeContentUpload(input: { contentId: $id }) { published } }', 'input.contentId'],
    ] as const) {
      const error = await api.refused(anna, document, { id });
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', field]);
    }
    const image =
      'mutation ($id: DID!) { createContentAsset(id: $id, input: { filename: "a.png", size: 5, image: ' +
      '{ hint: POSTER } }) { id } }';
    await api.ok(anna, image, { id });
  });

  it('opens the upload of an episode', async () => {
    const id = await episode(await season(await serie()));
    await api.ok(
      anna,
      'mutation ($id: DID!) { createContentAsset(id: $id, input: { filename: "a.mp4", size: 5, video: { hint: VR ' +
        '} }) { id } }',
      { id },
    );
  });
});

describe('ordering episodes', () => {
  it('moves by number and by position, within a season and to another, with an event for each change', async () => {
    const parent = await serie();
    const [first, second] = [await season(parent), await season(parent)];
    const [a, b, c] = [await episode(first), await episode(first), await episode(first)];
    const names = { a, b, c };
    await api.ok(anna, MOVE, { id: c, position: 1 });
    assert.equal(await numbers(first, names), 'c1 a2 b3');
    await api.ok(anna, MOVE, { id: b, number: 1 });
    assert.equal(await numbers(first, names), 'b1 c2 a3');
    const { moveEpisode } = await api.ok(anna, MOVE, { id: c, to: second });
    assert.deepEqual(moveEpisode, { metadata: { number: 1 }, parent: { id: second } });
    assert.deepEqual([await numbers(first, names), await numbers(second, names)], ['b1 a3', 'c1']);
    const events = await api.rows<{ n: bigint }>(
      "select count(*) as n from events where subject_id = $1 and type = 'content.updated'",
      [uuidOf(b)],
    );
    assert.equal(Number(events[0]?.n), 2);
  });

  it('renumbers all children in their order, or as listed', async () => {
    const parent = await season(await serie());
    const [a, b, c] = [await episode(parent, 4), await episode(parent, 9), await episode(parent, 12)];
    await api.ok(anna, RENUMBER, { parent });
    assert.equal(await numbers(parent, { a, b, c }), 'a1 b2 c3');
    const { renumberEpisodes } = await api.ok(anna, RENUMBER, { parent, ids: [c, a, b], from: 1 });
    assert.deepEqual(idsOf(renumberEpisodes.children), [c, a, b]);
  });

  it('keeps numbers unique under concurrent moves', async () => {
    const parent = await serie();
    const [one, two] = [await season(parent), await season(parent)];
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) ids.push(await episode(one));
    const outcomes = await Promise.all(
      [...ids, ...ids].map((id, index) =>
        api.run(anna, MOVE, { id, to: index % 2 ? one : two, position: 1 + (index % 3) }),
      ),
    );
    for (const { errors } of outcomes)
      assert.ok(
        errors.every(({ code }) => code === 'SERVICE_UNAVAILABLE'),
        JSON.stringify(errors),
      );
    const names = Object.fromEntries(ids.map((id, index) => ['abcd'.charAt(index), id]));
    const all = `${await numbers(one, names)} ${await numbers(two, names)}`.trim();
    assert.deepEqual(
      all
        .replaceAll(/[\d\s]/g, '')
        .split('')
        .sort(),
      ['a', 'b', 'c', 'd'],
    );
  });

  it('refuses parents in other channels, and returns RESOURCE_NOT_FOUND for hidden ones', async () => {
    const own = await season(await serie());
    const id = await episode(own);
    await api.rows(
      "insert into channel_members (channel_id, account_id, role) values ($1, $2, 'EDITOR') on conflict do nothing",
      [bert.channelId, anna.accountId],
    );
    const theirs = await api.content(bert, { kind: 'MINISERIE' });
    const foreign = await api.refused(anna, MOVE, { id, to: theirs });
    assert.deepEqual([foreign.code, foreign.field], ['INVALID_INPUT', 'to']);
    await api.rows('delete from channel_members where channel_id = $1 and account_id = $2', [
      bert.channelId,
      anna.accountId,
    ]);
    const hidden = await api.refused(anna, MOVE, { id, to: theirs });
    assert.deepEqual([hidden.code, hidden.field], ['RESOURCE_NOT_FOUND', 'to']);
    assert.deepEqual(
      await api.refused(bert, MOVE, { id }),
      await api.refused(bert, MOVE, { id: id.replace(uuidOf(id), '01a1facb-422b-7000-b9e0-9276b51acd0e') }),
    );
    const stranger = await api.refused(bert, EPISODE, { parent: own, input: { title: 'a' } });
    assert.deepEqual([stranger.code, stranger.field], ['RESOURCE_NOT_FOUND', 'parent']);
  });

  it('returns UNAUTHORIZED for another channel’s published series', async () => {
    const id = await serie();
    await api.ok(anna, PUBLISH, { id });
    const error = await api.refused(bert, SEASON, { serie: id, input: { title: 'Mine' } });
    assert.deepEqual([error.code, error.field], ['UNAUTHORIZED', 'serie']);
  });
});

describe('visibility of a series', () => {
  const SEEN = 'query ($id: DID!) { node(id: $id) { __typename } }';
  const seen = async (id: string) => (await api.ok(bert, SEEN, { id })).node !== null;
  const listed = async (id: string) =>
    idsOf((await api.ok(bert, '{ episodes(first: 100) { totalCount edges { node { id } } } }')).episodes).includes(id);

  it('shows an episode only while it and its parents are published and not private, and lists it only while all are public', async () => {
    const one = await serie();
    const two = await season(one);
    const id = await ready(two);
    const counts = async (): Promise<number> => (await api.ok(bert, '{ episodes { totalCount } }')).episodes.totalCount;
    const none = await counts();
    const steps: [string, Record<string, unknown>, boolean, boolean][] = [
      [PUBLISH, { id }, false, false],
      [PUBLISH, { id: two }, false, false],
      [PUBLISH, { id: one }, true, true],
      [UPDATE, { id: one, input: { visibility: 'UNLISTED' } }, true, false],
      [UPDATE, { id: two, input: { visibility: 'PRIVATE' } }, false, false],
      [UPDATE, { id: one, input: { visibility: 'PUBLIC' } }, false, false],
      [UPDATE, { id: two, input: { visibility: 'PUBLIC' } }, true, true],
      ['mutation ($id: DID!) { unpublishContent(id: $id) { id } }', { id: one }, false, false],
      [PUBLISH, { id: one }, true, true],
      ['mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: one }, false, false],
    ];
    for (const [document, variables, isSeen, isListed] of steps) {
      await api.ok(anna, document, variables);
      assert.deepEqual(
        [await seen(id), await listed(id), await counts()],
        [isSeen, isListed, none + (isListed ? 1 : 0)],
        `${document} ${JSON.stringify(variables)}`,
      );
    }
  });

  it('links a series with its seasons and episodes, in order and with exact counts', async () => {
    const one = await serie();
    const [second, first] = [await season(one), await season(one)];
    await api.ok(anna, 'mutation ($id: DID!) { moveSeason(id: $id, position: 1) { id } }', { id: first });
    const ids = [await ready(first), await ready(first), await ready(first)];
    for (const id of [one, first, second, ...ids.slice(0, 2)]) await api.ok(anna, PUBLISH, { id });
    const document = `query ($id: DID!, $after: String, $before: String) { serie(id: $id) { id channel { id } metadata
      { title }
      seasons { totalCount edges { node { id metadata { number } associatedSeries { id } } } } } }`;
    const { serie: response } = await api.ok(bert, document.replace(', $after: String, $before: String', ''), {
      id: one,
    });
    assert.equal(response.seasons.totalCount, 2);
    assert.deepEqual(
      response.seasons.edges.map(({ node }: { node: unknown }) => node),
      [first, second].map((id, index) => ({ id, metadata: { number: index + 1 }, associatedSeries: { id: one } })),
    );
    const page =
      'query ($id: DID!, $first: Int, $after: String, $last: Int, $before: String) { season(id: $id) ' +
      '{ episodes(first: $first, after: $after, last: $last, before: $before) { totalCount edges { cursor node ' +
      '{ id } } pageInfo { hasNextPage hasPreviousPage } } } }';
    const forward = (await api.ok(bert, page, { id: first, first: 1 })).season.episodes;
    assert.deepEqual([forward.totalCount, idsOf(forward), forward.pageInfo.hasNextPage], [2, [ids[0]], true]);
    const next = (await api.ok(bert, page, { id: first, first: 1, after: forward.edges[0].cursor })).season.episodes;
    assert.deepEqual([idsOf(next), next.pageInfo], [[ids[1]], { hasNextPage: false, hasPreviousPage: true }]);
    const back = (await api.ok(bert, page, { id: first, last: 1, before: next.edges[0].cursor })).season.episodes;
    assert.deepEqual(idsOf(back), [ids[0]]);
    const links =
      'query ($id: DID!) { episode(id: $id) { metadata { number isPremiere isFinale duration } associatedSeason ' +
      '{ id } associatedSeries { id } associatedMiniseries { id } } }';
    assert.deepEqual((await api.ok(bert, links, { id: ids[0] })).episode, {
      metadata: { number: 1, isPremiere: false, isFinale: false, duration: null },
      associatedSeason: { id: first },
      associatedSeries: { id: one },
      associatedMiniseries: null,
    });
    const { channel } = await api.ok(
      bert,
      'query ($id: DID!) { channel(id: $id) { series { edges { node { id } } } episodes { totalCount } } }',
      { id: anna.channel },
    );
    assert.ok(idsOf(channel.series).includes(one));
    const rows = await api.rows<{ n: bigint }>(
      "select count(*) as n from contents where channel_id = $1 and kind = 'EPISODE' and listed",
      [anna.channelId],
    );
    assert.equal(channel.episodes.totalCount, Number(rows[0]?.n));
  });

  it('keeps the counters of containers exact under concurrent publishing, hiding and moving', async () => {
    const mini = await created(MINISERIE, { input: { title: 'Mini' } });
    await api.ok(anna, PUBLISH, { id: mini });
    const ids = await Promise.all(Array.from({ length: 6 }, () => ready(mini)));
    await Promise.all([
      ...ids.map((id) => api.ok(anna, PUBLISH, { id })),
      api.ok(anna, UPDATE, { id: mini, input: { visibility: 'PRIVATE' } }),
      ...ids.slice(0, 3).map((id) => api.ok(anna, UPDATE, { id, input: { visibility: 'UNLISTED' } })),
    ]);
    await api.ok(anna, UPDATE, { id: mini, input: { visibility: 'PUBLIC' } });
    const [row] = await api.rows<{ shown: bigint; kept: bigint; stale: bigint; recount: bigint }>(
      `select counter_value('children:shown', $1) as shown, counter_value('children:kept', $1) as kept,
         (select count(*) from contents where parent_id = $1 and parent_effective_visibility <> 'PUBLIC') as stale,
         counter_value('channel:EPISODE:PUBLISHED', $2) - (select count(*) from contents where channel_id = $2
           and kind = 'EPISODE' and status = 'PUBLISHED' and deleted_at is null) as recount`,
      [uuidOf(mini), anna.channelId],
    );
    assert.deepEqual([Number(row?.shown), Number(row?.kept), Number(row?.stale), Number(row?.recount)], [3, 6, 0, 0]);
  });
});
