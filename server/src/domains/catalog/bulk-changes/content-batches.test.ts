import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const RESULTS = '{ results { id ok error { code field message suggestedFix } } }';
const PUBLISH =
  'mutation ($ids: [DID!]!, $releaseDate: DateTime, $visibility: Visibility) { publishContents(ids: $ids, ' +
  `input: { releaseDate: $releaseDate, visibility: $visibility }) ${RESULTS} }`;
const DELETE = `mutation ($ids: [DID!]!) { deleteContents(ids: $ids) ${RESULTS} }`;
const UPDATE = `mutation ($input: UpdateContentsInput!) { updateContents(input: $input) ${RESULTS} }`;

interface Result {
  readonly id: string;
  readonly ok: boolean;
  readonly error: { readonly code: string; readonly field: string } | null;
}

describe('mutations on many contents', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let editor: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert, editor] = [await api.person('anna'), await api.person('bert'), await api.person('editor')];
    await api.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'EDITOR')`, [
      anna.channelId,
      editor.accountId,
    ]);
  });
  after(() => api.close());

  const summaries = (results: readonly Result[]) =>
    results.map(({ id, ok, error }) => [id, ok, error?.code, error?.field]);
  const done = (id: string) => [id, true, undefined, undefined];
  const statusOf = async (id: string) =>
    (
      await api.row<{ is: string }>(
        `select status || case when deleted_at is null then '' else ' deleted' end as is from contents where id = $1`,
        [uuidOf(id)],
      )
    ).is;

  it('publish contents in the given order, and report those that cannot be published', async () => {
    const [ready, draft, live] = [
      await api.content(anna),
      await api.content(anna, { status: 'DRAFT' }),
      await api.content(anna, { status: 'PUBLISHED' }),
    ];
    const [foreign, open] = [await api.content(bert), await api.content(bert, { status: 'PUBLISHED' })];
    const { publishContents } = await api.ok(editor, PUBLISH, {
      ids: [live, draft, foreign, 'nonsense', ready, open, ready],
    });
    assert.deepEqual(summaries(publishContents.results), [
      done(live),
      [draft, false, 'INVALID_INPUT', 'ids.1'],
      [foreign, false, 'RESOURCE_NOT_FOUND', 'ids.2'],
      ['nonsense', false, 'INVALID_INPUT', 'ids.3'],
      done(ready),
      [open, false, 'UNAUTHORIZED', 'ids.5'],
      [ready, false, 'INVALID_INPUT', 'ids.6'],
    ]);
    assert.deepEqual(await Promise.all([ready, draft, live, foreign].map(statusOf)), [
      'PUBLISHED',
      'DRAFT',
      'PUBLISHED',
      'READY',
    ]);
    const events = await api.rows('select type from events where subject_id = any($1)', [[ready, live].map(uuidOf)]);
    assert.deepEqual(events, [{ type: 'content.published' }]);
  });

  it('publish contents for some viewers, and leave those that are refused as they were', async () => {
    const ids = [await api.content(anna, { status: 'FAILED' }), await api.content(anna)];
    const rows = () =>
      api.rows<{ status: string; visibility: string }>(
        'select status, visibility, release_at, updated_at from contents where id = any($1) order by id',
        [ids.map(uuidOf)],
      );
    const items = ids.map((id) => ({ id, changes: { visibility: 'PRIVATE' } }));
    await api.ok(anna, UPDATE, { input: { items } });
    const [failed] = await rows();
    const { publishContents } = await api.ok(anna, PUBLISH, { ids, visibility: 'UNLISTED' });
    assert.deepEqual(summaries(publishContents.results), [
      [ids[0], false, 'INVALID_INPUT', 'ids.0'],
      done(ids[1] ?? ''),
    ]);
    const [failedAfter, ready] = await rows();
    assert.deepEqual(failedAfter, failed);
    assert.deepEqual([ready?.status, ready?.visibility], ['PUBLISHED', 'UNLISTED']);
  });

  it('schedule many publications for one date', async () => {
    const ids = [await api.content(anna), await api.content(anna)];
    const releaseDate = new Date(api.clock.now() + 3_600_000).toISOString();
    const { publishContents } = await api.ok(anna, PUBLISH, { ids, releaseDate });
    assert.deepEqual(summaries(publishContents.results), ids.map(done));
    const rows = await api.rows<{ status: string; at: string }>(
      'select status, release_at as at from contents where id = any($1)',
      [ids.map(uuidOf)],
    );
    assert.deepEqual(
      rows.map(({ status, at }) => [status, new Date(at).toISOString()]),
      [
        ['READY', releaseDate],
        ['READY', releaseDate],
      ],
    );
  });

  it('delete contents that the role may delete, with exact counts', async () => {
    const ids = [await api.content(anna, { status: 'PUBLISHED' }), await api.content(anna)];
    const total = async () =>
      (await api.ok(anna, '{ me { channel { contents { totalCount } } } }')).me.channel.contents.totalCount;
    const before = await total();
    const refused = await api.run(editor, DELETE, { ids });
    assert.deepEqual(
      summaries(refused.data.deleteContents.results),
      ids.map((id, index) => [id, false, 'UNAUTHORIZED', `ids.${index}`]),
    );
    const { deleteContents } = await api.ok(anna, DELETE, { ids });
    assert.deepEqual(summaries(deleteContents.results), ids.map(done));
    assert.equal(await total(), before - 2);
    assert.deepEqual(await Promise.all(ids.map(statusOf)), ['PUBLISHED deleted', 'READY deleted']);
  });

  it('update each with its own changes, and name the invalid field', async () => {
    const [a, b, c] = [await api.content(anna), await api.content(anna), await api.content(bert)];
    const items = [
      { id: a, changes: { title: 'New', keywords: ['x'] } },
      { id: b, changes: { title: '' } },
      { id: c, changes: { title: 'Mine' } },
    ];
    const { updateContents } = await api.ok(anna, UPDATE, { input: { items } });
    assert.deepEqual(summaries(updateContents.results), [
      done(a),
      [b, false, 'FIELD_REQUIRED', 'input.items.1.changes.title'],
      [c, false, 'RESOURCE_NOT_FOUND', 'input.items.2.id'],
    ]);
    const rows = await api.rows<{ title: string }>('select title from contents where id = any($1) order by id', [
      [a, b, c].map(uuidOf),
    ]);
    assert.deepEqual(
      rows.map(({ title }) => title),
      ['New', 'A video', 'A video'],
    );
  });

  it('accept 1 to 100 entries', async () => {
    for (const [ids, code] of [
      [[], 'FIELD_REQUIRED'],
      [Array(101).fill(anna.channel), 'INVALID_INPUT'],
    ] as const) {
      const error = await api.refused(anna, DELETE, { ids });
      assert.deepEqual([error.code, error.field], [code, 'ids']);
    }
    assert.equal((await api.refused(anna, UPDATE, { input: { items: [] } })).field, 'input.items');
  });

  it('with the same contents in opposite orders do not deadlock', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => api.content(anna)));
    const items = ids.map((id) => ({ id, changes: { summary: 'Together' } }));
    await Promise.all(
      Array.from({ length: 8 }, (_, turn) =>
        api.ok(anna, UPDATE, { input: { items: turn % 2 ? items : items.toReversed() } }),
      ),
    );
    const { n } = await api.row<{ n: number }>(`select count(*)::int as n from contents where summary = 'Together'`);
    assert.equal(n, 20);
  });
});
