import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { TestSpace } from '../../assets/quota/storage-space.fixture.ts';
import {
  errorOf,
  openTestClientSurface,
  patchHeaders,
  type TestClientSurface,
  TUS,
} from '../client-surface.fixture.ts';

const GIB = 1024 ** 3;
const GB = 1000 ** 3;

describe('an upload created with tus', () => {
  const space = new TestSpace();
  const opening = (size: number, metadata: string, authorization: string) => ({
    method: 'POST',
    headers: { ...TUS, authorization, 'Upload-Length': String(size), 'Upload-Metadata': metadata },
  });
  const encoded = (text: string) => Buffer.from(text).toString('base64');

  it('gets 413 when it can never fit, and 503 with Retry-After when it may later, on every instance', async () => {
    const surface = await openTestClientSurface({ space });
    try {
      const owner = await surface.owner();
      const metadata =
        `filename ${encoded('a.mp4')},contentId ` + `${encoded(`did:reelgraph:content/feature/${owner.contentId}`)}`;
      space.disk(68 * GB, 30 * GB, 3.4 * GB);
      const never = await fetch(`${surface.baseUrl}/uploads`, opening(200 * GIB, metadata, owner.authorization));
      assert.equal(never.status, 413);
      const { code, field } = await errorOf(never);
      assert.deepEqual([code, field], ['INVALID_INPUT', 'Upload-Length']);
      const { address } = await surface.another();
      const responses = await Promise.all(
        [surface.baseUrl, address, surface.baseUrl, address].map((at) =>
          fetch(`${at}/uploads`, opening(10 * GB, metadata, owner.authorization)),
        ),
      );
      assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 201, 503, 503]);
      const later = responses.find(({ status }) => status === 503);
      assert.equal(later?.headers.get('retry-after'), '300');
      assert.equal(later && (await errorOf(later)).field, 'Upload-Length');
      assert.deepEqual(await surface.row('select count(*) as n from ingestions'), { n: 2 });
      const endpoint = responses.find(({ status }) => status === 201)?.headers.get('location') ?? '';
      assert.equal((await fetch(endpoint, { method: 'DELETE', headers: TUS })).status, 204);
      assert.equal(
        (await fetch(`${surface.baseUrl}/uploads`, opening(10 * GB, metadata, owner.authorization))).status,
        201,
      );
    } finally {
      await surface.close();
    }
  });

  it('keeps its reservation while chunks arrive', async () => {
    const surface = await openTestClientSurface(({ store, receiving }) => ({
      store,
      receiving,
      space: { read: () => space.read(), receivedBytes: (key) => receiving.receivedBytes(key) },
    }));
    try {
      const owner = await surface.owner();
      space.disk(10_000, 3_000, 1_000);
      const { endpoint } = await surface.open(owner, { sizeBytes: 1_500 });
      await assert.rejects(surface.open(owner, { sizeBytes: 600 }), { code: 'SERVICE_UNAVAILABLE' });
      assert.equal(
        (await fetch(endpoint, { method: 'PATCH', headers: patchHeaders(0), body: Buffer.alloc(1_000) })).status,
        204,
      );
      space.disk(10_000, 2_000, 1_000);
      await assert.rejects(surface.open(owner, { sizeBytes: 501 }), { code: 'SERVICE_UNAVAILABLE' });
      await surface.open(owner, { sizeBytes: 500 });
    } finally {
      await surface.close();
    }
  });

  describe('without progress', () => {
    let surface: TestClientSurface;
    before(async () => {
      surface = await openTestClientSurface(({ store, receiving }) => ({
        store,
        receiving,
        space: { read: () => space.read(), receivedBytes: (key) => receiving.receivedBytes(key) },
      }));
    });
    after(() => surface.close());
    beforeEach(() => space.disk(10_000, 3_000, 1_000));
    afterEach(() => surface.rows("update ingestions set state = 'EXPIRED' where state = 'OPEN'"));

    const patch = (endpoint: string, offset: number, bytes: number) =>
      fetch(endpoint, { method: 'PATCH', headers: patchHeaders(offset), body: Buffer.alloc(bytes) });
    const endReservation = (id: string) =>
      surface.rows('update ingestions set reserved_until = now() where id = $1', [id]);
    const nearlyEndReservation = (id: string) =>
      surface.rows("update ingestions set reserved_until = now() + interval '1 minute' where id = $1", [id]);
    const isReservedForAnHour = async (id: string) =>
      (
        await surface.row<{ long: boolean }>(
          "select reserved_until > now() + interval '59 minutes' as long from ingestions where id = $1",
          [id],
        )
      ).long;

    it('keeps its reservation for an hour, and continues when there is space again', async () => {
      const owner = await surface.owner();
      const first = await surface.open(owner, { sizeBytes: 1_500 });
      assert.equal(await isReservedForAnHour(first.id), true);
      await assert.rejects(surface.open(owner, { sizeBytes: 600 }), { code: 'SERVICE_UNAVAILABLE' });
      await endReservation(first.id);
      const second = await surface.open(owner, { sizeBytes: 600 });
      const refusals = [
        await patch(first.endpoint, 0, 1_500),
        await fetch(first.endpoint, { method: 'PUT', body: Buffer.alloc(1_500) }),
      ];
      for (const refused of refusals) {
        assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '300']);
        assert.equal((await errorOf(refused)).code, 'SERVICE_UNAVAILABLE');
      }
      assert.equal(await surface.receiving.receivedBytes(`uploads/${first.id}`), 0);
      await fetch(second.endpoint, { method: 'DELETE', headers: TUS });
      assert.equal((await patch(first.endpoint, 0, 1)).status, 204);
      assert.equal(await isReservedForAnHour(first.id), true);
      await assert.rejects(surface.open(owner, { sizeBytes: 600 }), { code: 'SERVICE_UNAVAILABLE' });
    });

    it('renews its reservation once under concurrent requests', async () => {
      const owner = await surface.owner();
      const uploads = [];
      for (let count = 0; count < 4; count += 1) {
        const upload = await surface.open(owner, { sizeBytes: 900 });
        await endReservation(upload.id);
        uploads.push(upload);
      }
      const responses = await Promise.all(uploads.map(({ endpoint }) => patch(endpoint, 0, 1)));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 204, 503, 503]);
    });

    it('keeps the reservation with a hundredth of the file, and not with less', async () => {
      const { id, endpoint } = await surface.open(await surface.owner(), { sizeBytes: 1_500 });
      await nearlyEndReservation(id);
      await patch(endpoint, 0, 14);
      assert.equal(await isReservedForAnHour(id), false);
      await patch(endpoint, 14, 1);
      assert.equal(await isReservedForAnHour(id), true);
      await nearlyEndReservation(id);
      await fetch(endpoint, {
        method: 'PUT',
        body: new Blob([Buffer.alloc(10)]).stream(),
        duplex: 'half',
      } as RequestInit);
      assert.equal(await isReservedForAnHour(id), false, 'a PUT restarts: these bytes had already been received');
    });

    it('keeps the reservation with the bytes of a running request', async () => {
      const { id, endpoint } = await surface.open(await surface.owner(), { sizeBytes: 1_500 });
      await patch(endpoint, 0, 100);
      // As during that request.
      await surface.rows('update ingestions set received_bytes = 0, reserved_at_bytes = 0 where id = $1', [id]);
      await nearlyEndReservation(id);
      await surface.uploads.sweep();
      assert.equal(await isReservedForAnHour(id), false, 'no running request');
      await surface.rows("update ingestions set locked_until = now() + interval '1 minute' where id = $1", [id]);
      await surface.uploads.sweep();
      assert.equal(await isReservedForAnHour(id), true);
      await nearlyEndReservation(id);
      await surface.uploads.sweep();
      assert.equal(await isReservedForAnHour(id), false, 'no more bytes were received');
    });

    it('ends seven days after it was opened, even while chunks arrive', async () => {
      const { id, endpoint } = await surface.open(await surface.owner(), { sizeBytes: 1_500 });
      const hours = async () =>
        (
          await surface.row<{ hours: number }>(
            'select extract(epoch from expires_at - created_at)::int / 3600 as hours from ingestions where id = $1',
            [id],
          )
        ).hours;
      await surface.rows("update ingestions set created_at = created_at - interval '150 hours' where id = $1", [id]);
      assert.equal(await hours(), 174);
      await patch(endpoint, 0, 100);
      assert.equal(await hours(), 168);
    });
  });
});
