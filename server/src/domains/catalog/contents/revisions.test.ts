import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Conflict } from '../../../kernel/errors.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const UPDATE =
  'mutation ($id: DID!, $input: ContentInput!) { updateContent(id: $id, input: $input) { revision updatedAt } }';
const CHAPTERS = [0, 10_000, 20_000].map((startMs) => ({ startMs, title: `At ${startMs}` }));

let api: TestCatalog;
let anna: Person;
before(async () => {
  api = await openTestCatalog();
  anna = await api.person('anna');
});
after(() => api?.close());

/** PostgreSQL orders the names of a JSON object. */
const inOrder = ({ revision, fields }: Conflict): Conflict => ({
  revision,
  fields: ['title', 'language', 'categories'].flatMap((name) =>
    fields.filter(({ field }) => field === `input.${name}`),
  ),
});
const change = (id: string, input: Record<string, unknown>) => api.run(anna, UPDATE, { id, input });
const revisionOf = async (id: string): Promise<number> =>
  (await api.ok(anna, `{ content(id: "${id}") { revision } }`)).content.revision;
const eventsOf = async (id: string): Promise<number> =>
  (await api.rows('select 1 from events where subject_id = $1', [uuidOf(id)])).length;

describe('the revision of a content', () => {
  it('increases with what people edit, wherever it is stored', async () => {
    const id = await api.content(anna);
    const { categories } = await api.ok(anna, '{ categories(first: 2) { edges { node { id } } } }');
    const category = categories.edges[0].node.id;
    assert.equal(await revisionOf(id), 1);
    await change(id, { title: 'B', summary: 'C' });
    assert.equal(await revisionOf(id), 2);
    await change(id, { categories: [category] });
    assert.equal(await revisionOf(id), 3);
    await change(id, { categories: [category], title: 'D' });
    assert.equal(await revisionOf(id), 4);
    await api.ok(
      anna,
      'mutation ($id: DID!, $input: SetContentChaptersInput!) { setContentChapters(id: $id, input: ' +
        '$input) { content { id } } }',
      { id, input: { chapters: CHAPTERS } },
    );
    assert.equal(await revisionOf(id), 5);
  });

  it('stays when nothing changes, and when others than people change it', async () => {
    const id = await api.content(anna, { status: 'READY' });
    await change(id, { title: 'B' });
    const [events, before] = [await eventsOf(id), await api.row('select * from contents where id = $1', [uuidOf(id)])];
    api.clock.advance(60_000);
    const { data } = await change(id, { title: 'B', summary: '', keywords: [], categories: [] });
    assert.equal((data as { updateContent: { revision: number } }).updateContent.revision, 2);
    assert.deepEqual(await api.row('select * from contents where id = $1', [uuidOf(id)]), before);
    assert.equal(await eventsOf(id), events);
    await api.rows(`update contents set status = 'PROCESSING', updated_at = now() where id = $1`, [uuidOf(id)]);
    assert.equal(await revisionOf(id), 2);
  });
});

describe('an update that is based on an earlier revision', () => {
  it('changes nothing, and names what was sent and is different, as the API shows it', async () => {
    const id = await api.content(anna);
    const { categories } = await api.ok(anna, '{ categories(first: 2) { edges { node { id } } } }');
    const [first, second] = categories.edges.map(({ node }: { node: { id: string } }) => node.id);
    await change(id, { title: 'Theirs', summary: 'The same', categories: [first] });
    const { errors } = await change(id, {
      ...{ title: 'Mine', summary: 'The same', categories: [second], language: 'de', ifRevision: 1 },
    });
    assert.deepEqual(
      errors.map(({ code, field, conflict }) => ({ code, field, conflict: conflict && inOrder(conflict) })),
      [
        {
          code: 'CONFLICT',
          field: 'input.ifRevision',
          conflict: {
            revision: 2,
            fields: [
              { field: 'input.title', value: 'Theirs' },
              { field: 'input.language', value: null },
              { field: 'input.categories', value: [first] },
            ],
          },
        },
      ],
    );
    const { content } = await api.ok(anna, `{ content(id: "${id}") { metadata { title language } revision } }`);
    assert.deepEqual(content, { metadata: { title: 'Theirs', language: null }, revision: 2 });
    assert.deepEqual((await change(id, { title: 'Mine', ifRevision: 2 })).errors, []);
  });

  it('is refused also when both are sent at once', async () => {
    const id = await api.content(anna);
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map((title) => change(id, { title, ifRevision: 1 })));
    const codes = answers.map(({ errors }) => errors[0]?.code ?? 'allowed').sort();
    assert.deepEqual(codes, ['CONFLICT', 'CONFLICT', 'CONFLICT', 'allowed']);
    assert.equal(await revisionOf(id), 2);
  });

  it('tells nothing to others', async () => {
    const id = await api.content(anna);
    const stranger = await api.person('stranger');
    const { code } = await api.refused(stranger, UPDATE, { id, input: { title: 'Mine', ifRevision: 9 } });
    assert.equal(code, 'RESOURCE_NOT_FOUND');
  });

  it('fails by itself in a batch', async () => {
    const [stale, fresh] = [await api.content(anna), await api.content(anna)];
    await change(stale, { title: 'Theirs' });
    const items = [stale, fresh].map((id) => ({ id, changes: { title: 'Mine', ifRevision: 1 } }));
    const { updateContents } = await api.ok(
      anna,
      'mutation ($input: UpdateContentsInput!) { updateContents(input: $input) { results { ok ' +
        'error { code field } } } }',
      { input: { items } },
    );
    assert.deepEqual(updateContents.results, [
      { ok: false, error: { code: 'CONFLICT', field: 'input.items.0.changes.ifRevision' } },
      { ok: true, error: null },
    ]);
  });

  it('is impossible of something new', async () => {
    const create = 'mutation { createContent(input: { title: "A", ifRevision: 1 }) { id } }';
    const { code, field } = await api.refused(anna, create);
    assert.deepEqual([code, field], ['INVALID_INPUT', 'input.ifRevision']);
  });
});
