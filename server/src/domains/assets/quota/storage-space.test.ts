import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { reserveDerived } from '../../transcode/jobs/reserve-derived.ts';
import { TestSpace } from './storage-space.fixture.ts';

const GIB = 1024 ** 3;
const GB = 1000 ** 3;
const ASSET =
  'mutation ($id: DID!, $size: BigInt!) { createContentAsset(id: $id, input: { filename: "a.mp4", size: $size, ' +
  'video: { hint: NONE } }) { id endpoint } }';
const PUBLISH = 'mutation ($input: PublishVideoInput!) { publishVideo(input: $input) { published } }';

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
      '{ hint: AVATAR } }) { ingestion { id } } }';
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
