import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { addBroadcast } from '../../../testing/seed-live.ts';
import { until } from '../../../testing/until.ts';
import { openTestCatalog, type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { operatorOf } from '../testing.ts';

const WRITE = `mutation ($stream: DID!, $body: String!) { createChatMessage(input: { stream: $stream, body: $body }) {
  chatMessage { id status } } }`;
const REPORT = `mutation ($target: DID!, $note: String) {
  report(input: { target: $target, reason: HARASSMENT, note: $note }) {
    report { id status content { id } comment { id } chatMessage { id body } channel { id } } } }`;
const LIST = `query ($id: DID!) { channel(id: $id) { reports(first: 9) { totalCount edges { node {
  id note chatMessage { body author { username } } } } } } }`;
const RESOLVE = `mutation ($id: DID!) { resolveReport(id: $id, input: { resolution: RESOLVED }) {
  report { status chatMessage { id } } } }`;
const DELETE = 'mutation ($id: DID!) { deleteChatMessage(id: $id) { id } }';
const SERVER = `{ serverReports(first: 9) { edges { node {
  id subject contentTitle commentBody openReports owner { username } } } } }`;
const REVIEW = `mutation ($id: DID!, $input: ReviewReportInput!) { reviewReport(id: $id, input: $input) {
  report { status commentBody takenDownAt } } }`;
const LIFT = 'mutation ($id: DID!) { liftTakedown(id: $id) { report { takenDownAt commentBody } } }';
const LOG = '{ operatorActions(first: 1) { edges { node { kind subject details } } } }';
const RULES =
  'mutation ($id: DID!) { updateModeration(id: $id, input: { blockedWords: ["spoiler"] }) { channel { id } } }';
const NOTIFIED = '{ notifications(first: 5) { edges { node { kind content { id } } } } }';
const MISSING = 'did:reelgraph:chat-message/01a1facb-422b-7000-b9e0-9276b51acd0e';

describe('reports of messages in chats', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  let cleo: Person;
  let operator: Person;
  let stream: string;
  before(async () => {
    api = await openTestCatalog({ jobs: true });
    [anna, bert, cleo] = [await api.person('anna'), await api.person('bert'), await api.person('cleo')];
    operator = await operatorOf(api, 'olga');
    stream = await addBroadcast(api, anna);
    await api.platform.events.start();
  });
  after(async () => {
    await api.platform.events.stop();
    await api.platform.jobs.stop({ graceMs: 0 });
    await api.close();
  });

  const write = async (who: Person, body: string): Promise<string> =>
    (await api.ok(who, WRITE, { stream, body })).createChatMessage.chatMessage.id;
  const report = async (who: Person, target: string, note?: string) =>
    (await api.ok(who, REPORT, { target, note })).report.report;
  const rows = () =>
    api.rows(
      `select (select jsonb_agg(r order by r.id) from reports r) as reports,
         (select jsonb_agg(m order by m.id) from chat_messages m) as messages,
         (select jsonb_agg(h order by h.id) from chats h) as chats, (select count(*) from events) as events`,
    );

  it('are with the others of the channel, one for each account, and stay when the message is deleted', async () => {
    const rude = await write(cleo, 'Rude');
    const first = await report(bert, rude, 'Look');
    assert.deepEqual(
      { ...first, id: '' },
      {
        ...{ id: '', status: 'OPEN', content: null, comment: null, channel: { id: anna.channel } },
        chatMessage: { id: rude, body: 'Rude' },
      },
    );
    assert.equal((await report(bert, rude, 'Changed')).id, first.id);
    const { totalCount, edges } = (await api.ok(anna, LIST, { id: anna.channel })).channel.reports;
    assert.deepEqual(
      [totalCount, edges],
      [1, [{ node: { id: first.id, note: 'Changed', chatMessage: { body: 'Rude', author: { username: 'cleo' } } } }]],
    );
    assert.equal((await api.ok(bert, LIST, { id: anna.channel })).channel.reports, null);
    await api.ok(anna, DELETE, { id: rude });
    const resolved = (await api.ok(anna, RESOLVE, { id: first.id })).resolveReport.report;
    assert.deepEqual(resolved, { status: 'RESOLVED', chatMessage: null });
    await until(async () => {
      const { notifications } = await api.ok(bert, NOTIFIED);
      return (
        JSON.stringify(notifications.edges) === `[{"node":{"kind":"REPORT_REVIEWED","content":{"id":"${stream}"}}}]`
      );
    });
  });

  it('are refused for what the account does not see', async () => {
    await api.ok(anna, RULES, { id: anna.channel });
    const held = await write(cleo, 'A spoiler');
    const gone = await write(cleo, 'Gone');
    await api.ok(cleo, DELETE, { id: gone });
    const hidden = await write(cleo, 'Hidden');
    await api.rows("update contents set visibility = 'PRIVATE' where id = $1", [uuidOf(stream)]);
    const before = await rows();
    for (const target of [held, gone, hidden, MISSING]) {
      const { code, field } = await api.refused(bert, REPORT, { target });
      assert.deepEqual([code, field], ['RESOURCE_NOT_FOUND', 'input.target'], target);
    }
    assert.deepEqual(await rows(), before);
    await api.rows("update contents set visibility = 'PUBLIC' where id = $1", [uuidOf(stream)]);
    for (const target of [held, gone])
      assert.equal((await api.refused(bert, REPORT, { target })).code, 'RESOURCE_NOT_FOUND');
    assert.deepEqual(await rows(), before);
  });

  it('are decided by operators, who delete the message', async () => {
    const rude = await write(cleo, 'Very rude');
    const { id } = await report(bert, rude);
    const { edges } = (await api.ok(operator, SERVER)).serverReports;
    assert.deepEqual(
      { ...edges[0].node, id: '', contentTitle: '' },
      {
        ...{ id: '', subject: 'CHAT_MESSAGE', contentTitle: '', commentBody: 'Very rude', openReports: 1 },
        owner: { username: 'cleo' },
      },
    );
    const input = { decision: 'TAKE_DOWN', reason: 'Harassment.' };
    const decided = { status: 'RESOLVED', commentBody: null, takenDownAt: null };
    assert.deepEqual((await api.ok(operator, REVIEW, { id, input })).reviewReport.report, decided);
    const [message] = await api.rows('select status, body from chat_messages where id = $1', [uuidOf(rude)]);
    assert.deepEqual(message, { status: 'DELETED', body: '' });
    const { kind, subject, details } = (await api.ok(operator, LOG)).operatorActions.edges[0].node;
    assert.deepEqual([kind, details], ['CHAT_MESSAGE_DELETED', 'Harassment.']);
    assert.match(subject, /^cleo in /);
    const settled = await rows();
    assert.deepEqual((await api.ok(operator, REVIEW, { id, input })).reviewReport.report, decided);
    assert.deepEqual((await api.ok(operator, LIFT, { id })).liftTakedown.report, {
      ...{ takenDownAt: null, commentBody: null },
    });
    assert.equal((await api.refused(anna, REVIEW, { id, input })).code, 'UNAUTHORIZED');
    assert.deepEqual(await rows(), settled);
  });
});
