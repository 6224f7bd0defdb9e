import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const UPDATE = `mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { metadata
  { language
  rating { code } genre { slug } categories { totalCount edges { node { slug } } } genres { totalCount edges { node
    { slug } } } } } }`;
const UNKNOWN = '01900000-0000-7000-8000-00000000ffff';

interface Slugs {
  readonly edges: readonly { readonly node: { readonly slug: string } }[];
}
const slugs = ({ edges }: Slugs): string[] => edges.map(({ node }) => node.slug);

let api: TestCatalog;
let anna: Person;
/** Identifiers by slug, or by code. */
let ids: Record<string, string>;
before(async () => {
  api = await openTestCatalog();
  anna = await api.person('anna');
  const { categories, genres, ratings } = await api.ok(
    anna,
    '{ categories(first: 100) { edges { node { id slug } } } genres(first: 100) { edges { node { id slug } } ' +
      '} ratings(first: 100) { edges { node { id system code } } } }',
  );
  const entries = [
    ...categories.edges.map(({ node }: { node: { id: string; slug: string } }) => [`category ${node.slug}`, node.id]),
    ...genres.edges.map(({ node }: { node: { id: string; slug: string } }) => [`genre ${node.slug}`, node.id]),
    ...ratings.edges.map(({ node }: { node: { id: string; system: string; code: string } }) => [
      `${node.system} ${node.code}`,
      node.id,
    ]),
  ];
  ids = Object.fromEntries(entries);
});
after(() => api.close());

const did = (name: string): string => {
  const id = ids[name];
  assert.ok(id, name);
  return id;
};
const categories = (...names: string[]) => names.map((name) => did(`category ${name}`));
const genres = (...names: string[]) => names.map((name) => did(`genre ${name}`));
const linked = async (id: string): Promise<number[]> => {
  const row = await api.row<{ categories: bigint; genres: bigint }>(
    `select (select count(*) from content_categories where content_id = $1) as categories,
            (select count(*) from content_genres where content_id = $1) as genres`,
    [uuidOf(id)],
  );
  return [Number(row.categories), Number(row.genres)];
};

describe('categories, genres and ratings of contents', () => {
  it('lists the real rating systems, and each entry once', async () => {
    const response = await api.ok(
      anna,
      '{ categories(first: 100) { totalCount edges { node { name } } } genres(first: 100) { totalCount edges ' +
        '{ node { name } } } ratings(first: 100) { totalCount edges { node { system code minimumAge } } } }',
    );
    for (const list of Object.values(response) as { totalCount: number; edges: unknown[] }[])
      assert.equal(list.totalCount, list.edges.length);
    const codes = response.ratings.edges.filter(({ node }: { node: { system: string } }) => node.system === 'MPAA');
    assert.deepEqual(
      codes.map(({ node }: { node: { code: string } }) => node.code),
      ['G', 'PG', 'PG-13', 'R', 'NC-17', 'NR'],
    );
    const names = response.categories.edges.map(({ node }: { node: { name: string } }) => node.name);
    assert.deepEqual(names, [...names].sort());
  });

  it('names and describes them in the language of the reader, and others as they are', async () => {
    const query = `{ categories(first: 100) { edges { node { name description structuredData
      metadata { name title summary shortSummary } } } } genres(first: 100) { edges { node { name } } }
      ratings(first: 100) { edges { node { code name description } } } }`;
    const read = async (who: Person) => {
      const found = await api.ok(who, query);
      const nodesOf = (list: string) => found[list].edges.map(({ node }: { node: object }) => node);
      return { categories: nodesOf('categories'), genres: nodesOf('genres'), ratings: nodesOf('ratings') };
    };
    const german = await read({ ...anna, language: 'de' });
    const [name, summary] = ['Essen und Trinken', 'Kochen, Essen und Trinken.'];
    const food = german.categories.find((each: { name: string }) => each.name === name);
    const { structuredData, ...texts } = food;
    assert.deepEqual(texts, {
      ...{ name, description: summary },
      metadata: { name, title: name, summary, shortSummary: summary },
    });
    assert.deepEqual([structuredData.name, structuredData.description], [name, summary]);
    assert.ok(german.genres.some((each: { name: string }) => each.name === 'Abenteuer'));
    assert.deepEqual(german.ratings[0], { code: 'G', name: 'G', description: 'Für alle: Zutritt in jedem Alter.' });
    const arabic = JSON.stringify(await read({ ...anna, language: 'ar' }));
    const english = await read(anna);
    const labels = english.ratings.map(({ code }: { code: string }) => code);
    for (const { name } of [...english.categories, ...english.genres])
      assert.ok(!arabic.includes(`"${name}"`), `${name} is the same in Arabic`);
    for (const { description } of [...english.categories, ...english.ratings])
      assert.ok(!arabic.includes(`"${description}"`), `${description} is the same in Arabic`);
    assert.deepEqual(labels.slice(0, 3), ['G', 'PG', 'PG-13']);
    await api.rows("insert into genres (id, slug, name) values (gen_random_uuid(), 'own', 'Sign in')");
    const own = (await read({ ...anna, language: 'de' })).genres.some(
      ({ name }: { name: string }) => name === 'Sign in',
    );
    await api.rows("delete from genres where slug = 'own'");
    assert.ok(own, 'it is in the catalog, as another text');
  });

  it('assigns, changes and clears categories and genres, each in one statement', async () => {
    const id = await api.content(anna);
    const input = {
      rating: did('MPAA PG-13'),
      categories: categories('music', 'comedy', 'music'),
      genres: genres('drama', 'action'),
      language: 'pt-br',
    };
    const { result, roundTrips } = await api.counted(() => api.ok(anna, UPDATE, { id, input }));
    assert.ok(roundTrips <= 2, `${roundTrips}`);
    const { metadata } = result.updateContent;
    assert.deepEqual(
      [metadata.language, metadata.rating, metadata.genre],
      ['pt-BR', { code: 'PG-13' }, { slug: 'drama' }],
    );
    assert.deepEqual([slugs(metadata.categories), metadata.categories.totalCount], [['comedy', 'music'], 2]);
    assert.deepEqual(slugs(metadata.genres), ['action', 'drama']);
    const other = {
      rating: did('TV TV-14'),
      categories: categories('sports', 'music'),
      genres: genres('action', 'drama'),
      language: 'und',
    };
    const changed = (await api.ok(anna, UPDATE, { id, input: other })).updateContent.metadata;
    assert.deepEqual(
      [changed.language, changed.rating, changed.genre, slugs(changed.categories)],
      [null, { code: 'TV-14' }, { slug: 'action' }, ['music', 'sports']],
    );
    const kept = (await api.ok(anna, UPDATE, { id, input: { title: 'Only this' } })).updateContent.metadata;
    assert.deepEqual(
      [slugs(kept.categories), slugs(kept.genres)],
      [
        ['music', 'sports'],
        ['action', 'drama'],
      ],
    );
    const none = (await api.ok(anna, UPDATE, { id, input: { categories: [], genres: [] } })).updateContent.metadata;
    assert.deepEqual([slugs(none.categories), slugs(none.genres), none.genre], [[], [], null]);
  });

  it('clears each with null, and keeps it when omitted', async () => {
    const full = { rating: did('MPAA PG'), categories: categories('music'), genres: genres('drama'), language: 'de' };
    const shown = async (id: string, input: Record<string, unknown>) => {
      const { metadata } = (await api.ok(anna, UPDATE, { id, input })).updateContent;
      const { rating, language } = metadata;
      return {
        rating: rating?.code ?? null,
        categories: slugs(metadata.categories),
        genres: slugs(metadata.genres),
        language,
      };
    };
    const everything = { rating: 'PG', categories: ['music'], genres: ['drama'], language: 'de' };
    for (const [name, cleared] of Object.entries({ rating: null, categories: [], genres: [], language: null })) {
      const id = await api.content(anna);
      assert.deepEqual(await shown(id, full), everything);
      assert.deepEqual(await shown(id, { [name]: null }), { ...everything, [name]: cleared }, name);
    }
  });

  it('assigns categories to new contents of every kind', async () => {
    const { content: serie } = (
      await api.ok(
        anna,
        'mutation ($input: CreateSeriesInput!) { createSeries(input: $input) { content { id metadata ' +
          '{ categories { totalCount ' +
          '} genre { slug } } } } }',
        { input: { title: 'Hills', categories: categories('music'), genres: genres('western', 'war') } },
      )
    ).createSeries;
    assert.deepEqual(serie.metadata, { categories: { totalCount: 1 }, genre: { slug: 'western' } });
    const { content: season } = (
      await api.ok(
        anna,
        'mutation ($input: CreateSeasonInput!) { createSeason(input: $input) ' +
          '{ content { metadata { genres { totalCount } language } } } }',
        { input: { series: serie.id, title: 'One', genres: genres('war'), language: 'en' } },
      )
    ).createSeason;
    assert.deepEqual(season.metadata, { genres: { totalCount: 1 }, language: 'en' });
  });

  const bad: [string, () => Record<string, unknown>, string, string][] = [
    ['a rating that is none', () => ({ rating: did('genre drama') }), 'INVALID_INPUT', 'input.rating'],
    [
      'an unknown rating',
      () => ({ rating: did('MPAA PG').replace(uuidOf(did('MPAA PG')), UNKNOWN) }),
      'RESOURCE_NOT_FOUND',
      'input.rating',
    ],
    [
      'four categories',
      () => ({ categories: categories('music', 'comedy', 'sports', 'travel') }),
      'INVALID_INPUT',
      'input.categories',
    ],
    [
      'a genre for a category',
      () => ({ categories: [...categories('music'), did('genre drama')] }),
      'INVALID_INPUT',
      'input.categories.1',
    ],
    [
      'an unknown category',
      () => ({ categories: [did('category music').replace(uuidOf(did('category music')), UNKNOWN)] }),
      'RESOURCE_NOT_FOUND',
      'input.categories',
    ],
    [
      'six genres',
      () => ({ genres: genres('action', 'war', 'drama', 'anime', 'crime', 'family') }),
      'INVALID_INPUT',
      'input.genres',
    ],
    [
      'an unknown genre',
      () => ({ genres: [did('genre drama').replace(uuidOf(did('genre drama')), UNKNOWN)] }),
      'RESOURCE_NOT_FOUND',
      'input.genres',
    ],
    ['a language that is no tag', () => ({ language: 'german!' }), 'INVALID_INPUT', 'input.language'],
    ['a language with more than a region', () => ({ language: 'de-DE-1996' }), 'INVALID_INPUT', 'input.language'],
    ['what only an episode has', () => ({ isFinale: true }), 'INVALID_INPUT', 'input.isFinale'],
    ['what only a stream has', () => ({ note: 'Rain' }), 'INVALID_INPUT', 'input.note'],
  ];
  for (const [what, input, code, field] of bad) {
    it(`refuses ${what}, and changes nothing`, async () => {
      const id = await api.content(anna);
      await api.ok(anna, UPDATE, { id, input: { categories: categories('music'), genres: genres('drama') } });
      const error = await api.refused(anna, UPDATE, { id, input: { ...input(), title: 'Changed' } });
      assert.deepEqual([error.code, error.field], [code, field]);
      assert.deepEqual(await linked(id), [1, 1]);
      assert.deepEqual(await api.row('select title from contents where id = $1', [uuidOf(id)]), { title: 'A video' });
    });
  }

  it('has the categories of one of several concurrent assignments, never the union', async () => {
    const id = await api.content(anna);
    const sets = [
      {
        categories: categories('music', 'comedy', 'sports'),
        genres: genres('action', 'war', 'drama', 'anime', 'crime'),
      },
      {
        categories: categories('travel', 'gaming', 'education'),
        genres: genres('family', 'fantasy', 'news', 'sport', 'music'),
      },
      { categories: categories('vehicles'), genres: genres('western') },
    ];
    const wanted = sets.map((set) => JSON.stringify([...set.categories].sort()));
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(sets.map((input) => api.ok(anna, UPDATE, { id, input })));
      const rows = await api.rows<{ category_id: string }>(
        'select category_id from content_categories where content_id = $1',
        [uuidOf(id)],
      );
      const found = JSON.stringify(
        rows.map(({ category_id }) => did('category music').replace(uuidOf(did('category music')), category_id)).sort(),
      );
      assert.ok(wanted.includes(found), found);
      assert.ok([1, 5].includes((await linked(id))[1] ?? 0));
    }
  });
});
