import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const UPDATE =
  'mutation ($items: [ContentChangesInput!]!) { updateContents(input: { items: $items }) ' +
  '{ results { id ok error { code field } } } }';

interface Lists {
  readonly categories?: readonly string[];
  readonly genres?: readonly string[];
  readonly keywords?: readonly string[];
}
interface Item {
  readonly id: string;
  readonly changes?: Lists & { readonly title?: string };
  readonly add?: Lists;
  readonly remove?: Lists;
}

describe('adding to and removing from the lists of many contents', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  /** Ids of four categories and six genres. */
  let categories: string[];
  let genres: string[];

  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
    const found = await api.ok(
      anna,
      '{ categories(first: 4) { edges { node { id } } } genres(first: 6) { edges { node { id } } } }',
    );
    const idsOf = (list: { edges: { node: { id: string } }[] }) => list.edges.map(({ node }) => node.id);
    [categories, genres] = [idsOf(found.categories), idsOf(found.genres)];
  });
  after(() => api.close());

  /** Codes and fields of the refused items; null for the others. */
  const update = async (items: readonly Item[], who = anna): Promise<(string | null)[]> => {
    const { updateContents } = await api.ok(who, UPDATE, { items });
    return updateContents.results.map(
      ({ error }: { error: { code: string; field: string } | null }) => error && `${error.code} ${error.field}`,
    );
  };
  /** Places of the categories and genres among those above, and the keywords. */
  const listsOf = async (id: string) => {
    const row = await api.row<{ keywords: string[]; categories: string[]; genres: string[] }>(
      `select c.keywords,
         array(select l.category_id::text from content_categories l where l.content_id = c.id order by l.position)
           as categories,
         array(select l.genre_id::text from content_genres l where l.content_id = c.id order by l.position) as genres
       from contents c where c.id = $1`,
      [uuidOf(id)],
    );
    const places = (ids: readonly string[], all: readonly string[]) => ids.map((each) => all.map(uuidOf).indexOf(each));
    return [places(row.categories, categories), places(row.genres, genres), row.keywords];
  };
  const video = async (lists: Lists = {}): Promise<string> => {
    const id = await api.content(anna);
    assert.deepEqual(await update([{ id, changes: lists }]), [null]);
    return id;
  };
  const some = (all: readonly string[], ...places: number[]) => places.map((place) => all[place] ?? '');

  it('keeps what is there, and its order', async () => {
    const first = await video({ categories: some(categories, 1), genres: some(genres, 2, 0), keywords: ['hill'] });
    const second = await video();
    const add = { categories: some(categories, 0, 1), genres: some(genres, 4), keywords: ['Hill', 'lake'] };
    assert.deepEqual(
      await update([
        { id: first, add },
        { id: second, changes: { title: 'New' }, add },
      ]),
      [null, null],
    );
    assert.deepEqual(await listsOf(first), [
      [1, 0],
      [2, 0, 4],
      ['hill', 'lake'],
    ]);
    assert.deepEqual(await listsOf(second), [[0, 1], [4], ['Hill', 'lake']]);
    const remove = { categories: some(categories, 1, 3), keywords: ['HILL', 'sea'] };
    assert.deepEqual(await update([{ id: first, remove, add: { keywords: ['shore'] } }]), [null]);
    assert.deepEqual(await listsOf(first), [[0], [2, 0, 4], ['lake', 'shore']]);
  });

  it('is refused for lists that would become too long, and for terms that do not exist', async () => {
    const full = { categories: some(categories, 0, 1, 2), genres: some(genres, 0, 1, 2, 3, 4), keywords: ['one'] };
    const [a, b, c, d] = [await video(full), await video(full), await video(full), await video(full)];
    const unknown = `${categories[0]?.slice(0, -4)}ffff`;
    const words = Array.from({ length: 30 }, (_, index) => `word ${index}`);
    assert.deepEqual(
      await update([
        { id: a, changes: { title: 'Changed' }, add: { categories: some(categories, 3) } },
        { id: b, add: { genres: some(genres, 5) } },
        { id: c, add: { keywords: words } },
        { id: d, remove: { categories: some(categories, 0) }, add: { categories: [unknown] } },
      ]),
      [
        'INVALID_INPUT input.items.0.add.categories',
        'INVALID_INPUT input.items.1.add.genres',
        'INVALID_INPUT input.items.2.add.keywords',
        'RESOURCE_NOT_FOUND input.items.3.add.categories',
      ],
    );
    for (const id of [a, b, c, d]) assert.deepEqual(await listsOf(id), [[0, 1, 2], [0, 1, 2, 3, 4], ['one']]);
    assert.equal(
      (await api.row<{ title: string }>('select title from contents where id = $1', [uuidOf(a)])).title,
      'A video',
    );
  });

  it('is refused for a list that is replaced, too, for an entry on both sides, and without anything', async () => {
    const [a, b, c] = [await video({ keywords: ['one'] }), await video({ keywords: ['one'] }), await video()];
    assert.deepEqual(
      await update([
        { id: a, changes: { keywords: ['two'] }, add: { keywords: ['three'] } },
        { id: b, add: { keywords: ['two'] }, remove: { keywords: ['Two'] } },
        { id: c },
      ]),
      [
        'INVALID_INPUT input.items.0.changes.keywords',
        'INVALID_INPUT input.items.1.remove.keywords',
        'FIELD_REQUIRED input.items.2.changes',
      ],
    );
    for (const id of [a, b]) assert.deepEqual(await listsOf(id), [[], [], ['one']]);
  });

  it('is refused for contents of others, and changes none of them', async () => {
    const hidden = await video({ keywords: ['one'] });
    const open = await api.content(anna, { status: 'PUBLISHED' });
    const add = { keywords: ['mine'], categories: some(categories, 0, 1, 2) };
    assert.deepEqual(
      await update(
        [
          { id: hidden, add },
          { id: open, add },
        ],
        bert,
      ),
      ['RESOURCE_NOT_FOUND input.items.0.id', 'UNAUTHORIZED input.items.1.id'],
    );
    assert.deepEqual(await listsOf(hidden), [[], [], ['one']]);
    assert.deepEqual(await listsOf(open), [[], [], []]);
  });

  it('loses nothing when several add at once', async () => {
    const id = await video();
    const words = Array.from({ length: 12 }, (_, index) => `word ${index}`);
    const answers = await Promise.all(words.map((word) => update([{ id, add: { keywords: [word] } }])));
    assert.deepEqual(answers.flat(), Array(12).fill(null));
    const [, , keywords] = await listsOf(id);
    assert.deepEqual([...(keywords ?? [])].sort(), words.toSorted());
  });
});
