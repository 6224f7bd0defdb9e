import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';
import { resolveShortAddress } from './resolve-short-address.ts';

const READ = 'query ($id: DID!) { content(id: $id) { shortUrl } }';

describe('short addresses', () => {
  let api: TestCatalog;
  let anna: Person;
  before(async () => {
    api = await openTestCatalog();
    anna = await api.person('anna');
  });
  after(() => api.close());

  const shortUrl = async (id: string): Promise<string> => (await api.ok(anna, READ, { id })).content.shortUrl;
  const codeOf = async (id: string): Promise<string> => new URL(await shortUrl(id)).pathname.slice('/w/'.length);

  it('have 11 random characters and lead to the page of their content', async () => {
    const [video, short, serie] = [
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { kind: 'SHORT' }),
      await api.content(anna, { kind: 'SERIE' }),
    ];
    const codes = await Promise.all([video, short, serie].map(codeOf));
    for (const code of codes) assert.match(code, /^[A-Za-z0-9_-]{11}$/);
    assert.equal(new Set(codes).size, 3);
    assert.deepEqual(await Promise.all(codes.map((code) => resolveShortAddress(api.platform.db, code))), [
      `/watch/${uuidOf(video)}`,
      `/watch/short/${uuidOf(short)}`,
      `/series/${uuidOf(serie)}`,
    ]);
    assert.equal(await codeOf(video), codes[0]);
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

  it('lead nowhere for unknown codes and for contents in the trash', async () => {
    const video = await api.content(anna);
    const code = await codeOf(video);
    await api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: video });
    for (const unknown of [code, 'AAAAAAAAAAA', '', "' or true--x", 'AAAAAAAAAAAA']) {
      await assert.rejects(
        resolveShortAddress(api.platform.db, unknown),
        (error) => error instanceof AppError && error.code === 'RESOURCE_NOT_FOUND',
      );
    }
  });
});
