import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../../../kernel/ids.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { comment } from '../../social/testing.ts';
import { operatorOf } from '../testing.ts';

const REPORT = 'mutation ($input: ReportInput!) { report(input: $input) { report { id } } }';
const LIST = `query ($status: ReportStatus) { serverReports(status: $status) { totalCount edges { node {
  id reason note status subject openReports takenDownAt contentId contentTitle commentBody
  channel { handle } owner { username } reporter { username } } } } }`;
const REVIEW = `mutation ($id: DID!, $input: ReviewReportInput!) { reviewReport(id: $id, input: $input) { report {
  status openReports takenDownAt } } }`;
const LIFT = 'mutation ($id: DID!) { liftTakedown(id: $id) { report { takenDownAt } } }';
const CONTENT = 'query ($id: DID!) { content(id: $id) { id takedown { reason } } }';
const COMMENT = 'query ($id: DID!) { comment(id: $id) { body } }';
const NOTIFIED = '{ notifications { edges { node { kind content { id } } } } }';

describe('reports of all channels', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let cleo: Person;
  let operator: Person;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    [anna, bert, cleo] = [await api.person('anna'), await api.person('bert'), await api.person('cleo')];
    operator = await operatorOf(api, 'olga');
    await api.platform.events.start();
  });
  after(async () => {
    await api.platform.events.stop();
    await api.platform.jobs.stop({ graceMs: 0 });
    await api.close();
  });

  const report = async (who: Person, target: string, note = ''): Promise<string> =>
    (await api.ok(who, REPORT, { input: { target, reason: 'SPAM', note } })).report.report.id.replace(
      ':report/',
      ':server/report/',
    );
  const takeDown = (id: string, reason = 'Breaks the rules.') =>
    api.ok(operator, REVIEW, { id, input: { decision: 'TAKE_DOWN', reason } });
  const sees = async (who: Person, id: string): Promise<boolean> =>
    (await api.run(who, CONTENT, { id })).errors.length === 0;
  const mails = async () =>
    (await api.row<{ n: number }>(`select count(*)::int as n from pgboss.job where name = 'send-mail'`)).n;
  const rows = () =>
    api.row<object>(
      `select (select json_agg(r order by r.id)::text from reports r) as reports,
         (select json_agg(c order by c.id)::text from contents c) as contents,
         (select json_agg(m order by m.id)::text from comments m) as comments,
         (select json_agg(o order by o.id)::text from operator_actions o) as actions,
         (select count(*)::int from pgboss.job) as queued, (select count(*)::int from events) as events`,
    );
  const log = async () =>
    (await api.ok(operator, '{ operatorActions(first: 1) { edges { node { kind subject details } } } }'))
      .operatorActions.edges[0].node;

  it('are listed with what they are about, and a content is taken down once for all of them', async () => {
    const content = await api.content(anna, { status: 'PUBLISHED' });
    await api.rows(`update contents set title = 'Spam' where id = $1`, [uuidOf(content)]);
    const first = await report(bert, content, 'Look');
    const second = await report(cleo, content);
    const { serverReports } = await api.ok(operator, LIST);
    assert.equal(serverReports.totalCount, 2);
    const [newest, oldest] = serverReports.edges.map(({ node }: { node: object }) => node);
    assert.equal(newest.id, second);
    assert.deepEqual(oldest, {
      ...{ id: first, reason: 'SPAM', note: 'Look', status: 'OPEN', subject: 'CONTENT', openReports: 2 },
      ...{ takenDownAt: null, contentId: content, contentTitle: 'Spam', commentBody: null },
      ...{ channel: { handle: 'anna' }, owner: { username: 'anna' }, reporter: { username: 'bert' } },
    });
    const before = await mails();
    const { report: reviewReport } = (await takeDown(first)).reviewReport;
    assert.deepEqual([reviewReport.status, reviewReport.openReports], ['RESOLVED', 0]);
    assert.equal(Date.parse(reviewReport.takenDownAt), api.clock.now());
    assert.equal(await mails(), before + 1);
    assert.deepEqual(await log(), { kind: 'CONTENT_TAKEN_DOWN', subject: 'Spam', details: 'Breaks the rules.' });
    assert.ok(!(await sees(bert, content)));
    assert.deepEqual((await api.ok(anna, CONTENT, { id: content })).content.takedown, { reason: 'Breaks the rules.' });
    const settled = await rows();
    await takeDown(first);
    await takeDown(second);
    assert.deepEqual(await rows(), settled, 'a repetition changes nothing');
    await until(async () => {
      const { notifications } = await api.ok(bert, NOTIFIED);
      return JSON.stringify(notifications.edges) === '[{"node":{"kind":"REPORT_REVIEWED","content":null}}]';
    });

    assert.deepEqual((await api.ok(operator, LIFT, { id: second })).liftTakedown.report, { takenDownAt: null });
    assert.deepEqual((await api.ok(bert, CONTENT, { id: content })).content, { id: content, takedown: null });
    assert.deepEqual(await log(), { kind: 'TAKEDOWN_LIFTED', subject: 'Spam', details: '' });
    const lifted = await rows();
    await api.ok(operator, LIFT, { id: second });
    assert.deepEqual(await rows(), lifted);
  });

  it('hide what is part of a series that is taken down', async () => {
    const serie = await api.content(anna, { kind: 'MINISERIES', status: 'PUBLISHED' });
    const episode = await api.content(anna, { kind: 'EPISODE', status: 'PUBLISHED', parent: serie, number: 1 });
    assert.ok(await sees(bert, episode));
    const id = await report(bert, serie);
    await takeDown(id);
    assert.ok(!(await sees(bert, episode)));
    await api.ok(operator, LIFT, { id });
    assert.ok(await sees(bert, episode));
  });

  it('take down a comment, which moderators cannot approve then', async () => {
    const content = await api.content(anna, { status: 'PUBLISHED' });
    const rude = await comment(api, cleo, content, 'Rude');
    const id = await report(bert, rude);
    await takeDown(id);
    assert.deepEqual((await log()).kind, 'COMMENT_TAKEN_DOWN');
    assert.equal((await api.run(bert, COMMENT, { id: rude })).data?.comment ?? null, null);
    const approve = 'mutation ($ids: [DID!]!) { approveComments(ids: $ids) { results { ok error { code } } } }';
    assert.deepEqual((await api.ok(anna, approve, { ids: [rude] })).approveComments.results, [
      { ok: false, error: { code: 'INVALID_INPUT' } },
    ]);
    await api.ok(operator, LIFT, { id });
    assert.deepEqual((await api.ok(bert, COMMENT, { id: rude })).comment, { body: 'Rude' });
  });

  it('are dismissed, and then cannot be decided otherwise', async () => {
    const content = await api.content(anna, { status: 'PUBLISHED' });
    const id = await report(bert, content);
    const dismissal = { id, input: { decision: 'DISMISS' } };
    assert.deepEqual((await api.ok(operator, REVIEW, dismissal)).reviewReport.report, {
      ...{ status: 'DISMISSED', openReports: 0, takenDownAt: null },
    });
    assert.equal((await log()).kind, 'REPORT_DISMISSED');
    const before = await rows();
    await api.ok(operator, REVIEW, dismissal);
    const error = await api.refused(operator, REVIEW, { id, input: { decision: 'TAKE_DOWN', reason: 'x' } });
    assert.deepEqual([error.code, error.field], ['INVALID_INPUT', 'input.decision']);
    assert.deepEqual(await rows(), before);
  });

  it('refuse what makes no sense, and everyone but operators, and then nothing changes', async () => {
    const content = await api.content(anna, { status: 'PUBLISHED' });
    const [id, channel] = [await report(bert, content), await report(bert, anna.channel)];
    const before = await rows();
    const down = (reason?: string) => ({ decision: 'TAKE_DOWN', reason });
    const cases: readonly (readonly [string, object, string, string])[] = [
      [id, down(), 'FIELD_REQUIRED', 'input.reason'],
      [id, down(' '), 'FIELD_REQUIRED', 'input.reason'],
      [id, down('x'.repeat(501)), 'INVALID_INPUT', 'input.reason'],
      [id, down('\u0000'), 'INVALID_INPUT', 'input.reason'],
      [channel, down('x'), 'INVALID_INPUT', 'input.decision'],
      [`did:reelgraph:report/${newId()}`, { decision: 'DISMISS' }, 'RESOURCE_NOT_FOUND', 'id'],
      [content, { decision: 'DISMISS' }, 'INVALID_INPUT', 'id'],
    ];
    for (const [target, input, code, field] of cases) {
      const error = await api.refused(operator, REVIEW, { id: target, input });
      assert.deepEqual([error.code, error.field], [code, field]);
    }
    for (const who of [anna, bert, await api.signedIn(anna)]) {
      for (const [document, variables] of [
        [REVIEW, { id, input: { decision: 'DISMISS' } }],
        [LIFT, { id }],
        [LIST, {}],
      ] as const)
        assert.equal((await api.refused(who, document, variables)).code, 'UNAUTHORIZED');
    }
    assert.deepEqual(await rows(), before);
  });
});
