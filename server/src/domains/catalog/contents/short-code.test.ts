import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog } from '../testing.ts';

const READ = 'query ($id: DID!) { content(id: $id) { shortCode shortUrl } }';
const FIND = 'query ($id: DID, $shortCode: String) { content(id: $id, shortCode: $shortCode) { id } }';

describe('short codes', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  it('have 11 random characters, end the short address and find their content', async () => {
    const contents = [
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { kind: 'SHORT', status: 'PUBLISHED' }),
      await api.content(anna, { kind: 'SERIES', status: 'PUBLISHED' }),
    ];
    const codes = new Set<string>();
    for (const id of contents) {
      const { shortCode, shortUrl } = (await api.ok(anna, READ, { id })).content;
      assert.match(shortCode, /^[A-Za-z0-9_-]{11}$/);
      assert.equal(shortUrl, `http://reelgraph.test/w/${shortCode}`);
      assert.deepEqual((await api.ok(bert, FIND, { shortCode })).content, { id });
      codes.add(shortCode);
    }
    assert.equal(codes.size, 3);
  });

  it('are different for many contents at once', async () => {
    await api.rows(
      `insert into contents (id, kind, channel_id, title, status, created_at, updated_at)
       select uuidv7(), 'FEATURE', $1, 'One of many', 'DRAFT', now(), now() from generate_series(1, 500)`,
      [anna.channelId],
    );
    const rows = await api.rows('select distinct short_code from contents where channel_id = $1', [anna.channelId]);
    assert.ok(rows.length >= 500);
  });

  it('find what the viewer may see only', async () => {
    await api.content(anna, { shortCode: 'draft000001' });
    const gone = await api.content(anna, { status: 'PUBLISHED', shortCode: 'gone0000001' });
    await api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: gone });
    assert.ok((await api.ok(anna, FIND, { shortCode: 'draft000001' })).content.id);
    for (const shortCode of ['draft000001', 'DRAFT000001', 'gone0000001', 'AAAAAAAAAAA', '', "' or true--x"]) {
      const { code, field } = await api.refused(bert, FIND, { shortCode });
      assert.deepEqual([code, field], ['RESOURCE_NOT_FOUND', 'shortCode'], shortCode);
    }
  });

  it('are given instead of the id', async () => {
    const id = await api.content(anna, { status: 'PUBLISHED', shortCode: 'both0000001' });
    const both = await api.refused(anna, FIND, { id, shortCode: 'both0000001' });
    assert.deepEqual([both.code, both.field], ['INVALID_INPUT', 'shortCode']);
    const neither = await api.refused(anna, FIND);
    assert.deepEqual([neither.code, neither.field], ['FIELD_REQUIRED', 'id']);
  });
});
