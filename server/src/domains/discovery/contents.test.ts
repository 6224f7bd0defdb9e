import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../catalog/testing.ts';
import { PAGE, publish, readWhole } from './testing.ts';

const MUSIC = 'did:reelgraph:content/category/01900000-0000-7000-8000-ca7e00000002';
const DRAMA = 'did:reelgraph:content/genre/01900000-0000-7000-8000-6e1200000009';
const RATED_G = 'did:reelgraph:content/rating/01900000-0000-7000-8000-4a7100000001';

describe('contents', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    await video('Écho', anna, 60_000, 5, 0);
    await video('delta', anna, 300_000, 9, 1, { language: 'en' }, { kind: 'SHORT' });
    await video('Bravo', bert, 7_200_000, 1, 7, { layout: 'PORTRAIT', rating_id: RATED_G.slice(-36) });
    await video('alpha', bert, null, 9, 3, { language: 'en-GB' });
    await video('Charlie', bert, 300_000, 0, 0);
    await api.content(anna, { title: 'Not published' });
    await api.content(anna, { title: 'Not listed', status: 'PUBLISHED', visibility: 'UNLISTED' });
  });
  after(() => api.close());

  /** A published video with the statistics that workers maintain. */
  async function video(
    title: string,
    owner: Person,
    durationMs: number | null,
    views: number,
    likes: number,
    columns: Readonly<Record<string, unknown>> = {},
    options: Parameters<TestCatalog['content']>[1] = {},
  ): Promise<void> {
    const id = await publish(api, owner, title, { duration_ms: durationMs, ...columns }, options);
    await api.rows('update content_listings set views = $2, likes = $3 where content_id = $1', [
      uuidOf(id),
      views,
      likes,
    ]);
    if (title !== 'Bravo') return;
    await api.rows('insert into content_categories (content_id, category_id, position) values ($1, $2, 0)', [
      uuidOf(id),
      MUSIC.slice(-36),
    ]);
    await api.rows('insert into content_genres (content_id, genre_id, position) values ($1, $2, 0)', [
      uuidOf(id),
      DRAMA.slice(-36),
    ]);
  }

  const read = async (args: string) =>
    (await api.ok(anna, `{ contents(${args}) { ${PAGE} edges { cursor node { id metadata { title } } } } }`)).contents;
  const title = (node: { metadata: { title: string } }) => node.metadata.title;
  const whole = (args: string) => readWhole((page) => read(`${args}, ${page}`), title);

  const sorted: [string, string[]][] = [
    ['NEWEST', ['Charlie', 'alpha', 'Bravo', 'delta', 'Écho']],
    ['OLDEST', ['Écho', 'delta', 'Bravo', 'alpha', 'Charlie']],
    ['MOST_VIEWED', ['alpha', 'delta', 'Écho', 'Bravo', 'Charlie']],
    ['MOST_LIKED', ['Bravo', 'alpha', 'delta', 'Charlie', 'Écho']],
    ['TITLE', ['alpha', 'Bravo', 'Charlie', 'delta', 'Écho']],
    ['LONGEST', ['Bravo', 'Charlie', 'delta', 'Écho', 'alpha']],
    ['SHORTEST', ['alpha', 'Écho', 'delta', 'Charlie', 'Bravo']],
  ];
  for (const [sort, expected] of sorted) {
    it(`are sorted by ${sort}, in both directions`, async () =>
      assert.deepEqual(await whole(`sort: ${sort}`), expected));
  }

  const filters: [string, string, string[]][] = [
    ['kinds', 'kinds: [SHORT]', ['delta']],
    ['a kind twice', 'kinds: [SHORT, SHORT]', ['delta']],
    ['no kinds', 'kinds: []', []],
    ['several kinds', 'kinds: [SHORT, FEATURE, STREAM]', ['alpha', 'Bravo', 'Charlie', 'delta', 'Écho']],
    ['a category', `categories: ["${MUSIC}"]`, ['Bravo']],
    ['a genre', `genres: ["${DRAMA}"]`, ['Bravo']],
    ['a rating', `ratings: ["${RATED_G}"]`, ['Bravo']],
    ['a language', 'language: "en"', ['alpha', 'delta']],
    ['the language of a region', 'language: "en-GB"', ['alpha']],
    ['a layout', 'layout: PORTRAIT', ['Bravo']],
    ['a length', 'length: MEDIUM', ['Charlie', 'delta']],
    ['being short', 'length: SHORT', ['Écho']],
    ['durations', 'minDurationMs: 60000, maxDurationMs: 300000', ['Charlie', 'delta', 'Écho']],
    ['an instant long ago', 'publishedAfter: "2001-01-01T00:00:00Z"', ['alpha', 'Bravo', 'Charlie', 'delta', 'Écho']],
    ['an instant long ago as the latest', 'publishedBefore: "2001-01-01T00:00:00Z"', []],
    ['a text', 'query: "echo"', ['Écho']],
    ['a text and a kind', 'query: "delta", kinds: [FEATURE]', []],
    ['everything at once', `kinds: [FEATURE], categories: ["${MUSIC}"], length: LONG, query: "bra"`, ['Bravo']],
  ];
  for (const [name, filter, expected] of filters) {
    it(`are filtered by ${name}, with exact counts`, async () =>
      assert.deepEqual(await whole(`sort: TITLE, filter: { ${filter} }`), expected));
  }

  it('are filtered by channel, alone and with a kind', async () => {
    assert.deepEqual(await whole(`sort: TITLE, filter: { channel: "${anna.channel}" }`), ['delta', 'Écho']);
    assert.deepEqual(await whole(`sort: TITLE, filter: { channel: "${anna.channel}", kinds: [FEATURE] }`), ['Écho']);
  });

  it('are filtered the same by a literal and by a variable, with one plan for each shape', async () => {
    const document =
      'query ($filter: ContentFilter, $sort: ContentSort!) { contents(filter: $filter, sort: $sort) ' +
      '{ totalCount edges { node { metadata { title } } } } }';
    const ask = async (filter: unknown, sort = 'TITLE') => {
      const { contents } = await api.ok(anna, document, { filter, sort });
      return [contents.totalCount, ...contents.edges.map((edge: { node: never }) => title(edge.node))];
    };
    assert.deepEqual(await ask({ kinds: ['SHORT'] }), [1, 'delta']);
    assert.deepEqual(await ask({ language: 'en' }), [2, 'alpha', 'delta']);
    assert.deepEqual(await ask({ kinds: ['FEATURE'], language: 'en' }), [1, 'alpha']);
    assert.deepEqual(await ask({ length: 'LONG' }), [1, 'Bravo']);
    assert.deepEqual(await ask({ length: 'SHORT' }), [1, 'Écho']);
    assert.deepEqual((await ask(null, 'OLDEST'))[1], 'Écho');
    assert.deepEqual((await ask({}, 'NEWEST'))[1], 'Charlie');
  });

  it('refuse a cursor of another order and of another list', async () => {
    const { pageInfo } = await read('first: 1, sort: LONGEST');
    const { features } = await api.ok(anna, '{ features(first: 1) { pageInfo { endCursor } } }');
    for (const args of [
      `sort: SHORTEST, after: "${pageInfo.endCursor}"`,
      `sort: TITLE, after: "${pageInfo.endCursor}"`,
      `after: "${features.pageInfo.endCursor}"`,
    ]) {
      const error = await api.refused(anna, `{ contents(${args}) { edges { cursor } } }`);
      assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'after'], args);
    }
  });

  const refused: [string, string][] = [
    ['filter: { query: "" }', 'filter.query'],
    ['filter: { maxDurationMs: -3 }', 'filter.maxDurationMs'],
    ['filter: { maxDurationMs: 1000000001 }', 'filter.maxDurationMs'],
    ['filter: { language: "english please" }', 'filter.language'],
    [`filter: { ratings: ["${MUSIC}"] }`, 'filter.ratings.0'],
    [`filter: { channel: "${MUSIC}" }`, 'filter.channel'],
    ['first: 0', 'first'],
  ];
  for (const [args, field] of refused) {
    it(`refuse ${args}`, async () => {
      const error = await api.refused(anna, `{ contents(${args}) { totalCount edges { cursor } } }`);
      assert.deepEqual([['INVALID_INPUT', 'FIELD_REQUIRED'].includes(error.code), error.field], [true, field]);
    });
  }

  it('take one statement, filtered and sorted', async () => {
    const counted = await api.counted(() => whole(`sort: MOST_VIEWED, filter: { length: MEDIUM, query: "delta" }`));
    assert.equal(counted.statements, counted.roundTrips);
  });
});
