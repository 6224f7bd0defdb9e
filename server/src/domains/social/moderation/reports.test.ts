import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { comment, countsAndRecount, eventsOf } from '../testing.ts';
import { type Cast, openCast } from './testing.ts';

const MISSING = 'did:reelgraph:comment/01a1facb-422b-7000-b9e0-9276b51acd0e';

describe('reports', () => {
  let cast: Cast;
  before(async () => {
    cast = await openCast();
  });
  after(() => cast.api.close());

  const REPORT =
    'mutation ($input: ReportInput!) { report(input: $input) { report { id status reason note content ' +
    '{ id } comment { id ' +
    '} channel { id } } } }';
  const LIST =
    'query ($id: DID!, $status: ReportStatus!) { channel(id: $id) { reports(status: $status) { totalCount edges ' +
    '{ node { id note madeBy { username } comment { body } resolvedAt } } } } }';
  const RESOLVE =
    'mutation ($id: DID!, $resolution: ReportResolution!) { resolveReport(id: $id, input: ' +
    '{ resolution: $resolution }) ' +
    '{ report { status } } }';

  it('are limited to one open report per account and object, and are listed for and closed by moderators', async () => {
    const { api, anna, bert, cleo, emil, vera } = cast;
    const content = await api.content(anna, { status: 'PUBLISHED' });
    const rude = await comment(api, cleo, content, 'Rude');
    const send = (who: Person, target: string, note?: string) =>
      api.ok(who, REPORT, { input: { target, reason: 'SPAM', note } });
    const first = (await send(bert, rude, 'Look\nhere')).report.report;
    assert.deepEqual(
      { ...first, id: '' },
      {
        id: '',
        status: 'OPEN',
        reason: 'SPAM',
        note: 'Look\nhere',
        content: null,
        comment: { id: rude },
        channel: { id: anna.channel },
      },
    );
    const again = await Promise.all([send(bert, rude, 'Changed'), send(bert, rude, 'Changed')]);
    assert.deepEqual(
      again.map(({ report }) => report.report.id),
      [first.id, first.id],
    );
    assert.deepEqual(await eventsOf(api, first.id), ['report.created']);
    assert.deepEqual((await send(cleo, content)).report.report.content, { id: content });
    assert.deepEqual((await send(bert, anna.channel)).report.report.channel, { id: anna.channel });

    const list = (who: Person, status: string) => api.ok(who, LIST, { id: anna.channel, status });
    const { result, statements } = await api.counted(() => list(emil, 'OPEN'));
    const { totalCount, edges } = result.channel.reports;
    assert.deepEqual([statements, totalCount, edges.length], [1, 3, 3]);
    const { node } = edges.find((edge: { node: { id: string } }) => edge.node.id === first.id);
    assert.deepEqual(node, {
      id: first.id,
      note: 'Changed',
      madeBy: { username: 'bert' },
      comment: { body: 'Rude' },
      resolvedAt: null,
    });
    for (const who of [bert, vera]) assert.deepEqual((await list(who, 'OPEN')).channel, { reports: null });

    for (const who of [bert, vera])
      assert.equal(
        (await api.refused(who, RESOLVE, { id: first.id, resolution: 'RESOLVED' })).code,
        'RESOURCE_NOT_FOUND',
      );
    for (let times = 0; times < 2; times += 1) {
      assert.deepEqual((await api.ok(emil, RESOLVE, { id: first.id, resolution: 'RESOLVED' })).resolveReport.report, {
        status: 'RESOLVED',
      });
    }
    assert.deepEqual(await eventsOf(api, first.id), ['report.created', 'report.resolved']);
    assert.deepEqual(await api.row(`select channel_id, payload from events where type = 'report.resolved'`), {
      channel_id: anna.channelId,
      payload: { resolution: 'RESOLVED' },
    });
    const other = await api.refused(anna, RESOLVE, { id: first.id, resolution: 'DISMISSED' });
    assert.deepEqual([other.code, other.field], ['INVALID_INPUT', 'input.resolution']);
    assert.equal((await list(anna, 'OPEN')).channel.reports.totalCount, 2);
    assert.equal((await list(anna, 'RESOLVED')).channel.reports.totalCount, 1);
    assert.notEqual((await send(bert, rude)).report.report.id, first.id);
    await api.rows('delete from comments where id = $1', [uuidOf(rude)]);
    const [kept, counted] = await countsAndRecount(api);
    assert.deepEqual(kept, counted);
  });

  it('refuse objects the account cannot see, and invalid notes', async () => {
    const { api, anna, bert } = cast;
    const cases: [Record<string, unknown>, string, string][] = [
      [{ target: await api.content(anna) }, 'RESOURCE_NOT_FOUND', 'input.target'],
      [{ target: MISSING }, 'RESOURCE_NOT_FOUND', 'input.target'],
      [{ target: 'did:reelgraph:job/01a1facb-422b-7000-b9e0-9276b51acd0e' }, 'INVALID_INPUT', 'input.target'],
      [{ target: anna.channel, note: 'x'.repeat(1_001) }, 'INVALID_INPUT', 'input.note'],
      [{ target: anna.channel, note: 'a\u0000' }, 'INVALID_INPUT', 'input.note'],
    ];
    for (const [input, code, field] of cases) {
      const error = await api.refused(bert, REPORT, { input: { reason: 'OTHER', ...input } });
      assert.deepEqual([error.code, error.field], [code, field]);
    }
    assert.equal(
      (await api.refused(null, REPORT, { input: { target: anna.channel, reason: 'OTHER' } })).code,
      'UNAUTHENTICATED',
    );
  });
});
