import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { EPISODE, SEASON, SERIES, SeriesFixture } from './series.fixture.ts';

const MINISERIES =
  'mutation ($input: CreateMiniseriesInput!) { createMiniseries(input: $input) { content { id kind status } } }';
const STREAM = 'mutation ($input: CreateStreamInput!) { createStream(input: $input) { content { id kind status } } }';
const MOVE =
  'mutation ($id: DID!, $to: DID, $number: Int, $position: Int) { moveEpisode(id: $id, ' +
  'input: { to: $to, number: $number, position: $position }) { content { metadata { number } parent { id } } } }';
const RENUMBER =
  'mutation ($parent: DID!, $ids: [DID!], $from: Int) { renumberEpisodes(id: $parent, input: ' +
  '{ ids: $ids, from: $from }) ' +
  '{ content { children { edges { node { id } } } } } }';

let api: TestCatalog;
let anna: Person;
let series: SeriesFixture;
before(async () => {
  api = await openTestCatalog();
  anna = await api.person('anna');
  series = new SeriesFixture(api, anna);
});
after(() => api.close());

describe('creating series', () => {
  it('creates containers that can be published immediately, and drafts of kinds that need a video', async () => {
    const { content: serie } = (await api.ok(anna, SERIES, { input: { title: 'Hills' } })).createSeries;
    assert.match(serie.id, /content\/serie\//);
    assert.deepEqual([serie.kind, serie.status], ['SERIES', 'READY']);
    assert.equal(
      (await api.ok(anna, MINISERIES, { input: { title: 'Hills' } })).createMiniseries.content.status,
      'READY',
    );
    const { content: stream } = (
      await api.ok(anna, STREAM, {
        input: { title: 'Match', note: 'Rain\nfrom the second half' },
      })
    ).createStream;
    assert.deepEqual([stream.kind, stream.status], ['STREAM', 'DRAFT']);
    const note = async (input: Record<string, unknown>) => {
      const UPDATE = 'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { id } }';
      await api.ok(anna, UPDATE, { id: stream.id, input });
      return (await api.ok(anna, 'query ($id: DID!) { stream(id: $id) { metadata { note } } }', { id: stream.id }))
        .stream.metadata.note;
    };
    assert.equal(await note({ title: 'Match of the day' }), 'Rain\nfrom the second half');
    assert.equal(await note({ note: null }), '');
    const { content: season } = (await api.ok(anna, SEASON, { input: { series: serie.id, title: ' One ' } }))
      .createSeason;
    assert.deepEqual(
      [season.status, season.metadata, season.parent],
      ['READY', { title: 'One', number: 1 }, { id: serie.id }],
    );
    const { content: episode } = (
      await api.ok(anna, EPISODE, {
        input: { parent: season.id, title: 'Pilot', isPremiere: true },
      })
    ).createEpisode;
    assert.deepEqual([episode.status, episode.metadata.number], ['DRAFT', 1]);
    const events = await api.rows<{ type: string }>('select type from events where subject_id = $1', [
      uuidOf(episode.id),
    ]);
    assert.deepEqual(events, [{ type: 'content.created' }]);
  });

  it('assigns the next number, or the given one', async () => {
    const parent = await series.season(await series.serie());
    const [a, b, c, d] = [
      await series.episode(parent),
      await series.episode(parent, 7),
      await series.episode(parent),
      await series.episode(parent, 0),
    ];
    assert.equal(await series.numbers(parent, { a, b, c, d }), 'd0 a1 b7 c8');
  });

  it('assigns unique numbers to concurrent requests', async () => {
    const parent = await series.season(await series.serie());
    const ids = await Promise.all(Array.from({ length: 8 }, () => series.episode(parent)));
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
      (w) => [EPISODE, { input: { parent: w.season, title: 'a', number: 1 } }],
      'RESOURCE_ALREADY_EXISTS',
      'input.number',
    ],
    [
      'a negative number',
      (w) => [EPISODE, { input: { parent: w.season, title: 'a', number: -1 } }],
      'INVALID_INPUT',
      'input.number',
    ],
    [
      'an episode in a series',
      (w) => [EPISODE, { input: { parent: w.serie, title: 'a' } }],
      'INVALID_INPUT',
      'input.parent',
    ],
    [
      'an episode in an episode',
      (w) => [EPISODE, { input: { parent: w.episode, title: 'a' } }],
      'INVALID_INPUT',
      'input.parent',
    ],
    [
      'a season in a season',
      (w) => [SEASON, { input: { series: w.season, title: 'a' } }],
      'INVALID_INPUT',
      'input.series',
    ],
    ['a blank title', (w) => [SEASON, { input: { series: w.serie, title: ' ' } }], 'FIELD_REQUIRED', 'input.title'],
    [
      'a season declared as a miniseries',
      (w) => [EPISODE, { input: { parent: w.season.replace('/season/', '/miniserie/'), title: 'a' } }],
      'RESOURCE_NOT_FOUND',
      'input.parent',
    ],
    ['a move into itself', (w) => [MOVE, { id: w.episode, to: w.episode }], 'INVALID_INPUT', 'input.to'],
    [
      'number and position',
      (w) => [MOVE, { id: w.episode, number: 1, position: 1 }],
      'INVALID_INPUT',
      'input.position',
    ],
    ['position 0', (w) => [MOVE, { id: w.episode, position: 0 }], 'INVALID_INPUT', 'input.position'],
    ['a number too high', (w) => [MOVE, { id: w.episode, number: 100_001 }], 'INVALID_INPUT', 'input.number'],
    [
      'an episode twice',
      (w) => [RENUMBER, { parent: w.season, ids: [w.episode, w.episode] }],
      'INVALID_INPUT',
      'input.ids.1',
    ],
  ];
  for (const [name, build, code, field] of refusals) {
    it(`refuses ${name} with ${code} and changes nothing`, async () => {
      const [one] = [await series.serie()];
      const two = await series.season(one);
      const fixture = { serie: one, season: two, episode: await series.episode(two) };
      const state = () =>
        api.rows('select count(*) as n, sum(number) as s from contents where channel_id = $1', [anna.channelId]);
      const before = await state();
      const error = await api.refused(anna, ...build(fixture));
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.deepEqual(await state(), before);
    });
  }

  it('refuses a video for containers', async () => {
    const id = await series.serie();
    const asset =
      'mutation ($id: DID!) { createContentAsset(id: $id, input: { filename: "a.mp4", size: 5, video: { ' +
      'hint: EQUIRECTANGULAR } }) { id } }';
    for (const [document, field] of [
      [asset, 'id'],
      ['mutation ($id: DID!) { submitContentForProcessing(id: $id) { content { id } } }', 'id'],
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
    const id = await series.episode(await series.season(await series.serie()));
    await api.ok(
      anna,
      'mutation ($id: DID!) { createContentAsset(id: $id, input: { filename: "a.mp4", size: 5, video: { ' +
        'hint: EQUIRECTANGULAR } }) { id } }',
      { id },
    );
  });
});
