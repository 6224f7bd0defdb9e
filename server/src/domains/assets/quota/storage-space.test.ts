import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import type { SpaceReading, StorageSpace } from '../../../platform/storage/storage-space.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import {
  errorOf,
  openTestClientSurface,
  patchHeaders,
  type TestClientSurface,
  TUS,
} from '../client-surface/testing.ts';
import { reserveDerived } from '../processing/reserve-derived.ts';

const GIB = 1024 ** 3;
const GB = 1000 ** 3;
const ASSET =
  'mutation ($id: DID!, $size: BigInt!) { createContentAsset(id: $id, input: { filename: "a.mp4", size: $size, ' +
  'video: { hint: LANDSCAPE_VIDEO } }) { id endpoint } }';
const PUBLISH = 'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { published } }';

/** A store with a settable capacity. */
class TestSpace implements StorageSpace {
  reading: SpaceReading | null = null;
  received = new Map<string, number>();
  read = async () => this.reading;
  receivedBytes = async (key: string) => this.received.get(key) ?? 0;
  disk(totalBytes: number, freeBytes: number, reserveBytes: number): void {
    this.reading = { kind: 'disk', totalBytes, freeBytes, reserveBytes };
  }
}

describe('capacity of the object store', () => {
  const space = new TestSpace();
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let created = 0;
  before(async () => {
    api = await openTestCatalog({ jobs: true, space });
  });
  after(() => api.close());
  beforeEach(async () => {
    created += 1;
    space.reading = null;
    space.received.clear();
    [anna, bert] = [await api.person(`anna${created}`), await api.person(`bert${created}`)];
  });
  afterEach(() => api.rows("update ingestions set state = 'EXPIRED' where state = 'OPEN'"));

  /** All rows written by opening an upload or a fetch. */
  const digest = () =>
    api.row<{ digest: string }>(
      `select md5(concat(
         (select string_agg(i::text, ',' order by id) from ingestions i), (select string_agg(c::text, ',' order by id)
           from contents c),
         (select string_agg(j::text, ',' order by id) from transcode_jobs j), (select string_agg(c::text, ','
           order by scope, key, shard) from counters c),
         (select count(*) from events), (select count(*) from pgboss.job))) as digest`,
    );
  const open = async (person: Person, size: number) => api.run(person, ASSET, { id: await api.content(person), size });
  const opened = async (person: Person, size: number) => {
    const content = await api.content(person);
    await api.ok(person, ASSET, { id: content, size });
    return content;
  };

  it('refuses 200 GiB on a disk of 68 GB, on any plan, and writes nothing', async () => {
    space.disk(68 * GB, 60 * GB, 3.4 * GB);
    const content = await api.content(anna);
    const before = await digest();
    const error = await api.refused(anna, ASSET, { id: content, size: 200 * GIB });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.size']);
    assert.match(error.message, /214748364800 bytes, more than this server can store/);
    const publish = { input: { title: 'x', filename: 'a.mp4', size: 200 * GIB } };
    assert.equal((await api.refused(anna, PUBLISH, publish)).field, 'input.size');
    assert.deepEqual(await digest(), before);
    await api.ok(anna, ASSET, { id: content, size: 50 * GIB });
  });

  it('refuses the eleventh upload of 10 GiB from any account when ten reach the reserve, and accepts it when one has ended', async () => {
    space.disk(120 * GIB, 115 * GIB, 6 * GIB);
    const contents = [];
    for (let index = 0; index < 10; index += 1) contents.push(await opened(index % 2 ? anna : bert, 10 * GIB));
    const content = await api.content(bert);
    const before = await digest();
    const error = await api.refused(bert, ASSET, { id: content, size: 10 * GIB });
    assert.deepEqual([error.code, error.field], ['SERVICE_UNAVAILABLE', 'input.size']);
    assert.match(error.message, /no space for 10737418240 bytes.*reserved.*uploads and processing in progress/);
    assert.match(error.suggestedFix, /Try again later.*with DELETE.*operator/);
    assert.deepEqual(await digest(), before);
    await api.ok(bert, ASSET, { id: content, size: 9 * GIB });
    assert.equal((await open(anna, 1)).errors[0]?.code, 'SERVICE_UNAVAILABLE', 'no space is left');
    await api.rows("update ingestions set state = 'FAILED' where content_id = $1", [uuidOf(contents[0] ?? '')]);
    await opened(anna, 10 * GIB);
  });

  it('holds when uploads are opened at the same time', async () => {
    space.disk(100 * GIB, 41 * GIB, 10 * GIB);
    const contents = await Promise.all(Array.from({ length: 8 }, (_, index) => api.content(index % 2 ? anna : bert)));
    const responses = await Promise.all(
      contents.map((id, index) => api.run(index % 2 ? anna : bert, ASSET, { id, size: 10 * GIB })),
    );
    assert.equal(responses.filter(({ errors }) => errors.length === 0).length, 3);
  });

  it('counts received bytes once: as used space, not as reserved', async () => {
    space.disk(100 * GIB, 50 * GIB, 10 * GIB);
    const content = await opened(anna, 30 * GIB);
    await api.rows('update ingestions set received_bytes = $2 where content_id = $1', [uuidOf(content), 20 * GIB]);
    space.disk(100 * GIB, 30 * GIB, 10 * GIB);
    assert.equal((await open(bert, 10 * GIB + 1)).errors[0]?.code, 'SERVICE_UNAVAILABLE');
    // A request is sending the rest: 8 GiB more are on the disk, but not yet in the row.
    const { key } = await api.row<{ key: string }>('select object_key as key from ingestions where content_id = $1', [
      uuidOf(content),
    ]);
    await api.rows("update ingestions set locked_until = now() + interval '1 minute' where content_id = $1", [
      uuidOf(content),
    ]);
    space.received.set(key, 28 * GIB);
    space.disk(100 * GIB, 22 * GIB, 10 * GIB);
    assert.equal((await open(bert, 10 * GIB + 1)).errors[0]?.code, 'SERVICE_UNAVAILABLE');
    await opened(bert, 10 * GIB);
  });

  it('also applies to images, covers and fetched files', async () => {
    space.disk(100 * GIB, 10 * GIB, 10 * GIB);
    const image =
      'mutation ($id: DID!) { createChannelAsset(id: $id, input: { filename: "a.png", size: 1, image: ' +
      '{ hint: AVATAR } }) { id } }';
    const before = await digest();
    const refusals = [
      await api.refused(anna, image, { id: anna.channel }),
      await api.refused(anna, PUBLISH, { input: { title: 'x', sourceUrl: 'https://93.184.216.34/a.mp4' } }),
    ];
    assert.deepEqual(
      refusals.map(({ code, field }) => [code, field]),
      [
        ['SERVICE_UNAVAILABLE', 'input.size'],
        ['SERVICE_UNAVAILABLE', 'input.sourceUrl'],
      ],
    );
    assert.deepEqual(await digest(), before);
  });

  it('limits fetches of unknown size', async () => {
    space.disk(100 * GIB, 15 * GIB, 10 * GIB);
    await api.ok(anna, PUBLISH, { input: { title: 'x', sourceUrl: 'https://93.184.216.34/a.mp4' } });
    const job = await api.row<{ most: number }>(
      "select (data -> 'payload' ->> 'maxBytes')::bigint as most from pgboss.job where name = 'fetch-source' " +
        'order by created_on desc limit 1',
    );
    assert.equal(job.most, 5 * GIB);
  });

  it('of a bucket is STORAGE_CAPACITY minus stored, reserved and derived bytes', async () => {
    const { held } = await api.row<{ held: number }>(
      "select coalesce(sum(value), 0)::bigint as held from counters where scope in ('channel:storage', " +
        "'channel:derived-bytes')",
    );
    space.reading = { kind: 'bucket', totalBytes: held + 100 * GIB };
    await api.rows(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, derived_bytes,
        derived_files)
       values (gen_random_uuid(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/' || gen_random_uuid(), $3, $4, 7)`,
      [anna.channelId, uuidOf(await api.content(anna)), 20 * GIB, 30 * GIB],
    );
    await opened(bert, 40 * GIB);
    assert.equal((await open(anna, 10 * GIB + 1)).errors[0]?.code, 'SERVICE_UNAVAILABLE');
    await opened(anna, 10 * GIB);
    assert.equal((await open(anna, 1)).errors[0]?.code, 'SERVICE_UNAVAILABLE');
    await api.rows("update ingestions set reserved_until = now() where state = 'OPEN'");
    await opened(anna, 50 * GIB);
    assert.equal((await open(anna, 1)).errors[0]?.code, 'SERVICE_UNAVAILABLE');
  });

  describe('for derived files', () => {
    const CREDITS = '{ me { credits { storage { usedBytes } derivedStorage { usedBytes files limitBytes } } } }';
    const derivedOf = async (person: Person) => (await api.ok(person, CREDITS)).me.credits.derivedStorage;
    /** A job claimed by a worker. */
    async function running(
      person: Person,
    ): Promise<{ jobId: string; attempt: number; channelId: string; video: string }> {
      const content = uuidOf(await api.content(person));
      const { id: video } = await api.row<{ id: string }>(
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes)
         values (gen_random_uuid(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/' || gen_random_uuid(), 1000)
           returning id`,
        [person.channelId, content],
      );
      const { id: jobId } = await api.row<{ id: string }>(
        `insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status, attempts)
         values (gen_random_uuid(), $1, $2, $3, 'TRANSCODING', 1) returning id`,
        [person.channelId, content, video],
      );
      return { jobId, attempt: 1, channelId: person.channelId, video };
    }
    const reserve = (job: { jobId: string; attempt: number; channelId: string }, bytes: number) =>
      reserveDerived({ db: api.platform.db, clock: api.clock, space }, job, bytes);

    it('is separate from the plan’s storage, moves with a video, and is exact', async () => {
      assert.deepEqual(await derivedOf(anna), { usedBytes: 0, files: 0, limitBytes: 102_400 * GIB });
      const { video } = await running(anna);
      await api.rows('update video_assets set derived_bytes = 5000, derived_files = 12 where id = $1', [video]);
      assert.deepEqual(await derivedOf(anna), { usedBytes: 5000, files: 12, limitBytes: 102_400 * GIB });
      await api.rows('update video_assets set derived_bytes = 7000, derived_files = 9 where id = $1', [video]);
      assert.deepEqual(await derivedOf(anna), { usedBytes: 7000, files: 9, limitBytes: 102_400 * GIB });
      assert.equal((await api.ok(anna, CREDITS)).me.credits.storage.usedBytes, 1000);
      await api.rows('delete from video_assets where id = $1', [video]);
      assert.deepEqual(await derivedOf(anna), { usedBytes: 0, files: 0, limitBytes: 102_400 * GIB });
    });

    it('is reserved for a job before it starts, unavailable to uploads, and released when the attempt ends', async () => {
      space.disk(100 * GIB, 30 * GIB, 10 * GIB);
      const job = await running(anna);
      await reserve(job, 15 * GIB);
      assert.equal((await open(bert, 6 * GIB)).errors[0]?.code, 'SERVICE_UNAVAILABLE');
      await assert.rejects(reserve(await running(bert), 6 * GIB), { name: 'StorageFullError' });
      await api.rows("update transcode_jobs set status = 'COMPLETE' where id = $1", [job.jobId]);
      await opened(bert, 6 * GIB);
    });

    it('is limited by each owner’s plan, 30 GiB on Free, including running jobs', async () => {
      await api.rows("update subscriptions set plan = 'FREE', access_until = '-infinity' where account_id = $1", [
        anna.accountId,
      ]);
      const [first, second] = [await running(anna), await running(anna)];
      await api.rows('update video_assets set derived_bytes = $2 where id = $1', [first.video, 15 * GIB]);
      await reserve(first, 10 * GIB);
      await assert.rejects(
        reserve(second, 5 * GIB + 1),
        (error: { code: string; message: string; suggestedFix: string }) => {
          assert.equal(error.code, 'TRANSCODE_FAILED');
          assert.match(
            error.message,
            /take 26843545600 bytes; 5368709121 more .* exceed the 32212254720 bytes of the Free plan/,
          );
          assert.match(error.suggestedFix, /me\.credits\.derivedStorage/);
          return true;
        },
      );
      await reserve(second, 5 * GIB);
      await reserve(await running(bert), 500 * GIB);
    });
  });
});

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
    const endPromise = (id: string) => surface.rows('update ingestions set reserved_until = now() where id = $1', [id]);
    const nearlyEndPromise = (id: string) =>
      surface.rows("update ingestions set reserved_until = now() + interval '1 minute' where id = $1", [id]);
    const promisedForLong = async (id: string) =>
      (
        await surface.row<{ long: boolean }>(
          "select reserved_until > now() + interval '59 minutes' as long from ingestions where id = $1",
          [id],
        )
      ).long;

    it('keeps its reservation for an hour, and continues when there is space again', async () => {
      const owner = await surface.owner();
      const first = await surface.open(owner, { sizeBytes: 1_500 });
      assert.equal(await promisedForLong(first.id), true);
      await assert.rejects(surface.open(owner, { sizeBytes: 600 }), { code: 'SERVICE_UNAVAILABLE' });
      await endPromise(first.id);
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
      assert.equal(await promisedForLong(first.id), true);
      await assert.rejects(surface.open(owner, { sizeBytes: 600 }), { code: 'SERVICE_UNAVAILABLE' });
    });

    it('renews its reservation once under concurrent requests', async () => {
      const owner = await surface.owner();
      const uploads = [];
      for (let count = 0; count < 4; count += 1) {
        const upload = await surface.open(owner, { sizeBytes: 900 });
        await endPromise(upload.id);
        uploads.push(upload);
      }
      const responses = await Promise.all(uploads.map(({ endpoint }) => patch(endpoint, 0, 1)));
      assert.deepEqual(responses.map(({ status }) => status).sort(), [204, 204, 503, 503]);
    });

    it('keeps the reservation with a hundredth of the file, and not with less', async () => {
      const { id, endpoint } = await surface.open(await surface.owner(), { sizeBytes: 1_500 });
      await nearlyEndPromise(id);
      await patch(endpoint, 0, 14);
      assert.equal(await promisedForLong(id), false);
      await patch(endpoint, 14, 1);
      assert.equal(await promisedForLong(id), true);
      await nearlyEndPromise(id);
      await fetch(endpoint, {
        method: 'PUT',
        body: new Blob([Buffer.alloc(10)]).stream(),
        duplex: 'half',
      } as RequestInit);
      assert.equal(await promisedForLong(id), false, 'a PUT restarts: these bytes had already been received');
    });

    it('keeps the reservation with the bytes of a running request', async () => {
      const { id, endpoint } = await surface.open(await surface.owner(), { sizeBytes: 1_500 });
      await patch(endpoint, 0, 100);
      // As during that request.
      await surface.rows('update ingestions set received_bytes = 0, reserved_at_bytes = 0 where id = $1', [id]);
      await nearlyEndPromise(id);
      await surface.uploads.sweep();
      assert.equal(await promisedForLong(id), false, 'no running request');
      await surface.rows("update ingestions set locked_until = now() + interval '1 minute' where id = $1", [id]);
      await surface.uploads.sweep();
      assert.equal(await promisedForLong(id), true);
      await nearlyEndPromise(id);
      await surface.uploads.sweep();
      assert.equal(await promisedForLong(id), false, 'no more bytes were received');
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
