import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  errorOf,
  openTestClientSurface,
  patchHeaders,
  type TestClientSurface,
  TUS,
} from '../../client-surface.fixture.ts';
import { BYTES, GIB, tusRequests } from './tus-requests.fixture.ts';

/** The resumable upload protocol, tus 1.0.0, by its sections: the core, and each extension that OPTIONS lists. */
describe('tus 1.0.0', () => {
  let surface: TestClientSurface;
  before(async () => {
    surface = await openTestClientSurface();
  });
  after(() => surface.close());

  const { pairs, metadataOf, create, ask, newUpload, numbersOf, uploadsOf } = tusRequests(() => surface);

  describe('core', () => {
    it('HEAD has offset and length, and is not cached', async () => {
      const { endpoint } = await newUpload();
      const head = await ask(endpoint, 'HEAD');
      const names = ['upload-offset', 'upload-length', 'upload-defer-length', 'tus-resumable', 'cache-control'];
      assert.deepEqual(
        [head.status, ...names.map((name) => head.headers.get(name))],
        [200, '0', '10', null, '1.0.0', 'no-store'],
      );
    });

    it('PATCH appends at the offset and says the new one, also for an empty body', async () => {
      const { endpoint } = await newUpload();
      const patch = (offset: number, body: string) => ask(endpoint, 'PATCH', patchHeaders(offset), body);
      assert.deepEqual(numbersOf(await patch(0, '1234')), [204, '4']);
      assert.deepEqual(numbersOf(await patch(4, '')), [204, '4']);
      assert.deepEqual(numbersOf(await patch(4, '567890')), [204, '10']);
      assert.deepEqual(numbersOf(await ask(endpoint, 'HEAD')), [200, '10']);
    });

    it('PATCH refuses another offset with 409, before and behind the end', async () => {
      const { endpoint } = await newUpload();
      await ask(endpoint, 'PATCH', patchHeaders(0), '1234');
      for (const offset of [0, 3, 5, 10])
        assert.deepEqual(numbersOf(await ask(endpoint, 'PATCH', patchHeaders(offset), '5')), [409, '4'], `${offset}`);
      assert.deepEqual(numbersOf(await ask(endpoint, 'HEAD')), [200, '4']);
    });

    it('PATCH refuses other content types, and none, with 415', async () => {
      const { endpoint } = await newUpload();
      const { 'Content-Type': _, ...untyped } = patchHeaders(0);
      for (const type of ['application/octet-stream', 'video/mp4', 'text/plain', 'multipart/form-data; boundary=x']) {
        const error = await errorOf(await ask(endpoint, 'PATCH', { ...untyped, 'content-type': type }, '12345'));
        assert.deepEqual([error.status, error.code], [415, 'INVALID_INPUT'], type);
        assert.match(error.suggestedFix, /application\/offset\+octet-stream/);
      }
      const bare = await errorOf(await ask(endpoint, 'PATCH', untyped));
      assert.deepEqual([bare.status, bare.code], [415, 'INVALID_INPUT']);
      assert.deepEqual(numbersOf(await ask(endpoint, 'HEAD')), [200, '0']);
    });

    it('PATCH without an offset is refused, naming the header', async () => {
      const { endpoint } = await newUpload();
      const error = await errorOf(await ask(endpoint, 'PATCH', { ...TUS, 'content-type': BYTES }, '1'));
      assert.deepEqual([error.status, error.code], [400, 'FIELD_REQUIRED']);
      assert.match(error.suggestedFix, /Upload-Offset/);
    });

    it('PATCH refuses more bytes than the length with 413', async () => {
      const { endpoint } = await newUpload();
      const error = await errorOf(await ask(endpoint, 'PATCH', patchHeaders(0), '12345678901'));
      assert.deepEqual([error.status, error.code], [413, 'UPLOAD_FAILED']);
    });

    it('OPTIONS needs no version and lists versions, extensions and the largest size', async () => {
      const { endpoint } = await newUpload();
      for (const address of [`${surface.baseUrl}/uploads`, endpoint]) {
        const response = await ask(address, 'OPTIONS', {});
        const names = ['tus-version', 'tus-extension', 'tus-max-size', 'tus-checksum-algorithm'];
        assert.deepEqual(
          [response.status, ...names.map((name) => response.headers.get(name))],
          [
            ...[
              200,
              '1.0.0',
              'creation,creation-defer-length,creation-with-upload,termination,expiration,checksum,concatenation',
            ],
            ...['268435456000', 'sha1,sha256,crc32'],
          ],
        );
      }
    });

    it('refuses another version with 412 and lists its own', async () => {
      const { endpoint } = await newUpload();
      for (const version of [{}, { 'Tus-Resumable': '0.2.2' }]) {
        const response = await ask(endpoint, 'PATCH', { ...patchHeaders(0), 'Tus-Resumable': '', ...version }, '1');
        assert.deepEqual([response.status, response.headers.get('tus-version')], [412, '1.0.0']);
      }
      assert.deepEqual(numbersOf(await ask(endpoint, 'HEAD')), [200, '0']);
    });

    it('has its version on every response, also to what is refused', async () => {
      const owner = await surface.owner();
      const { endpoint, id } = await surface.open(owner, { sizeBytes: 10 });
      const { endpoint: gone } = await surface.open(owner, { sizeBytes: 10 });
      await ask(gone, 'DELETE');
      const cases: [status: number, response: Response][] = [
        [200, await ask(endpoint, 'HEAD')],
        [204, await ask(endpoint, 'PATCH', patchHeaders(0), '12345')],
        [400, await create(owner, {})],
        [401, await ask(`${surface.baseUrl}/uploads/${id}`, 'HEAD')],
        [404, await ask(`${surface.baseUrl}/uploads/nonsense`, 'HEAD')],
        [409, await ask(endpoint, 'PATCH', patchHeaders(0), '12345')],
        [410, await ask(gone, 'HEAD')],
        [413, await create(owner, { 'upload-length': String(251 * GIB) })],
        [415, await ask(endpoint, 'PATCH', { ...patchHeaders(5), 'Content-Type': 'text/plain' }, '67890')],
      ];
      for (const [status, response] of cases)
        assert.deepEqual([response.status, response.headers.get('tus-resumable')], [status, '1.0.0']);
    });

    it('takes another method from X-HTTP-Method-Override', async () => {
      const { endpoint } = await newUpload();
      const as = (method: string) => ({ 'X-HTTP-Method-Override': method });
      const patched = await ask(endpoint, 'POST', { ...patchHeaders(0), ...as('PATCH') }, '1234');
      assert.deepEqual(numbersOf(patched), [204, '4']);
      assert.deepEqual(numbersOf(await ask(endpoint, 'POST', { ...TUS, ...as('HEAD') })), [200, '4']);
      assert.equal((await ask(endpoint, 'POST', { ...TUS, ...as('DELETE') })).status, 204);
      assert.equal((await ask(endpoint, 'HEAD')).status, 410);
    });
  });

  describe('creation', () => {
    it('responds 201 with the address, and HEAD returns the metadata as it was sent', async () => {
      const owner = await surface.owner();
      const metadata = metadataOf(owner, { hint: 'SHORT', 'is-final': null, note: 'für später' });
      const created = await create(owner, { 'upload-length': '10', 'upload-metadata': metadata });
      assert.deepEqual([created.status, await created.text()], [201, '']);
      const location = created.headers.get('location') ?? '';
      assert.ok(location.startsWith(`${surface.baseUrl}/uploads/`), location);
      const head = await ask(location, 'HEAD');
      assert.deepEqual(numbersOf(head), [200, '0']);
      assert.equal(head.headers.get('upload-metadata'), metadata);
    });

    const nameless: [name: string, metadata: Record<string, string>, named: RegExp][] = [
      ['without a name', { note: 'x' }, /^[0-9a-f-]{36}$/],
      ['without a name that can be seen', { filename: ' \u200b\n' }, /^[0-9a-f-]{36}$/],
      ['in a folder', { filename: 'films/../My film.MP4' }, /^My film\.MP4$/],
      ['with a name of several lines', { name: 'a\u0000b\nc.mov' }, /^abc\.mov$/],
      ['with a long name', { filename: `${'👩‍👩‍👧‍👦'.repeat(80)}.mp4` }, /^(?:👩‍👩‍👧‍👦){35}\.mp4$/u],
    ];
    for (const [name, more, named] of nameless)
      it(`takes a file ${name}`, async () => {
        const owner = await surface.owner();
        const created = await create(owner, { 'upload-length': '10', 'upload-metadata': pairs(more) });
        assert.equal(created.status, 201);
        const location = created.headers.get('location') ?? '';
        assert.deepEqual(numbersOf(await ask(location, 'PATCH', patchHeaders(0), '1234567890')), [204, '10']);
        const [upload] = await surface.rows<{ id: string; filename: string }>(
          'select id, filename from ingestions where channel_id = $1',
          [owner.channelId],
        );
        assert.match(upload?.filename ?? '', named);
        if (upload?.filename.length === 36) assert.equal(upload.filename, upload.id);
      });

    it('takes a file without metadata', async () => {
      const owner = await surface.owner();
      const { authorization } = owner;
      const headers = { ...TUS, authorization, 'upload-length': '10' };
      assert.equal((await fetch(`${surface.baseUrl}/uploads`, { method: 'POST', headers })).status, 201);
    });

    it('of an empty file is complete at once, and its processing fails with the reason', async () => {
      const owner = await surface.owner();
      const { authorization } = owner;
      const headers = { ...TUS, authorization, 'upload-length': '0' };
      const created = await fetch(`${surface.baseUrl}/uploads`, { method: 'POST', headers });
      assert.equal(created.status, 201);
      const head = await ask(created.headers.get('location') ?? '', 'HEAD');
      assert.deepEqual([...numbersOf(head), head.headers.get('upload-length')], [200, '0', '0']);
      const jobs = await surface.rows<{ status: string; code: string; message: string }>(
        `select j.status, j.error_code as code, j.error_message as message
         from transcode_jobs j join contents c on c.id = j.content_id where c.channel_id = $1`,
        [owner.channelId],
      );
      assert.deepEqual(
        jobs.map(({ status, code, message }) => [status, code, message.split('. ')[0]]),
        [['ERROR', 'UPLOAD_FAILED', 'The file is empty']],
      );
      const events = await surface.rows<{ payload: { code: string; message: string } }>(
        `select payload from events where channel_id = $1 and type like 'upload.%'`,
        [owner.channelId],
      );
      assert.deepEqual(
        events.map(({ payload }) => [payload.code, payload.message]),
        [['UPLOAD_FAILED', 'The file is empty.']],
      );
    });

    it('refuses a size above the limits with 413 and opens nothing', async () => {
      const owner = await surface.owner();
      const poster = { 'upload-metadata': metadataOf(owner, { hint: 'POSTER' }) };
      for (const headers of [
        { 'upload-length': '268435456001' },
        { 'upload-length': String(26 * 1024 ** 2), ...poster },
      ]) {
        const error = await errorOf(await create(owner, headers));
        assert.deepEqual([error.status, error.code, error.field], [413, 'INVALID_INPUT', 'Upload-Length']);
      }
      assert.deepEqual(await uploadsOf(owner), []);
    });

    it('refuses invalid lengths and metadata with 400 and opens nothing', async () => {
      const owner = await surface.owner();
      const good = { 'upload-length': '10' };
      for (const headers of [
        {},
        { 'upload-length': '-1' },
        { 'upload-length': '1e3' },
        { 'upload-defer-length': '0' },
        { 'upload-defer-length': '2' },
        { ...good, 'upload-defer-length': '1' },
        { ...good, 'upload-metadata': 'filename a b' },
        { ...good, 'upload-metadata': `${metadataOf(owner)},filename ${btoa('again')}` },
      ])
        assert.equal((await create(owner, headers)).status, 400, JSON.stringify(headers));
      assert.deepEqual(await uploadsOf(owner), []);
    });
  });

  describe('creation with upload', () => {
    it('takes the first bytes, or all of them', async () => {
      const owner = await surface.owner();
      const headers = { 'upload-length': '10', 'content-type': BYTES };
      const part = await create(owner, headers, '1234');
      assert.deepEqual(numbersOf(part), [201, '4']);
      const location = part.headers.get('location') ?? '';
      assert.deepEqual(numbersOf(await ask(location, 'PATCH', patchHeaders(4), '567890')), [204, '10']);
      assert.deepEqual(numbersOf(await create(owner, headers, '1234567890')), [201, '10']);
      assert.deepEqual(await uploadsOf(owner), [{ state: 'FINISHED' }, { state: 'FINISHED' }]);
    });

    it('refuses bytes of another content type with 415 and opens nothing', async () => {
      const owner = await surface.owner();
      for (const type of ['video/mp4', 'application/octet-stream']) {
        const error = await errorOf(await create(owner, { 'upload-length': '4', 'content-type': type }, '1234'));
        assert.deepEqual([error.status, error.code], [415, 'INVALID_INPUT'], type);
      }
      assert.deepEqual(await uploadsOf(owner), []);
      assert.equal((await create(owner, { 'upload-length': '4', 'content-type': 'video/mp4' })).status, 201);
    });
  });

  describe('checksum', () => {
    /** Digests of 12345. */
    const digests: Record<string, string> = {
      sha1: 'jLIjfQZ5yojbZGTqxg2pY0VROWQ=',
      sha256: 'WZRHGrsBESr8wYFZ9sx0tPURuZgG2lmzyvWpwXPKz8U=',
      crc32: 'y/U6HA==',
    };
    const patchWith = (address: string, checksum: string, body = '12345') =>
      ask(address, 'PATCH', { ...patchHeaders(0), 'upload-checksum': checksum }, body);

    for (const [algorithm, digest] of Object.entries(digests)) {
      it(`of ${algorithm} is compared with the bytes`, async () => {
        const { endpoint } = await newUpload();
        const error = await errorOf(await patchWith(endpoint, `${algorithm} ${digest}`, '12346'));
        assert.deepEqual([error.status, error.code, error.field], [460, 'UPLOAD_FAILED', 'Upload-Checksum']);
        assert.deepEqual(numbersOf(await ask(endpoint, 'HEAD')), [200, '0']);
        assert.deepEqual(numbersOf(await patchWith(endpoint, `${algorithm} ${digest}`)), [204, '5']);
        assert.deepEqual(numbersOf(await ask(endpoint, 'PATCH', patchHeaders(5), '67890')), [204, '10']);
      });
    }

    it('of another length is that of no bytes', async () => {
      const { endpoint } = await newUpload();
      for (const checksum of [`sha256 ${digests.sha1}`, 'crc32 AAAA', 'sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAAA'])
        assert.equal((await patchWith(endpoint, checksum)).status, 460, checksum);
      assert.deepEqual(numbersOf(await ask(endpoint, 'HEAD')), [200, '0']);
    });

    it('of an unknown algorithm, or that is none, is refused with 400', async () => {
      const { endpoint } = await newUpload();
      for (const checksum of ['md5 gnzLDuqKcGxMNKFokfhOew==', 'sha1', 'sha1 !', 'sha1 ====', '']) {
        const error = await errorOf(await patchWith(endpoint, checksum));
        assert.deepEqual([error.status, error.code, error.field], [400, 'INVALID_INPUT', 'Upload-Checksum'], checksum);
      }
      assert.deepEqual(numbersOf(await ask(endpoint, 'HEAD')), [200, '0']);
    });

    it('is compared in a creation with bytes, which opens nothing where it is another one', async () => {
      const owner = await surface.owner();
      const headers = { 'upload-length': '5', 'content-type': BYTES, 'upload-checksum': `crc32 ${digests.crc32}` };
      assert.equal((await create(owner, headers, '12346')).status, 460);
      assert.deepEqual(await uploadsOf(owner), [{ state: 'FAILED' }]);
      assert.deepEqual(numbersOf(await create(owner, headers, '12345')), [201, '5']);
    });
  });

  describe('expiration', () => {
    it('is said by POST, PATCH and HEAD while the upload is open, and extended by data', async () => {
      const owner = await surface.owner();
      const at = () => new Date(surface.platform.clock.now() + 24 * 3_600_000).toUTCString();
      const expiresOf = ({ headers }: Response) => headers.get('upload-expires');
      const created = await create(owner, { 'upload-length': '10' });
      const location = created.headers.get('location') ?? '';
      const first = at();
      assert.equal(expiresOf(created), first);
      surface.platform.clock.advance(3_600_000);
      assert.equal(expiresOf(await ask(location, 'HEAD')), first);
      assert.equal(expiresOf(await ask(location, 'PATCH', patchHeaders(0), '12345')), at());
      assert.notEqual(at(), first);
      assert.equal(expiresOf(await ask(location, 'HEAD')), at());
      const last = await ask(location, 'PATCH', patchHeaders(5), '67890');
      assert.deepEqual([last.status, expiresOf(last), expiresOf(await ask(location, 'HEAD'))], [204, null, null]);
    });

    it('makes every request to the upload fail with 410', async () => {
      const { endpoint } = await newUpload();
      surface.platform.clock.advance(25 * 3_600_000);
      for (const request of [
        ask(endpoint, 'HEAD'),
        ask(endpoint, 'PATCH', patchHeaders(0), '1'),
        ask(endpoint, 'DELETE'),
        ask(endpoint, 'PUT', {}, '1234567890'),
      ])
        assert.equal((await request).status, 410);
    });
  });

  describe('termination', () => {
    it('deletes the upload: every later request fails with 410', async () => {
      const owner = await surface.owner();
      const { endpoint, id } = await surface.open(owner, { sizeBytes: 10 });
      await ask(endpoint, 'PATCH', patchHeaders(0), '12345');
      const ended = await ask(endpoint, 'DELETE');
      assert.deepEqual([ended.status, await ended.text(), ended.headers.get('tus-resumable')], [204, '', '1.0.0']);
      assert.equal(await surface.receiving.receivedBytes(`uploads/${id}`), 0);
      for (const request of [
        ask(endpoint, 'HEAD'),
        ask(endpoint, 'PATCH', patchHeaders(5), '67890'),
        ask(endpoint, 'DELETE'),
        ask(endpoint, 'PUT', {}, '1234567890'),
      ])
        assert.equal((await request).status, 410);
      assert.deepEqual(await uploadsOf(owner), [{ state: 'FAILED' }]);
    });

    it('of a complete upload ends its address, and the file stays', async () => {
      const owner = await surface.owner();
      const { endpoint } = await surface.open(owner, { sizeBytes: 3 });
      await ask(endpoint, 'PATCH', patchHeaders(0), 'abc');
      assert.equal((await ask(endpoint, 'DELETE')).status, 204);
      for (const request of [ask(endpoint, 'HEAD'), ask(endpoint, 'DELETE'), ask(endpoint, 'PUT', {}, 'abc')])
        assert.equal((await request).status, 410);
      assert.deepEqual(await uploadsOf(owner), [{ state: 'FINISHED' }]);
    });
  });
});
