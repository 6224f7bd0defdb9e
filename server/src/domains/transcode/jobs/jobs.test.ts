import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';

const JOBS =
  'query ($channel: DID, $first: Int, $after: String, $last: Int, $before: String) { jobs(channel: $channel, ' +
  'first: $first, after: $after, last: $last, before: $before) { totalCount edges { node { id status } } pageInfo ' +
  '{ startCursor endCursor hasNextPage hasPreviousPage } } }';
const JOB = 'query ($id: DID!) { job(id: $id) { id status } }';
const CANCEL = 'mutation ($id: DID!) { cancelJob(id: $id) { job { id status } } }';

describe('jobs', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  async function job(
    owner: Person,
    status: string,
    contentStatus = 'PROCESSING',
  ): Promise<{ id: string; content: string }> {
    const content = await api.content(owner, { status: contentStatus });
    const id = newId<'job'>(api.clock.now());
    await api.rows(
      `insert into transcode_jobs (id, channel_id, content_id, status, created_at) values ($1, $2, $3, $4, $5)`,
      [id, owner.channelId, uuidOf(content), status, new Date(api.clock.now()).toISOString()],
    );
    return { id: `did:reelgraph:job/${id}`, content };
  }
  const contentStatus = async (did: string) =>
    (await api.row<{ status: string }>('select status from contents where id = $1', [uuidOf(did)])).status;
  const eventsOf = (did: string) =>
    api.rows<{ type: string; payload: { status: string } }>(
      'select type, payload from events where subject_id = $1 order by id',
      [uuidOf(did)],
    );
  async function member(name: string, role: string): Promise<Person> {
    const person = await api.person(name);
    await api.rows('insert into channel_members (channel_id, account_id, role) values ($1, $2, $3)', [
      anna.channelId,
      person.accountId,
      role,
    ]);
    return person;
  }

  it('are listed for members of their channels, newest first, with an exact count, in one statement', async () => {
    const viewer = await member('vera', 'VIEWER');
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) ids.unshift((await job(anna, 'COMPLETE', 'READY')).id);
    const own = await job(viewer, 'QUEUED');
    const idsOf = (page: { edges: { node: { id: string } }[] }) => page.edges.map(({ node }) => node.id);
    const { result, statements } = await api.counted(() => api.ok(viewer, JOBS, { first: 3 }));
    assert.deepEqual([statements, result.jobs.totalCount, idsOf(result.jobs)], [1, 5, [own.id, ...ids.slice(0, 2)]]);
    const { jobs: next } = await api.ok(viewer, JOBS, { first: 3, after: result.jobs.pageInfo.endCursor });
    assert.deepEqual([idsOf(next), next.pageInfo.hasNextPage], [ids.slice(2), false]);
    const { jobs: back } = await api.ok(viewer, JOBS, { last: 1, before: next.pageInfo.startCursor });
    assert.deepEqual([idsOf(back), back.pageInfo.hasPreviousPage], [[ids[1]], true]);
    const { jobs: one } = await api.ok(viewer, JOBS, { channel: anna.channel });
    assert.deepEqual([one.totalCount, idsOf(one)], [4, ids]);
    const { jobs: strange } = await api.ok(bert, JOBS, { channel: anna.channel });
    assert.deepEqual([strange.totalCount, strange.edges], [0, []]);
    await api.rows('delete from transcode_jobs where id = $1', [uuidOf(ids[0] ?? '')]);
    assert.equal((await api.ok(viewer, JOBS, { channel: anna.channel })).jobs.totalCount, 3);
    const wrong = await api.refused(viewer, JOBS, { channel: own.id });
    assert.deepEqual([wrong.code, wrong.field], ['INVALID_INPUT', 'channel']);
  });

  it('tell their content and kind, whatever it is', async () => {
    const carl = await api.person('carl');
    const kinds: readonly (readonly [string, string, string])[] = [
      ['PROCESS', 'PROCESS', ''],
      ['REPROCESS', 'REPEAT', ''],
      ['CODEC', 'RENDITIONS', "update transcode_jobs set codec = 'AV1' where id = $1"],
      ['REBUILD', 'RENDITIONS', ''],
      ['UPMIX', 'ENHANCE', "update transcode_jobs set enhancement = 'UPMIX' where id = $1"],
      ['UPSCALE', 'ENHANCE', "update transcode_jobs set enhancement = 'UPSCALE' where id = $1"],
      ['ENHANCEMENT', 'ENHANCE', ''],
      ['TRANSCRIPTION', 'CAPTIONS', insertCaptionJob('SPEECH')],
      ['TRANSLATION', 'CAPTIONS', insertCaptionJob('TRANSLATION')],
    ];
    const expected: object[] = [];
    for (const [kind, purpose, more] of kinds) {
      const { id, content } = await job(carl, 'TRANSCODING', 'PUBLISHED');
      await api.rows('update transcode_jobs set purpose = $2 where id = $1', [uuidOf(id), purpose]);
      if (more !== '') await api.rows(more, [uuidOf(id)]);
      expected.unshift({ node: { id, kind, content: { id: content } } });
    }
    const query = '{ jobs(first: 20) { totalCount edges { node { id kind content { id } } } } }';
    assert.deepEqual((await api.ok(carl, query, {})).jobs, { totalCount: kinds.length, edges: expected });
  });

  it('that nobody asked for are listed, but not cancelled, nor shown as what a content waits for', async () => {
    const dora = await api.person('dora');
    const { id, content } = await job(dora, 'TRANSCODING', 'PUBLISHED');
    await api.rows("update transcode_jobs set purpose = 'RENDITIONS', codec = 'AV1' where id = $1", [uuidOf(id)]);
    assert.equal((await api.ok(dora, JOB, { id })).job.id, id);
    const refused = await api.refused(dora, CANCEL, { id });
    assert.deepEqual([refused.code, refused.field], ['INVALID_INPUT', 'id']);
    const { status } = await api.row<{ status: string }>('select status from transcode_jobs where id = $1', [
      uuidOf(id),
    ]);
    assert.equal(status, 'TRANSCODING');
    const read = await api.ok(
      dora,
      `query ($id: DID!) { content(id: $id) { transcodeJob { id } }
        channelDashboard(input: {}) { runningJobs { totalCount edges { node { id } } } } }`,
      { id: content },
    );
    assert.deepEqual(read, {
      content: { transcodeJob: null },
      channelDashboard: { runningJobs: { totalCount: 0, edges: [] } },
    });
  });

  it('say how they were interrupted, until they end', async () => {
    const { id } = await job(anna, 'TRANSCODING');
    const query = 'query ($id: DID!) { job(id: $id) { interruption { state count reason } } }';
    assert.deepEqual(await api.ok(anna, query, { id }), { job: { interruption: null } });
    const insert = `insert into interrupted_work (work, subject, interruptions, deaths, first_at, last_at, state)
      values ($2, $1, $3, $3, now(), now(), $4)`;
    const [again, apart] = [`again ${id}`, `apart ${id}`];
    await api.rows(insert, [uuidOf(id), again, 5, 'AGAIN']);
    const reasonOf = async () => (await api.ok(anna, query, { id })).job.interruption;
    assert.deepEqual(await reasonOf(), {
      ...{ state: 'CONTINUING', count: 5 },
      reason: 'The server was interrupted 5 times while it worked on this. It goes on by itself.',
    });
    await api.rows(insert, [uuidOf(id), apart, 3, 'APART']);
    const { state, count, reason } = await reasonOf();
    assert.deepEqual([state, count], ['SET_APART', 3]);
    assert.match(reason, /ended 3 times while it worked on this, but not with other work/);
    await api.rows("update transcode_jobs set status = 'COMPLETE', finished_at = now() where id = $1", [uuidOf(id)]);
    assert.deepEqual(await api.ok(anna, query, { id }), { job: { interruption: null } });
  });

  it('can be read by members, and are not found for others', async () => {
    const { id } = await job(anna, 'QUEUED');
    assert.deepEqual(await api.ok(anna, JOB, { id }), { job: { id, status: 'QUEUED' } });
    const refused = await api.refused(bert, JOB, { id });
    assert.deepEqual([refused.code, refused.field], ['RESOURCE_NOT_FOUND', 'id']);
    const missing = await api.refused(bert, JOB, { id: `did:reelgraph:job/${newId()}` });
    assert.deepEqual(refused, missing);
    assert.equal((await api.refused(null, JOB, { id })).code, 'UNAUTHENTICATED');
  });

  it('are cancelled immediately while waiting, in one round trip; the content returns to its previous state', async () => {
    const { id, content } = await job(anna, 'QUEUED');
    const { result, roundTrips } = await api.counted(() => api.ok(anna, CANCEL, { id }));
    assert.deepEqual([result.cancelJob.job, roundTrips], [{ id, status: 'CANCELLED' }, 1]);
    assert.equal(await contentStatus(content), 'DRAFT');
    assert.deepEqual(await api.ok(anna, CANCEL, { id }), { cancelJob: { job: { id, status: 'CANCELLED' } } });
    assert.deepEqual(
      (await eventsOf(id)).map(({ type, payload }) => `${type} ${payload.status}`),
      ['job.updated CANCELLED'],
    );
    const { due } = await api.row<{ due: number }>(
      `select extract(epoch from due_at - $2::timestamptz)::int as due from object_purges where key_prefix = $1`,
      [`sources/${uuidOf(id)}`, new Date(api.clock.now()).toISOString()],
    );
    assert.equal(due, 3_600, 'a file that was being fetched for it is deleted');
  });

  it('are asked to stop while running', async () => {
    const { id, content } = await job(anna, 'TRANSCODING');
    assert.deepEqual(await api.ok(anna, CANCEL, { id }), { cancelJob: { job: { id, status: 'CANCELLING' } } });
    assert.deepEqual(await api.ok(anna, CANCEL, { id }), { cancelJob: { job: { id, status: 'CANCELLING' } } });
    assert.equal(await contentStatus(content), 'PROCESSING', 'until they have stopped');
  });

  it('do not start after their upload when cancelled', async () => {
    const { id, content } = await job(anna, 'IDLE', 'DRAFT');
    await api.rows(
      `insert into ingestions (id, channel_id, content_id, media_kind, hint, filename, filetype, asset_name, size_bytes,
        object_key, expires_at, auto_process)
       values ($1, $2, $3, 'VIDEO', 'SHORT', 'a', 'b', 'c', 1, $4, now(), true)`,
      [newId(), anna.channelId, uuidOf(content), `uploads/${newId()}`],
    );
    assert.deepEqual(await api.ok(anna, CANCEL, { id }), { cancelJob: { job: { id, status: 'CANCELLED' } } });
    assert.deepEqual(await api.row('select auto_process from ingestions where content_id = $1', [uuidOf(content)]), {
      auto_process: false,
    });
  });

  it('can be cancelled by members who may change content, until they end', async () => {
    const [viewer, editor] = [await member('vic', 'VIEWER'), await member('ed', 'EDITOR')];
    const { id } = await job(anna, 'QUEUED');
    const refused = await api.refused(bert, CANCEL, { id });
    assert.deepEqual([refused.code, refused.field], ['RESOURCE_NOT_FOUND', 'id']);
    assert.equal((await api.refused(viewer, CANCEL, { id })).code, 'UNAUTHORIZED');
    assert.deepEqual((await api.ok(anna, JOB, { id })).job.status, 'QUEUED');
    await api.ok(editor, CANCEL, { id });
    for (const status of ['COMPLETE', 'ERROR']) {
      const ended = await api.refused(anna, CANCEL, { id: (await job(anna, status, 'READY')).id });
      assert.deepEqual([ended.code, ended.field], ['INVALID_INPUT', 'id']);
    }
  });
});

function insertCaptionJob(kind: 'SPEECH' | 'TRANSLATION'): string {
  return `insert into caption_jobs (job_id, content_id, kind)
    select id, content_id, '${kind}' from transcode_jobs where id = $1`;
}
