import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { errorOf, openTestClientSurface, patchHeaders, type TestClientSurface } from '../../client-surface.fixture.ts';
import { BYTES, GIB, type Owner, tusRequests } from './tus-requests.fixture.ts';

describe('tus 1.0.0', () => {
  let surface: TestClientSurface;
  before(async () => {
    surface = await openTestClientSurface();
  });
  after(() => surface.close());
  const { create, ask, numbersOf, uploadsOf } = tusRequests(() => surface);

  describe('creation with a deferred length', () => {
    const deferred = { 'upload-defer-length': '1' };
    const lengthsOf = ({ status, headers }: Response) => [
      status,
      ...['upload-offset', 'upload-length', 'upload-defer-length'].map((name) => headers.get(name)),
    ];
    const opened = async (owner?: Owner) =>
      (await create(owner ?? (await surface.owner()), deferred)).headers.get('location') ?? '';
    const patch = (address: string, offset: number, body: string, length?: number) =>
      ask(
        address,
        'PATCH',
        { ...patchHeaders(offset), ...(length === undefined ? {} : { 'Upload-Length': `${length}` }) },
        body,
      );
    const refusal = async (response: Response) => {
      const { status, code, field } = await errorOf(response);
      return [status, code, field];
    };

    it('HEAD says so until the length is known, also over bytes that fill what is reserved', async () => {
      const address = await opened();
      assert.deepEqual(lengthsOf(await ask(address, 'HEAD')), [200, '0', null, '1']);
      assert.deepEqual(numbersOf(await patch(address, 0, '12345')), [204, '5']);
      assert.deepEqual(lengthsOf(await ask(address, 'HEAD')), [200, '5', null, '1']);
      await surface.rows('update ingestions set size_bytes = 5 where received_bytes = 5 and size_deferred');
      await surface.uploads.sweep();
      assert.deepEqual(lengthsOf(await ask(address, 'HEAD')), [200, '5', null, '1']);
      assert.deepEqual(numbersOf(await patch(address, 5, '67', 10)), [204, '7']);
      assert.deepEqual(lengthsOf(await ask(address, 'HEAD')), [200, '7', '10', null]);
      assert.deepEqual(numbersOf(await patch(address, 7, '890')), [204, '10']);
      assert.deepEqual(lengthsOf(await ask(address, 'HEAD')), [200, '10', '10', null]);
    });

    it('finishes with the last byte, or with the length after it, and has one video', async () => {
      const owner = await surface.owner();
      const first = await opened(owner);
      assert.deepEqual(numbersOf(await patch(first, 0, '1234567890', 10)), [204, '10']);
      const second = await opened(owner);
      await patch(second, 0, '1234567890');
      assert.deepEqual((await uploadsOf(owner)).map(({ state }) => state).sort(), ['FINISHED', 'OPEN']);
      // One of them may find that the other one has just set the length.
      const ends = await Promise.all([patch(second, 10, '', 10), patch(second, 10, '', 10)]);
      assert.ok(ends.every(({ status }) => status === 204 || status === 409));
      assert.ok(ends.some(({ status }) => status === 204));
      assert.deepEqual(await uploadsOf(owner), [{ state: 'FINISHED' }, { state: 'FINISHED' }]);
      const videos = await surface.rows('select size_bytes from video_assets where channel_id = $1', [owner.channelId]);
      assert.deepEqual(videos, [{ size_bytes: 10 }, { size_bytes: 10 }]);
    });

    it('takes the first bytes with the creation', async () => {
      const created = await create(await surface.owner(), { ...deferred, 'content-type': BYTES }, '1234');
      assert.deepEqual(numbersOf(created), [201, '4']);
      const location = created.headers.get('location') ?? '';
      assert.deepEqual(lengthsOf(await ask(location, 'HEAD')), [200, '4', null, '1']);
      assert.deepEqual(numbersOf(await patch(location, 4, '567890', 10)), [204, '10']);
    });

    it('takes the same length again, and refuses another one', async () => {
      const address = await opened();
      await patch(address, 0, '12345', 10);
      assert.deepEqual(numbersOf(await patch(address, 5, '67', 10)), [204, '7']);
      for (const length of [8, 11]) {
        assert.deepEqual(await refusal(await patch(address, 7, '8', length)), [400, 'INVALID_INPUT', 'Upload-Length']);
      }
      assert.deepEqual(lengthsOf(await ask(address, 'HEAD')), [200, '7', '10', null]);
      assert.deepEqual(numbersOf(await patch(address, 7, '890', 10)), [204, '10']);
    });

    it('refuses lengths that cannot be, and stays as it was', async () => {
      const owner = await surface.owner();
      const address = await opened(owner);
      await patch(address, 0, '12345');
      const cases: [length: string, body: string, expected: unknown[]][] = [
        ['4', '', [400, 'INVALID_INPUT', 'Upload-Length']],
        ['-1', '6', [400, 'INVALID_INPUT', 'Upload-Length']],
        ['1e3', '6', [400, 'INVALID_INPUT', 'Upload-Length']],
        ['6', '67', [413, 'UPLOAD_FAILED', undefined]],
        [String(64 * GIB + 1), '6', [413, 'INVALID_INPUT', 'Upload-Length']],
        [String(251 * GIB), '6', [413, 'UPLOAD_FAILED', undefined]],
      ];
      for (const [length, body, expected] of cases) {
        const response = await ask(address, 'PATCH', { ...patchHeaders(5), 'Upload-Length': length }, body);
        assert.deepEqual(await refusal(response), expected, length);
        assert.deepEqual(lengthsOf(await ask(address, 'HEAD')), [200, '5', null, '1'], length);
      }
      const empty = await opened(owner);
      assert.deepEqual(await refusal(await patch(empty, 0, '', 0)), [400, 'INVALID_INPUT', 'Upload-Length']);
    });

    it('continues by PUT with Content-Range, which may leave the size open, and by PUT of the whole file', async () => {
      const owner = await surface.owner();
      const address = await opened(owner);
      const part = (range: string, body: string) => ask(address, 'PUT', { 'content-range': range }, body);
      const first = await part('bytes 0-4/*', '12345');
      assert.deepEqual([first.status, first.headers.get('range')], [308, 'bytes=0-4']);
      assert.deepEqual(await refusal(await part('bytes */4', '')), [400, 'INVALID_INPUT', 'Content-Range']);
      assert.equal((await patch(address, 5, '67')).status, 204);
      assert.equal((await part('bytes 7-9/10', '890')).status, 200);
      const whole = await opened(owner);
      await patch(whole, 0, '12345');
      assert.deepEqual(await refusal(await ask(whole, 'PUT', {}, '1234')), [400, 'INVALID_INPUT', 'Content-Length']);
      assert.equal((await ask(whole, 'PUT', {}, '1234567890')).status, 200);
      assert.deepEqual(await uploadsOf(owner), [{ state: 'FINISHED' }, { state: 'FINISHED' }]);
    });

    it('expires like every other upload', async () => {
      const owner = await surface.owner();
      const address = await opened(owner);
      await patch(address, 0, '12345');
      surface.platform.clock.advance(25 * 3_600_000);
      assert.equal((await patch(address, 5, '', 5)).status, 410);
      await surface.uploads.sweep();
      assert.deepEqual(await uploadsOf(owner), [{ state: 'EXPIRED' }]);
    });
  });
});
