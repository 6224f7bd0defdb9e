import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sendMailJob } from '../../../platform/mail/send-mail.job.ts';
import { openTestCatalog, type Person, type TestCatalog } from '../../catalog/testing.ts';
import { operatorOf } from '../testing.ts';

const STATUS = `{ serverStatus { version checks { part state message fix }
  counts { accounts suspendedAccounts channels contents storedBytes jobsWaiting jobsRunning jobsFailed openReports }
  workers { host sandbox running { name count } } mail { transport waiting failing oldestAt }
  queues { name } space { totalBytes } } }`;

describe('the state of the server', () => {
  let api: TestCatalog;
  let anna: Person;
  let operator: Person;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    anna = await api.person('anna');
    operator = await operatorOf(api, 'olga');
  });
  after(async () => {
    await api.platform.jobs.stop({ graceMs: 0 });
    await api.close();
  });

  it('has its numbers, workers and messages, and what to do', async () => {
    const content = (await api.content(anna, { status: 'PUBLISHED' })).split('/').at(-1);
    await api.rows(
      `insert into transcode_jobs (id, channel_id, content_id, status, created_at, finished_at, error_code,
         error_message)
       select gen_random_uuid(), $1, $2, s, $3::timestamptz - age, case when s in ('ERROR') then now() end,
         case when s = 'ERROR' then 'INVALID_INPUT' end, case when s = 'ERROR' then 'x' end
       from unnest(array['QUEUED', 'TRANSCODING', 'ERROR', 'ERROR'], array[interval '1 hour', '1 hour', '6 days',
         '8 days']) as j (s, age)`,
      [anna.channelId, content, new Date(api.clock.now()).toISOString()],
    );
    await api.rows(
      `insert into reports (id, channel_id, subject_id, account_id, reason, created_at)
       values (gen_random_uuid(), $1, $1, $2, 'SPAM', now())`,
      [anna.channelId, anna.accountId],
    );
    await api.rows(
      `insert into workers (id, host, sandbox, running)
       values (gen_random_uuid(), 'alpha', '{"state":"complete","advice":[]}', '{"send-mail":2}')`,
    );
    const mail = { id: 'x', sealed: '', expiresAtMs: null };
    await api.platform.db.transaction((tx) => api.platform.jobs.send(tx, sendMailJob, mail));
    const { serverStatus } = await api.ok(operator, STATUS);
    assert.deepEqual(serverStatus.counts, {
      ...{ accounts: 2, suspendedAccounts: 0, channels: 2, contents: 1, storedBytes: 0 },
      ...{ jobsWaiting: 1, jobsRunning: 1, jobsFailed: 1, openReports: 1 },
    });
    assert.deepEqual(serverStatus.workers, [
      { host: 'alpha', sandbox: 'COMPLETE', running: [{ name: 'send-mail', count: 2 }] },
    ]);
    const { oldestAt, ...queue } = serverStatus.mail;
    assert.deepEqual(queue, { transport: 'FOLDER', waiting: 1, failing: 0 });
    assert.ok(Number.isFinite(Date.parse(oldestAt)));
    assert.deepEqual(
      serverStatus.checks.map(({ part, state }: { part: string; state: string }) => `${part} ${state}`),
      ['DATABASE OK', 'OBJECT_STORE OK', 'DISK_SPACE OK', 'WORKERS OK', 'SANDBOX OK', 'MAIL WARNING'],
    );
    assert.deepEqual([serverStatus.version, serverStatus.space], ['1.2.3', null]);
    await api.rows(`update pgboss.job set data = jsonb_set(data, '{failures}', '3') where name = 'send-mail'`);
    const failing = (await api.ok(operator, STATUS)).serverStatus;
    assert.equal(failing.mail.failing, 1);
    assert.equal(failing.checks.at(-1).state, 'ERROR');
  });

  it('is for signed-in operators', async () => {
    for (const who of [anna, await api.signedIn(anna)])
      assert.equal((await api.refused(who, '{ serverStatus { version } }')).code, 'UNAUTHORIZED');
    assert.equal((await api.refused(null, '{ serverStatus { version } }')).code, 'UNAUTHENTICATED');
  });
});
