import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import type { ChannelRole } from '../../../kernel/permissions.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../testing.ts';

const DASHBOARD = `query ($input: GetChannelDashboardInput!) { channelDashboard(input: $input) {
  channel { id } contentCount trashCount contents { kind status count } 
  storage { usedBytes derivedBytes totalBytes derivedFiles videos images }
  latestContents(first: 2) { totalCount edges { node { id } } }
  recentUploads(first: 2) { totalCount edges { node { tus { originalFilename } } } }
  runningJobs { totalCount edges { node { id status } } } } }`;

let api: TestCatalog;
let anna: Person;
before(async () => {
  api = await openTestCatalog({ jobs: true });
  anna = await api.person('anna');
});
after(() => api.close());

const read = async (who: Person, channel: string | null = anna.channel) =>
  (await api.ok(who, DASHBOARD, { input: { channel } })).channelDashboard;

async function member(name: string, role: ChannelRole): Promise<Person> {
  const person = await api.person(name);
  await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
    anna.channelId,
    person.accountId,
    role,
  ]);
  return person;
}

async function job(content: string, status: string): Promise<string> {
  const id = newId(api.clock.now());
  api.clock.advance(1);
  await api.rows(
    'insert into transcode_jobs (id, channel_id, content_id, status, created_at) values ($1, $2, $3, $4, $5)',
    [id, anna.channelId, uuidOf(content), status, new Date(api.clock.now()).toISOString()],
  );
  return id;
}

describe('the dashboard of a channel', () => {
  it('is empty for a new channel', async () => {
    const carl = await api.person('carl');
    assert.deepEqual(await read(carl, null), {
      channel: { id: carl.channel },
      contentCount: 0,
      trashCount: 0,
      contents: [],
      storage: { usedBytes: 0, derivedBytes: 0, totalBytes: 0, derivedFiles: 0, videos: 0, images: 0 },
      latestContents: { totalCount: 0, edges: [] },
      recentUploads: { totalCount: 0, edges: [] },
      runningJobs: { totalCount: 0, edges: [] },
    });
  });

  it('lists what will be published, next ones first', async () => {
    const planner = await api.person('planner');
    const release = async (hours: number, status: 'READY' | 'PROCESSING' | 'PUBLISHED') => {
      const id = await api.content(planner, { status });
      const at = new Date(api.clock.now() + hours * 3_600_000).toISOString();
      await api.rows('update contents set release_at = $2, publish_when_ready = true where id = $1', [uuidOf(id), at]);
      return id;
    };
    const later = await release(48, 'READY');
    const next = await release(2, 'PROCESSING');
    await release(1, 'PUBLISHED');
    await release(-1, 'READY');
    const query = `query ($channel: DID!) { channelDashboard(input: { channel: $channel }) {
      scheduledContents { totalCount edges { node { id } } } } }`;
    const { channelDashboard } = await api.ok(planner, query, { channel: planner.channel });
    assert.deepEqual(channelDashboard.scheduledContents, {
      totalCount: 2,
      edges: [{ node: { id: next } }, { node: { id: later } }],
    });
  });

  it('returns exact totals, recent and running activity, in one round trip with one statement', async () => {
    const ids = [
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { status: 'READY' }),
      await api.content(anna, { kind: 'SERIES', status: 'PUBLISHED' }),
      await api.content(anna, { kind: 'SHORT', status: 'FAILED' }),
    ];
    const gone = await api.content(anna);
    await api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: gone });
    const [first = '', second = ''] = ids;
    for (const status of ['COMPLETE', 'ERROR', 'CANCELLED']) await job(first, status);
    const running = [await job(first, 'TRANSCODING'), await job(second, 'QUEUED')];
    const draft = (await api.ok(anna, 'mutation { createContent(input: { title: "New" }) { id } }')).createContent.id;
    for (const filename of ['a.mp4', 'b.mp4', 'c.mp4']) {
      api.clock.advance(1);
      await api.ok(
        anna,
        'mutation ($id: DID!, $filename: String!) { createContentAsset(id: $id, input: { filename: $filename, ' +
          'size: 1000, video: { hint: NONE } }) { id } }',
        { id: draft, filename },
      );
    }
    await read(anna);
    const { result, roundTrips, statements } = await api.counted(() => read(anna));
    assert.deepEqual([roundTrips, statements], [1, 1]);
    const { latestContents, recentUploads, runningJobs, ...amounts } = result;
    assert.deepEqual(amounts, {
      channel: { id: anna.channel },
      contentCount: 6,
      trashCount: 1,
      contents: [
        { kind: 'FEATURE', status: 'DRAFT', count: 1 },
        { kind: 'FEATURE', status: 'READY', count: 1 },
        { kind: 'FEATURE', status: 'PUBLISHED', count: 2 },
        { kind: 'SHORT', status: 'FAILED', count: 1 },
        { kind: 'SERIES', status: 'PUBLISHED', count: 1 },
      ],
      storage: { usedBytes: 3000, derivedBytes: 0, totalBytes: 3000, derivedFiles: 0, videos: 0, images: 0 },
    });
    assert.deepEqual(latestContents, { totalCount: 6, edges: [{ node: { id: draft } }, { node: { id: ids.at(-1) } }] });
    assert.deepEqual(recentUploads, {
      totalCount: 3,
      edges: ['c.mp4', 'b.mp4'].map((originalFilename) => ({ node: { tus: { originalFilename } } })),
    });
    assert.equal(runningJobs.totalCount, 2);
    assert.deepEqual(
      runningJobs.edges.map(({ node }: { node: { id: string; status: string } }) => [uuidOf(node.id), node.status]),
      [
        [running[1], 'QUEUED'],
        [running[0], 'TRANSCODING'],
      ],
    );
  });

  it('returns original and derived bytes of this channel alone, in one statement', async () => {
    const [dora, emil] = [await api.person('dora'), await api.person('emil')];
    const STORAGE = `query ($input: GetChannelDashboardInput!) { channelDashboard(input: $input) {
      storage { usedBytes derivedBytes totalBytes derivedFiles videos images } } }`;
    for (const [person, size] of [
      [dora, 1_000],
      [dora, 500],
      [emil, 7],
    ] as const) {
      const content = await api.content(person);
      await api.rows(
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes, derived_bytes,
           derived_files)
         values ($1, $2, $3, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/' || $1::uuid, $4::bigint, 2 * $4::bigint, 3)`,
        [newId(), person.channelId, uuidOf(content), size],
      );
    }
    await api.ok(dora, STORAGE, { input: {} });
    const { result, roundTrips, statements } = await api.counted(() => api.ok(dora, STORAGE, { input: {} }));
    assert.deepEqual([roundTrips, statements], [1, 1]);
    assert.deepEqual(result.channelDashboard.storage, {
      ...{ usedBytes: 1_500, derivedBytes: 3_000, totalBytes: 4_500 },
      ...{ derivedFiles: 6, videos: 2, images: 0 },
    });
  });

  it('requires membership; only members who may upload see the addresses of uploads', async () => {
    const viewer = await read(await member('vera', 'VIEWER'));
    assert.deepEqual([viewer.channel, viewer.recentUploads], [{ id: anna.channel }, null]);
    const editor = await read(await member('eva', 'EDITOR'));
    assert.equal(editor.recentUploads.totalCount, (await read(anna)).recentUploads.totalCount);
  });

  it('is RESOURCE_NOT_FOUND for a non-member, as for a missing channel', async () => {
    const bert = await api.person('bert');
    const refused = await api.refused(bert, DASHBOARD, { input: { channel: anna.channel } });
    assert.deepEqual([refused.code, refused.field], ['RESOURCE_NOT_FOUND', 'input.channel']);
    const none = anna.channel.replace(anna.channelId, '01a1facb-422b-7000-b9e0-9276b51acd0e');
    assert.deepEqual(await api.refused(bert, DASHBOARD, { input: { channel: none } }), refused);
    const wrong = await api.refused(anna, DASHBOARD, { input: { channel: await api.content(anna) } });
    assert.deepEqual([wrong.code, wrong.field], ['INVALID_INPUT', 'input.channel']);
    assert.equal((await api.refused(null, DASHBOARD, { input: { channel: anna.channel } })).code, 'UNAUTHENTICATED');
  });
});
