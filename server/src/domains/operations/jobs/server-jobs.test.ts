import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { operatorOf } from '../testing.ts';

const LIST = `query ($status: TranscodeJobStatus, $purpose: JobPurpose, $channel: DID) {
  serverJobs(status: $status, purpose: $purpose, channel: $channel) { totalCount edges { node {
    id status purpose attempts error errorCode contentId contentTitle channel { handle } } } } }`;
const RETRY = 'mutation ($id: DID!) { retryServerJob(id: $id) { job { id status purpose } } }';
const CANCEL = 'mutation ($id: DID!) { cancelServerJob(id: $id) { job { id status } } }';
const LOG = '{ operatorActions(first: 20) { edges { node { operator kind subject details account { id } } } } }';

describe('jobs of all channels', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let operator: Person;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    [anna, bert, operator] = [await api.person('anna'), await api.person('bert'), await operatorOf(api, 'olga')];
  });
  after(async () => {
    await api.platform.jobs.stop({ graceMs: 0 });
    await api.close();
  });

  /** A job of a content with an uploaded file, unless `file` is false. */
  async function job(
    owner: Person,
    { status = 'QUEUED', purpose = 'PROCESS', file = true, title = 'A video' } = {},
  ): Promise<{ id: string; content: string }> {
    const content = await api.content(owner, { status: status === 'ERROR' ? 'FAILED' : 'PROCESSING' });
    await api.rows('update contents set title = $2 where id = $1', [uuidOf(content), title]);
    const [id, video] = [newId<'job'>(api.clock.now()), newId<'videoAsset'>()];
    if (file)
      await api.rows(
        `insert into video_assets (id, channel_id, content_id, filename, hint, size_bytes, source_key, created_at)
         values ($1, $2, $3, 'a.mp4', 'LANDSCAPE_VIDEO', 1, 'sources/example', now())`,
        [video, owner.channelId, uuidOf(content)],
      );
    await api.rows(
      `insert into transcode_jobs (id, channel_id, content_id, video_asset_id, status, purpose, created_at, attempts,
         finished_at, error_code, error_message)
       values ($1, $2, $3, $4, $5, $6, $7, 2, case when $5 in ('ERROR', 'CANCELLED', 'COMPLETE') then now() end,
         case when $5 = 'ERROR' then 'MEDIA_UNREADABLE' end, case when $5 = 'ERROR' then 'Not a video.' end)`,
      [
        id,
        owner.channelId,
        uuidOf(content),
        file ? video : null,
        status,
        purpose,
        new Date(api.clock.now()).toISOString(),
      ],
    );
    return { id: `did:reelgraph:server/job/${id}`, content };
  }
  const rows = () =>
    api.row<object>(
      `select (select json_agg(j order by j.id)::text from transcode_jobs j) as jobs,
         (select json_agg(c order by c.id)::text from contents c) as contents,
         (select json_agg(o order by o.id)::text from operator_actions o) as actions,
         (select count(*)::int from pgboss.job) as queued, (select count(*)::int from events) as events`,
    );
  const log = async () => (await api.ok(operator, LOG)).operatorActions.edges.map(({ node }: { node: object }) => node);

  it('are listed by state, purpose and channel, newest first, with the reason of a failure', async () => {
    const failed = await job(anna, { status: 'ERROR', title: 'Broken' });
    const cold = await job(bert, { purpose: 'RENDITIONS', title: 'Cold' });
    const found = async (filter: Record<string, string>) =>
      (await api.ok(operator, LIST, filter)).serverJobs.edges.map(({ node }: { node: { id: string } }) => node.id);
    assert.deepEqual(await found({}), [cold.id, failed.id]);
    assert.deepEqual(await found({ status: 'ERROR' }), [failed.id]);
    assert.deepEqual(await found({ purpose: 'RENDITIONS' }), [cold.id]);
    assert.deepEqual(await found({ channel: anna.channel }), [failed.id]);
    assert.deepEqual(await found({ status: 'COMPLETE' }), []);
    const { result, statements } = await api.counted(() => api.ok(operator, LIST, { status: 'ERROR' }));
    assert.equal(statements, 1);
    assert.equal(result.serverJobs.totalCount, 1);
    assert.deepEqual(result.serverJobs.edges[0].node, {
      ...{ id: failed.id, status: 'ERROR', purpose: 'PROCESS', attempts: 2 },
      ...{ error: 'Not a video.', errorCode: 'MEDIA_UNREADABLE', contentId: failed.content, contentTitle: 'Broken' },
      channel: { handle: 'anna' },
    });
  });

  it('are started again once, and that is in the audit log', async () => {
    const { id, content } = await job(anna, { status: 'ERROR', title: 'Try again' });
    const { job: retryServerJob } = (await api.ok(operator, RETRY, { id })).retryServerJob;
    assert.notEqual(retryServerJob.id, id);
    assert.deepEqual([retryServerJob.status, retryServerJob.purpose], ['QUEUED', 'PROCESS']);
    assert.deepEqual(await api.row('select status from contents where id = $1', [uuidOf(content)]), {
      status: 'PROCESSING',
    });
    const before = await rows();
    assert.equal((await api.ok(operator, RETRY, { id })).retryServerJob.job.id, retryServerJob.id);
    assert.deepEqual(await rows(), before, 'it is under way already');
    assert.deepEqual((await log())[0], {
      ...{ operator: 'olga', kind: 'JOB_RETRIED', subject: 'Try again', details: '', account: null },
    });
  });

  it('are cancelled, which is noted once', async () => {
    const { id, content } = await job(bert, { title: 'Stop this' });
    for (let times = 0; times < 2; times += 1)
      assert.deepEqual((await api.ok(operator, CANCEL, { id })).cancelServerJob.job, { id, status: 'CANCELLED' });
    assert.deepEqual(await api.row('select status from contents where id = $1', [uuidOf(content)]), {
      status: 'DRAFT',
    });
    const entries = await log();
    assert.deepEqual(
      entries.filter(({ subject }: { subject: string }) => subject === 'Stop this'),
      [{ operator: 'olga', kind: 'JOB_CANCELLED', subject: 'Stop this', details: '', account: null }],
    );
    const running = await job(bert, { status: 'TRANSCODING' });
    assert.equal((await api.ok(operator, CANCEL, { id: running.id })).cancelServerJob.job.status, 'CANCELLING');
  });

  it('cannot be changed where that makes no sense, and then nothing changes', async () => {
    const cases: readonly (readonly [string, string, string])[] = [
      [RETRY, (await job(anna)).id, 'INVALID_INPUT'],
      [RETRY, (await job(anna, { status: 'ERROR', purpose: 'RENDITIONS' })).id, 'INVALID_INPUT'],
      [RETRY, (await job(anna, { status: 'ERROR', purpose: 'CAPTIONS' })).id, 'INVALID_INPUT'],
      [RETRY, (await job(anna, { status: 'ERROR', file: false })).id, 'INVALID_INPUT'],
      [CANCEL, (await job(anna, { status: 'ERROR' })).id, 'INVALID_INPUT'],
      [RETRY, `did:reelgraph:job/${newId()}`, 'RESOURCE_NOT_FOUND'],
      [CANCEL, `did:reelgraph:job/${newId()}`, 'RESOURCE_NOT_FOUND'],
      [RETRY, anna.channel, 'INVALID_INPUT'],
    ];
    const before = await rows();
    for (const [mutation, id, code] of cases) {
      const error = await api.refused(operator, mutation, { id });
      assert.deepEqual([error.code, error.field], [code, 'id']);
    }
    assert.deepEqual(await rows(), before);
  });

  it('are for signed-in operators only', async () => {
    const { id } = await job(anna);
    const before = await rows();
    for (const who of [anna, await api.signedIn(anna)]) {
      for (const mutation of [RETRY, CANCEL])
        assert.equal((await api.refused(who, mutation, { id })).code, 'UNAUTHORIZED');
      assert.equal((await api.refused(who, LIST)).code, 'UNAUTHORIZED');
    }
    assert.deepEqual(await rows(), before);
  });
});
