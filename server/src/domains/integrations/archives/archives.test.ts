import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { createRouter } from '../../../http/router.ts';
import { serveAssetRoutes } from '../../assets/testing.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { comment } from '../../social/testing.ts';
import { ARCHIVE_PARTS, NOT_ARCHIVED } from './archive-parts.sql.ts';
import { archiveRoutes } from './archives.routes.ts';
import { expireArchives } from './archives.store.ts';
import { writeArchive } from './write-archive.handler.ts';

const REQUEST =
  'mutation ($password: String!) { requestAccountArchive(input: { password: $password }) { archive ' +
  '{ status url expiresAt } } }';
const READ = '{ me { archive { status url expiresAt sizeBytes } } }';
const PASSWORD = 'correct horse';
const DAY_MS = 86_400_000;

/** The files of a ZIP file, read by its directory at the end as other programs do. */
function unzip(bytes: Buffer): Record<string, string> {
  const files: Record<string, string> = {};
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [packed, size, nameLength] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ];
    const offset = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const text = inflateRawSync(bytes.subarray(offset + 30 + nameLength, offset + 30 + nameLength + packed));
    assert.equal(text.length, size, name);
    files[name] = text.toString('utf8');
    at += 46 + nameLength;
  }
  assert.equal(at, end);
  return files;
}

describe('the archive of an account', () => {
  let api: TestCatalog;
  let server: { address: string; close(): Promise<void> };
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    const { accounts } = api.domains;
    const routes = archiveRoutes(api.platform, async (request) => {
      const token = request.headers['x-session'];
      return accounts.requireViewer(
        typeof token === 'string' ? { kind: 'session', token } : { kind: 'anonymous' },
        'account:update',
      );
    });
    const match = createRouter(routes);
    const handle: (typeof routes)[number]['handle'] = (incoming, response, context) => {
      const found = match(incoming.method ?? '', context.url.pathname);
      assert.equal(found.kind, 'found');
      if (found.kind === 'found') return found.route.handle(incoming, response, { ...context, params: found.params });
    };
    server = await serveAssetRoutes([{ method: '*', path: '/account-archives/*', handle }]);
  });
  after(async () => {
    await server.close();
    await api.close();
  });

  const signedIn = async (name: string): Promise<Person> => api.signedIn(await api.person(name));
  const state = () => api.rows('select * from account_archives order by id');
  const get = (url: string, who: Person | null) =>
    fetch(`${server.address}${new URL(url).pathname}`, {
      redirect: 'manual',
      headers: who?.credential.kind === 'session' ? { 'x-session': who.credential.token } : {},
    });
  /** Requests an archive and writes it, as a worker does. */
  async function archived(who: Person): Promise<{ url: string; expiresAt: string; sizeBytes: number }> {
    assert.equal((await api.ok(who, REQUEST, { password: PASSWORD })).requestAccountArchive.archive.status, 'QUEUED');
    const { id } = await api.row<{ id: string }>(
      `select id from account_archives where account_id = $1 and status = 'QUEUED'`,
      [who.accountId],
    );
    await writeArchive(api.platform, id);
    return (await api.ok(who, READ)).me.archive;
  }

  it('exports each table with rows of an account, or says why not', async () => {
    const rows = await api.rows<{ name: string }>(
      `select distinct c.relname as name from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_constraint f on f.conrelid = c.oid and f.contype = 'f' and f.confrelid = 'accounts'::regclass
         and f.conkey = array[a.attnum]
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and (a.attname = 'account_id' or f.oid is not null)`,
    );
    const listed = [...ARCHIVE_PARTS.flatMap(({ tables }) => tables), ...Object.keys(NOT_ARCHIVED), 'accounts'];
    const known = [...new Set(listed)].filter((name) => name !== 'accounts').sort();
    assert.deepEqual(rows.map(({ name }) => name).sort(), known);
    assert.equal(listed.filter((name) => name !== 'accounts').length, known.length, 'no table is listed twice');
  });

  it('has what the account wrote, and no secrets', async () => {
    const [anna, bert] = [await signedIn('anna'), await signedIn('bert')];
    const video = await api.content(anna, { status: 'PUBLISHED', title: 'Über „Brot“' });
    const other = await api.content(bert, { status: 'PUBLISHED', title: 'By bert' });
    await comment(api, anna, other, 'Nice, says anna');
    await comment(api, bert, video, 'Nice, says bert');
    await api.ok(anna, 'mutation ($id: DID!) { likeContent(id: $id) { id } }', { id: other });
    await api.ok(anna, 'mutation ($c: DID!) { followChannel(channel: $c) { ok } }', { c: bert.channel });
    const file = '01a1facb-422b-7000-b9e0-9276b51acd0e';
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes)
       values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'bread.mp4', 'sources/bread', 5)`,
      [file, anna.channelId, uuidOf(video)],
    );
    const { url, expiresAt, sizeBytes } = await archived(anna);
    assert.equal(expiresAt, new Date(api.clock.now() + 7 * DAY_MS).toISOString());
    const response = await get(url, anna);
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), response.headers.get('cache-control')],
      [200, 'application/zip', 'private, no-store'],
    );
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(bytes.length, sizeBytes);
    const files = unzip(bytes);
    assert.deepEqual(Object.keys(files), ['README.txt', ...ARCHIVE_PARTS.map(({ name }) => name)]);
    const rows = (name: string) =>
      (files[`${name}.jsonl`] ?? '')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
    const profile = JSON.parse(files['profile.json'] ?? '');
    assert.deepEqual([profile.username, profile.email, profile.emailVerified], ['anna', 'anna@example.com', false]);
    assert.equal(JSON.parse(files['settings.json'] ?? '').keepHistory, true);
    assert.equal(JSON.parse(files['subscription.json'] ?? '').plan, 'CREATOR_PLUS');
    assert.deepEqual(
      rows('channels').map(({ handle }) => handle),
      ['anna'],
    );
    assert.deepEqual(
      rows('contents').map(({ id, title }) => [id, title]),
      [[uuidOf(video), 'Über „Brot“']],
    );
    assert.deepEqual(
      rows('comments').map(({ contentId, text }) => [contentId, text]),
      [[uuidOf(other), 'Nice, says anna']],
    );
    assert.deepEqual(
      [rows('likes').map(({ id }) => id), rows('follows').map(({ handle }) => handle)],
      [[uuidOf(other)], ['bert']],
    );
    assert.deepEqual(
      rows('sessions').map(({ id, createdAt, ...rest }) => [typeof id, typeof createdAt, Object.keys(rest)]),
      [['string', 'string', ['address', 'userAgent', 'expiresAt']]],
    );
    const [original] = rows('files');
    assert.deepEqual([original.id, original.filename, original.sizeBytes], [file, 'bread.mp4', 5]);
    const link = await get(original.download, anna);
    assert.equal(link.status, 302);
    assert.match(link.headers.get('location') ?? '', new RegExp(`/media/s/[^/]+/sources/${file}/bread\\.mp4$`));
    assert.equal((await get(original.download, bert)).status, 404);
    const all = Object.values(files).join('\n');
    const secrets = await api.rows<{ secret: string }>(
      `select token as secret from sessions union all select password from credentials where password is not null
       union all select encode(lookup_hash, 'hex') from api_keys`,
    );
    assert.ok(secrets.length >= 4);
    for (const { secret } of secrets) assert.ok(!all.includes(secret));
    assert.ok(!all.includes('bert@example.com') && !all.includes('says bert'));
  });

  it('is read in pages without a gap', async () => {
    const paula = await signedIn('paula');
    await api.rows(
      `insert into playlists (id, channel_id, title, visibility) select gen_random_uuid(), $1, 'List ' || n, 'PRIVATE'
       from generate_series(1, 2001) n`,
      [paula.channelId],
    );
    const { url } = await archived(paula);
    const files = unzip(Buffer.from(await (await get(url, paula)).arrayBuffer()));
    const ids = (files['playlists.jsonl'] ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).id);
    assert.deepEqual([ids.length, new Set(ids).size], [2001, 2001]);
  });

  it('is for its account alone, signed in', async () => {
    const [carla, dora] = [await signedIn('carla'), await signedIn('dora')];
    const { url } = await archived(carla);
    assert.deepEqual(
      [(await get(url, carla)).status, (await get(url, dora)).status, (await get(url, null)).status],
      [200, 404, 401],
    );
    assert.equal((await api.ok(dora, READ)).me.archive, null);
  });

  it('needs the password and a session, and changes nothing otherwise', async () => {
    const emil = await api.person('emil');
    const session = await api.signedIn(emil);
    const rows = await state();
    for (const [who, password, code, field] of [
      [session, 'wrong horse', 'INVALID_INPUT', 'password'],
      [session, '', 'FIELD_REQUIRED', 'password'],
      [emil, PASSWORD, 'UNAUTHORIZED', undefined],
      [null, PASSWORD, 'UNAUTHENTICATED', undefined],
    ] as const) {
      const refused = await api.refused(who, REQUEST, { password });
      assert.deepEqual([refused.code, refused.field], [code, field]);
    }
    assert.deepEqual(await state(), rows);
  });

  it('is written one at a time, three a day at most; the next one replaces it, and a week deletes it', async () => {
    const fred = await signedIn('fred');
    await api.ok(fred, REQUEST, { password: PASSWORD });
    await api.ok(fred, REQUEST, { password: PASSWORD });
    const of = () =>
      api.rows<{ id: string; status: string }>(
        'select id, status from account_archives where account_id = $1 order by created_at, id',
        [fred.accountId],
      );
    const [first] = await of();
    assert.equal((await of()).length, 1);
    await writeArchive(api.platform, first?.id ?? '');
    await writeArchive(api.platform, first?.id ?? '');
    const { url } = (await api.ok(fred, READ)).me.archive;
    api.clock.advance(1_000);
    const second = await archived(fred);
    assert.equal((await get(url, fred)).status, 404);
    assert.equal((await get(second.url, fred)).status, 200);
    await archived(fred);
    assert.equal((await api.refused(fred, REQUEST, { password: PASSWORD })).code, 'RATE_LIMIT_EXCEEDED');
    api.clock.advance(7 * DAY_MS);
    await expireArchives(api.platform.db, new Date(api.clock.now()).toISOString());
    assert.deepEqual(
      (await of()).map(({ status }) => status),
      ['EXPIRED', 'EXPIRED', 'EXPIRED'],
    );
    const purged = await api.rows<{ prefix: string }>('select key_prefix as prefix from object_purges');
    for (const { id } of await of()) assert.ok(purged.some(({ prefix }) => prefix === `exports/${id}/`));
    api.clock.advance(30 * DAY_MS);
    await expireArchives(api.platform.db, new Date(api.clock.now()).toISOString());
    assert.deepEqual(await of(), []);
  });
});
