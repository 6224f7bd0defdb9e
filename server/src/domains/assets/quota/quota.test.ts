import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { formatDid } from '../../../gql/index.ts';
import { newId } from '../../../kernel/ids.ts';
import { PLANS } from '../../../kernel/plans.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { cancelTranscodeJob, failTranscodeJob } from '../../transcode/jobs/transcode-jobs.store.ts';
import { chargeMinutes } from './charge-minutes.ts';

const GIB = 1024 ** 3;
const CREDITS =
  '{ me { credits { storage { usedBytes limitBytes } derivedStorage { usedBytes files limitBytes } uploadMinutes ' +
  '{ used limit resetsAt } channels { used limit } } } }';
const ASSET =
  'mutation ($id: DID!, $size: BigInt!) { createContentAsset(id: $id, input: { filename: "a.mp4", size: $size, ' +
  'video: { hint: NONE } }) { id endpoint } }';
const CANCEL = 'mutation ($id: DID!) { cancelJob(id: $id) { job { status } } }';
const CHANNEL =
  'mutation ($handle: String!) { createChannel(input: { name: "More", handle: $handle }) { channel { id } } }';
const TRANSFER =
  'mutation ($channel: DID!, $username: String!) { transferChannel(id: $channel, input: ' +
  '{ username: $username }) { channel { id } } }';

describe('quotas', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let created = 0;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
  });
  after(() => api.close());
  beforeEach(async () => {
    created += 1;
    [anna, bert] = [await api.person(`anna${created}`), await api.person(`bert${created}`)];
  });

  const creditsOf = async (person: Person) => (await api.ok(person, CREDITS)).me.credits;
  const used = async (person: Person) => Number((await creditsOf(person)).storage.usedBytes);
  const plan = (person: Person, code: string) =>
    api.rows('update subscriptions set plan = $2 where account_id = $1', [person.accountId, code]);
  /** A stored video of a content. */
  async function stored(
    person: Person,
    sizeBytes: number,
    channelId = person.channelId,
  ): Promise<{ content: string; video: string }> {
    const content = await api.content({ ...person, channelId });
    const { id } = await api.row<{ id: string }>(
      `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes)
       values (gen_random_uuid(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/' || gen_random_uuid(), $3)
       returning id`,
      [channelId, uuidOf(content), sizeBytes],
    );
    return { content, video: id };
  }

  it('are returned with their usage, in one statement', async () => {
    api.clock.advance(1);
    await stored(anna, 5_000);
    const { result, statements } = await api.counted(() => creditsOf(anna));
    const now = new Date(api.clock.now());
    assert.equal(statements, 1);
    assert.deepEqual(result, {
      storage: { usedBytes: 5_000, limitBytes: 10_995_116_277_760 },
      derivedStorage: { usedBytes: 0, files: 0, limitBytes: 109_951_162_777_600 },
      uploadMinutes: {
        used: 0,
        limit: PLANS.CREATOR_PLUS.uploadMinutes,
        resetsAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString(),
      },
      channels: { used: 1, limit: PLANS.CREATOR_PLUS.maxChannels },
    });
  });

  it('count an upload once from its opening until it fails or its content is purged', async () => {
    const content = await api.content(anna);
    await api.ok(anna, ASSET, { id: content, size: 4_000 });
    assert.equal(await used(anna), 4_000);
    await api.rows('update ingestions set received_bytes = 10 where content_id = $1', [uuidOf(content)]);
    assert.equal(await used(anna), 4_000);
    await api.rows("update ingestions set state = 'FAILED' where content_id = $1", [uuidOf(content)]);
    assert.equal(await used(anna), 0);
    await api.ok(anna, ASSET, { id: content, size: 3_000 });
    await stored(anna, 1_000);
    await api.rows('update contents set deleted_at = now() where id = $1', [uuidOf(content)]);
    assert.equal(await used(anna), 4_000, 'trashed contents count');
    await api.rows('delete from contents where id = $1', [uuidOf(content)]);
    assert.equal(await used(anna), 1_000);
  });

  it('refuse a file that does not fit, with the available space, and accept one that just fits', async () => {
    await plan(anna, 'PREMIUM_PLUS');
    await stored(anna, PLANS.PREMIUM_PLUS.storageBytes - 5_000);
    const content = await api.content(anna);
    const error = await api.refused(anna, ASSET, { id: content, size: 5_001 });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.size']);
    assert.match(error.message, /5001 bytes, but 5000 of the \d+ bytes of storage in the Premium\+ plan/);
    assert.match(error.suggestedFix, /me\.credits/);
    await api.ok(anna, ASSET, { id: content, size: 5_000 });
    const image =
      'mutation ($id: DID!) { createChannelAsset(id: $id, input: { filename: "a.png", size: 1, image: ' +
      '{ hint: AVATAR } }) { ingestion { id } } }';
    assert.equal((await api.refused(anna, image, { id: anna.channel })).field, 'input.size');
    const publish = 'mutation { publishVideo(input: { title: "x", filename: "a.mp4", size: 1 }) { published } }';
    const before = await api.row('select count(*) as n from contents where channel_id = $1', [anna.channelId]);
    assert.equal((await api.refused(anna, publish)).field, 'input.size');
    const fetched =
      'mutation { publishVideo(input: { title: "x", sourceUrl: "https://93.184.216.34/a.mp4" }) { published } }';
    const refused = await api.refused(anna, fetched);
    assert.deepEqual([refused.code, refused.field], ['INVALID_INPUT', 'input.sourceUrl']);
    assert.deepEqual(
      await api.row('select count(*) as n from contents where channel_id = $1', [anna.channelId]),
      before,
    );
  });

  it('hold under concurrent uploads', async () => {
    await plan(anna, 'PREMIUM_PLUS');
    await stored(anna, PLANS.PREMIUM_PLUS.storageBytes - 3_000);
    const contents = await Promise.all(Array.from({ length: 6 }, () => api.content(anna)));
    const responses = await Promise.all(contents.map((id) => api.run(anna, ASSET, { id, size: 1_000 })));
    assert.equal(responses.filter(({ errors }) => errors.length === 0).length, 3);
    assert.equal(await used(anna), PLANS.PREMIUM_PLUS.storageBytes);
  });

  it("are those of the channel's owner, for all members, and move with the channel", async () => {
    const { channel } = (await api.ok(anna, CHANNEL, { handle: `shared${created}` })).createChannel;
    await api.join(channel.id, bert, 'EDITOR');
    await plan(anna, 'PREMIUM_PLUS');
    const content = await api.content({ ...anna, channelId: uuidOf(channel.id) });
    const error = await api.refused(bert, ASSET, { id: content, size: 51 * GIB });
    assert.match(error.message, /Premium\+ plan/, "bert's own plan would allow it");
    await api.ok(bert, ASSET, { id: content, size: 7_000 });
    assert.deepEqual([await used(anna), await used(bert)], [7_000, 0]);
    await api.ok(anna, TRANSFER, { channel: channel.id, username: `bert${created}` });
    assert.deepEqual([await used(anna), await used(bert)], [0, 7_000]);
  });

  it('refuse the transfer of a channel beyond the new owner’s quota', async () => {
    const { channel } = (await api.ok(anna, CHANNEL, { handle: `large${created}` })).createChannel;
    await stored(anna, 30 * GIB, uuidOf(channel.id));
    await plan(bert, 'FREE');
    await api.join(channel.id, bert, 'EDITOR');
    const error = await api.refused(anna, TRANSFER, { channel: channel.id, username: `bert${created}` });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.username']);
    assert.deepEqual(
      [await used(anna), (await api.rows('select 1 from channels where account_id = $1', [bert.accountId])).length],
      [30 * GIB, 1],
    );
  });

  const minutes = async (person: Person) => (await creditsOf(person)).uploadMinutes.used;
  const take = (video: string, durationMs: number) =>
    chargeMinutes(
      { db: api.platform.db, clock: api.clock },
      { videoAssetId: video, channelId: anna.channelId, durationMs },
    );

  it('charge the minutes of a video once, also when it is deleted, and reset monthly', async () => {
    const { content, video } = await stored(anna, 1_000);
    await take(video, 90_000);
    await take(video, 90_000);
    assert.equal(await minutes(anna), 1.5);
    await api.rows('delete from contents where id = $1', [uuidOf(content)]);
    assert.equal(await minutes(anna), 1.5);
    api.clock.advance(31 * 86_400_000);
    assert.equal(await minutes(anna), 0);
  });

  describe('of a job that ends without a result', () => {
    const now = () => new Date(api.clock.now()).toISOString();
    const ends: readonly [name: string, status: string, end: (job: string) => Promise<unknown>][] = [
      ['fails', 'TRANSCODING', (job) => failTranscodeJob(api.platform.db, job, null, { code: 'X', text: 'x' }, now())],
      ['is cancelled by its worker', 'CANCELLING', (job) => cancelTranscodeJob(api.platform.db, job, now())],
      [
        'is cancelled before it began',
        'QUEUED',
        (job) => api.ok(anna, CANCEL, { id: formatDid('reelgraph', 'job', job) }),
      ],
    ];
    for (const [name, status, end] of ends) {
      it(`are refunded when it ${name}, unless the video was playable before`, async () => {
        for (const [ready, expected] of [
          [null, 0],
          ['now', 2],
        ] as const) {
          const { content, video } = await stored(anna, 1_000);
          const before = await minutes(anna);
          await take(video, 120_000);
          await api.rows('update video_assets set ready_at = $2::timestamptz where id = $1', [video, ready]);
          const job = newId();
          await api.rows(
            'insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status) values ($1, $2, $3, ' +
              '$4, $5)',
            [job, anna.channelId, uuidOf(content), video, status],
          );
          assert.equal((await minutes(anna)) - before, 2);
          await end(job);
          assert.equal((await minutes(anna)) - before, expected);
        }
      });
    }

    it('stay charged while a worker is stopping a cancelled job', async () => {
      const { content, video } = await stored(anna, 1_000);
      const before = await minutes(anna);
      await take(video, 120_000);
      const job = newId();
      await api.rows(
        'insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status) values ($1, $2, $3, $4, ' +
          "'TRANSCODING')",
        [job, anna.channelId, uuidOf(content), video],
      );
      await api.ok(anna, CANCEL, { id: formatDid('reelgraph', 'job', job) });
      assert.equal((await minutes(anna)) - before, 2);
    });
  });

  it('are those of Free during a trial, delete nothing, and are those of the plan afterwards', async () => {
    const trial = (state: string) =>
      api.rows('update subscriptions set state = $2 where account_id = $1', [anna.accountId, state]);
    await trial('TRIALING');
    const { storage, derivedStorage, uploadMinutes, channels } = await creditsOf(anna);
    assert.deepEqual(
      [storage.limitBytes, derivedStorage.limitBytes, uploadMinutes.limit, channels.limit],
      [21_474_836_480, 32_212_254_720, 300, 2],
    );
    const content = await api.content(anna);
    const large = await api.refused(anna, ASSET, { id: content, size: 2 * GIB + 1 });
    assert.deepEqual([large.code, large.field], ['INVALID_INPUT', 'input.size']);
    assert.match(large.message, /the limit of the Creator\+ \(trial\) plan is 2147483648 bytes/);
    const { video } = await stored(anna, 19 * GIB + GIB / 2);
    const full = await api.refused(anna, ASSET, { id: content, size: GIB / 2 + 1 });
    assert.match(full.message, /536870912 of the 21474836480 bytes of storage in the Creator\+ \(trial\) plan/);
    await assert.rejects(take(video, 301 * 60_000), /300 of the 300 minutes per month in the Creator\+ \(trial\) plan/);
    // An account that stored more on another plan before the trial keeps it, and cannot add to it.
    const more = await stored(anna, 10 * GIB);
    assert.match((await api.refused(anna, ASSET, { id: content, size: 1 })).message, /0 of the 21474836480 bytes/);
    assert.deepEqual(
      await api
        .rows('select id from video_assets where id = any($1)', [[video, more.video]])
        .then((kept) => kept.length),
      2,
    );
    await api.ok(anna, CHANNEL, { handle: `trial${created}` });
    assert.match(
      (await api.refused(anna, CHANNEL, { handle: `trials${created}` })).message,
      /Creator\+ \(trial\) plan allows 2 channels/,
    );
    await trial('ACTIVE');
    await take(video, 301 * 60_000);
    await api.ok(anna, ASSET, { id: content, size: 2 * GIB + 1 });
  });

  it('refuse minutes above the plan’s limit, also under concurrent processing', async () => {
    await plan(anna, 'FREE');
    const videos = [];
    for (let index = 0; index < 4; index += 1) videos.push((await stored(anna, 10)).video);
    const hundred = 100 * 60_000;
    const results = await Promise.allSettled(videos.map((video) => take(video, hundred)));
    const refused = results.filter((result) => result.status === 'rejected');
    assert.equal(refused.length, 1);
    assert.equal(refused[0]?.reason.code, 'TRANSCODE_FAILED');
    assert.match(refused[0]?.reason.message, /100 minutes, but 0 of the 300 minutes per month in the Free plan/);
    assert.match(refused[0]?.reason.suggestedFix, /from \d{4}-\d{2}-01 on/);
  });

  it('are counted exactly', async () => {
    const wrong = await api.rows(
      `select ch.id from channels ch where counter_value('channel:storage', ch.id) <>
         (select coalesce(sum(size_bytes), 0) from video_assets v where v.channel_id = ch.id)
         + (select coalesce(sum(image_bytes(variants)), 0) from image_assets i where i.channel_id = ch.id)
         + (select coalesce(sum(size_bytes), 0) from ingestions g where g.channel_id = ch.id and g.state = 'OPEN')
         or counter_value('channel:videos', ch.id) <> (select count(*) from video_assets v where v.channel_id = ch.id)`,
    );
    assert.deepEqual(wrong, []);
  });
});
