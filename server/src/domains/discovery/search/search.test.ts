import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { PAGE, publish, readWhole } from '../testing.ts';
import { foldText } from './highlight.ts';
import { searchAs, titlesOf } from './search.fixture.ts';

const MUSIC = 'did:reelgraph:content/category/01900000-0000-7000-8000-ca7e00000002';

describe('search', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    await publish(api, anna, 'Crème brûlée at home', {
      summary: 'Caramel, cream and patience.',
      language: 'fr-CA',
      duration_ms: 120_000,
    });
    await publish(api, anna, 'Sailing the ocean', {
      summary: 'Crème de la crème of sailing.',
      keywords: ['boats', 'wind'],
      duration_ms: 600_000,
    });
    await publish(api, anna, 'Ocean documentary', { duration_ms: 3_600_000, language: 'en' }, { kind: 'SHORT' });
    await publish(api, bert, 'Путешествие по Москве', { language: 'ru' });
    await publish(api, bert, '東京タワーの夜');
    await publish(api, bert, 'Film night 🎬 with node.js & AC/DC');
    await publish(api, bert, 'שָׁלוֹם עולם');
    await publish(api, bert, '<script>alert(1)</script>');
  });
  after(() => api.close());

  const search = (query: string, more: object = {}) => searchAs(api, anna, query, more);
  const titles = async (query: string, more: object = {}) => titlesOf(await search(query, more));

  const found: [string, string, string[]][] = [
    ['a word', 'sailing', ['Sailing the ocean']],
    ['a word without its accents', 'creme brulee', ['Crème brûlée at home']],
    ['accents that the text lacks', 'ócéan documentäry', ['Ocean documentary']],
    ['another case', 'OCEAN DOCUMENTARY', ['Ocean documentary']],
    ['the beginning of the last word', 'ocean doc', ['Ocean documentary']],
    ['letters in the wrong order', 'ocaen documentary', ['Ocean documentary']],
    ['a letter too few', 'documentry', ['Ocean documentary']],
    ['a keyword', 'boats', ['Sailing the ocean']],
    ['words of the summary', 'caramel patience', ['Crème brûlée at home']],
    ['Cyrillic', 'москве', ['Путешествие по Москве']],
    ['Cyrillic with a wrong letter', 'путишествие', ['Путешествие по Москве']],
    ['characters inside a Japanese word', 'タワー', ['東京タワーの夜']],
    ['Hebrew without points', 'שלום', ['שָׁלוֹם עולם']],
    ['an emoji', '🎬', ['Film night 🎬 with node.js & AC/DC']],
    ['part of a name with a dot', 'node', ['Film night 🎬 with node.js & AC/DC']],
    ['a word in markup', 'script alert', ['<script>alert(1)</script>']],
    ['nothing but signs', '!!! ... ???', []],
    ['what nothing has', 'zzzzqqqq', []],
    ['words of different documents', 'caramel documentary', []],
  ];
  for (const [name, query, expected] of found) {
    it(`finds ${name}`, async () => assert.deepEqual(await titles(query), expected));
  }

  it('returns several lists below each hit', async () => {
    const images = '{ images(first: 3) { totalCount edges { node { id } } } }';
    const document =
      'query ($query: String!) { search(query: $query, first: 5) { totalCount edges { node { id content ' +
      `{ id assets ${images} } channel { id assets ${images} } } } } }`;
    const { search: found } = await api.ok(anna, document, { query: 'sailing' });
    assert.equal(found.totalCount, 1);
    assert.deepEqual(found.edges[0].node.content.assets.images, { totalCount: 0, edges: [] });
    assert.equal(found.edges[0].node.channel, null);
  });

  it('ranks a match in the title before one in the summary', async () => {
    assert.deepEqual(await titles('creme'), ['Crème brûlée at home', 'Sailing the ocean']);
    const { edges } = await search('creme');
    assert.ok(edges[0].node.score > edges[1].node.score);
  });

  it('returns highlights as plain text', async () => {
    const [{ node }] = (await search('sailing crem')).edges;
    assert.deepEqual(node.highlights, {
      title: [
        { text: 'Sailing', matched: true },
        { text: ' the ocean', matched: false },
      ],
      summary: [
        { text: 'Crème', matched: true },
        { text: ' de la ', matched: false },
        { text: 'crème', matched: true },
        { text: ' of ', matched: false },
        { text: 'sailing', matched: true },
        { text: '.', matched: false },
      ],
    });
    assert.deepEqual([node.type, node.content.kind, node.channel], ['CONTENT', 'FEATURE', null]);
  });

  it('finds channels by name and handle, and the contents of a channel by its name', async () => {
    const { edges } = await search('@anna');
    assert.deepEqual(
      [edges[0].node.type, edges[0].node.channel, edges[0].node.content],
      ['CHANNEL', { id: anna.channel, handle: 'anna' }, null],
    );
    assert.equal(edges.length, 4);
    assert.equal((await search('ann', { types: ['CHANNEL'] })).totalCount, 1);
    assert.equal((await search('anna', { types: ['CONTENT'] })).totalCount, 3);
    assert.equal((await search('anna', { types: [] })).totalCount, 0);
  });

  const filtered: [string, object, string[]][] = [
    ['a kind', { kinds: ['SHORT'] }, ['Ocean documentary']],
    ['several kinds', { kinds: ['SHORT', 'FEATURE'] }, ['Ocean documentary', 'Sailing the ocean']],
    ['no kind at all', { kinds: [] }, []],
    ['a language', { language: 'en' }, ['Ocean documentary']],
    ['a length', { length: 'MEDIUM' }, ['Sailing the ocean']],
    ['a shortest duration', { minDurationMs: 1_000_000 }, ['Ocean documentary']],
    ['a longest duration', { maxDurationMs: 600_000 }, ['Sailing the ocean']],
    ['a length and a duration', { length: 'LONG', maxDurationMs: 1_300_000 }, []],
    ['an instant long ago', { publishedAfter: '2001-01-01T00:00:00Z' }, ['Ocean documentary', 'Sailing the ocean']],
    ['an instant long ago as the latest', { publishedBefore: '2001-01-01T00:00:00Z' }, []],
    ['a category', { categories: [MUSIC] }, []],
  ];
  for (const [name, filter, expected] of filtered) {
    it(`filters by ${name}`, async () => {
      assert.deepEqual(await titles('ocean', { filter }), expected);
      assert.equal((await search('ocean', { filter })).totalCount, expected.length);
    });
  }

  it('treats a literal filter like one in variables', async () => {
    const { search: response } = await api.ok(
      anna,
      '{ search(query: "ocean", filter: { kinds: [SHORT], length: LONG }) { totalCount } }',
    );
    assert.equal(response.totalCount, 1);
  });

  it('finds by a language with region and by the language only', async () => {
    assert.equal((await search('creme', { filter: { language: 'fr' } })).totalCount, 1);
    assert.equal((await search('creme', { filter: { language: 'FR-ca' } })).totalCount, 1);
    assert.equal((await search('creme', { filter: { language: 'fr-FR' } })).totalCount, 0);
  });

  it('finds by a category while it is assigned', async () => {
    const id = await publish(api, bert, 'Concert in the park');
    const link = [uuidOf(id), MUSIC.slice(-36)];
    await api.rows('insert into content_categories (content_id, category_id, position) values ($1, $2, 0)', link);
    assert.deepEqual(await titles('concert', { filter: { categories: [MUSIC], channel: bert.channel } }), [
      'Concert in the park',
    ]);
    assert.deepEqual(await titles('concert', { filter: { categories: [MUSIC], channel: anna.channel } }), []);
    await api.rows('delete from content_categories where content_id = $1 and category_id = $2', link);
    assert.deepEqual(await titles('concert', { filter: { categories: [MUSIC] } }), []);
    assert.deepEqual(await titles('concert'), ['Concert in the park']);
  });

  it('pages without gaps or duplicates, in both directions', async () => {
    for (let index = 0; index < 7; index += 1)
      await publish(api, bert, `Meadow ${index % 2 === 0 ? 'walk' : `walk number ${index}`}`, {
        summary: `Part ${index}`,
      });
    const whole = await readWhole(
      async (page) =>
        (await api.ok(anna, `{ search(query: "meadow", ${page}) { ${PAGE} edges { cursor node { id } } } }`)).search,
      (node: { id: string }) => node.id,
    );
    assert.equal(whole.length, 7);
  });

  it('reads a page with all fields in one statement', async () => {
    const counted = await api.counted(() => search('ocean'));
    assert.deepEqual([counted.roundTrips, counted.statements], [1, 1]);
  });

  const refused: [string, string, string][] = [
    ['an empty query', 'query: ""', 'query'],
    ['a query of invisible characters', 'query: "\\u200b\\u2060"', 'query'],
    ['a query of 1,000 characters', `query: "${'a '.repeat(500)}b"`, 'query'],
    ['control characters', 'query: "a\\u0000b"', 'query'],
    ['a bound below zero', 'query: "a", filter: { minDurationMs: -1 }', 'filter.minDurationMs'],
    [
      'bounds the wrong way round',
      'query: "a", filter: { minDurationMs: 9, maxDurationMs: 3 }',
      'filter.minDurationMs',
    ],
    [
      'instants the wrong way round',
      'query: "a", filter: { publishedAfter: "2026-01-02T00:00:00Z", publishedBefore: "2026-01-01T00:00:00Z" }',
      'filter.publishedAfter',
    ],
    ['what is no language', 'query: "a", filter: { language: "en\' | \'x" }', 'filter.language'],
    ['what is no channel', `query: "a", filter: { channel: "${MUSIC}" }`, 'filter.channel'],
    [
      'what is no category',
      'query: "a", filter: { categories: ["did:reelgraph:channel/01900000-0000-7000-8000-ca7e00000002"] }',
      'filter.categories.0',
    ],
    [
      '51 categories',
      `query: "a", filter: { categories: [${Array.from({ length: 51 }, () => `"${MUSIC}"`).join(', ')}] }`,
      'filter.categories',
    ],
    ['a cursor of nowhere', 'query: "a", after: "nonsense"', 'after'],
  ];
  for (const [name, args, field] of refused) {
    it(`refuses ${name}, naming it`, async () => {
      const error = await api.refused(anna, `{ search(${args}) { edges { cursor } } }`);
      assert.deepEqual([['INVALID_INPUT', 'FIELD_REQUIRED'].includes(error.code), error.field], [true, field]);
    });
  }

  it('refuses a cursor of another list', async () => {
    const { channels } = await api.ok(anna, '{ channels(first: 1) { pageInfo { endCursor } } }');
    const error = await api.refused(
      anna,
      `{ search(query: "a", after: "${channels.pageInfo.endCursor}") { edges { cursor } } }`,
    );
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'after']);
  });

  it('treats all characters as text, including database operators', async () => {
    const queries = [
      "'",
      "''",
      '\\',
      '\\\\',
      '&',
      '|',
      '!',
      ':*',
      'a:*',
      'a & | b',
      "a' & 'b",
      '(',
      ')',
      '<->',
      'a <2> b',
      '%',
      '_',
      '"',
      '$1',
      ';--',
      'kind/FEATURE',
      "'kind/FEATURE'",
      '\u202Eabc',
      'a'.repeat(200),
      '𝕒𝕓𝕔',
      '🏳️‍🌈',
      'नमस्ते',
      'ไทย',
      '\ud83c\udfac',
    ];
    for (const query of queries) assert.ok((await search(query)).totalCount >= 0, query);
  });

  it('folds texts in the database and in highlights the same way', async () => {
    const texts = [
      'Crème BRÛLÉE',
      'Straße',
      'Ærø Łódź',
      'İstanbul ılık',
      'ΛΟΓΟΣ λόγος',
      'ЁЛКА й',
      'שָׁלוֹם',
      'مُحَمَّد',
      'ﬁlm ＦＵＬＬ',
      '東京ガ',
      '한국어',
      'ǅ þorn œuvre',
      'नमस्ते',
    ];
    const rows = await api.rows<{ folded: string }>(
      'select search_fold(t) as folded from unnest($1::text[]) with ordinality x (t, n) order by n',
      [texts],
    );
    assert.deepEqual(
      rows.map((row) => row.folded),
      texts.map(foldText),
    );
  });
});
