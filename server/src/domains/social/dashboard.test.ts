import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTestCatalog, type Person, type TestCatalog } from '../catalog/testing.ts';
import { comment } from './testing.ts';

const DASHBOARD = '{ channelDashboard(input: {}) { followersCount likesCount commentsCount heldCommentsCount } }';

describe('dashboard totals of likes, comments and followers', () => {
  let api: TestCatalog;
  let anna: Person;
  let bert: Person;
  before(async () => {
    api = await openTestCatalog();
    [anna, bert] = [await api.person('anna'), await api.person('bert')];
  });
  after(() => api.close());

  it('sum the contents of this channel outside the trash', async () => {
    const ids = [await api.content(anna, { status: 'PUBLISHED' }), await api.content(anna, { status: 'PUBLISHED' })];
    const foreign = await api.content(bert, { status: 'PUBLISHED' });
    for (const id of [...ids, foreign]) {
      await api.ok(bert, 'mutation ($id: DID!) { likeContent(id: $id) { id } }', { id });
      await comment(api, bert, id);
    }
    await api.ok(anna, 'mutation ($id: DID!) { likeContent(id: $id) { id } }', { id: ids[0] });
    const held = await comment(api, bert, ids[0] ?? '');
    await api.ok(anna, 'mutation ($ids: [DID!]!) { holdComments(ids: $ids) { results { ok } } }', { ids: [held] });
    await api.ok(bert, 'mutation ($channel: DID!) { followChannel(channel: $channel) { ok } }', {
      channel: anna.channel,
    });
    assert.deepEqual((await api.ok(anna, DASHBOARD)).channelDashboard, {
      followersCount: 1,
      likesCount: 3,
      commentsCount: 2,
      heldCommentsCount: 1,
    });
    await api.ok(anna, 'mutation ($id: DID!) { deleteContent(id: $id) { id } }', { id: ids[0] });
    const { likesCount, commentsCount } = (await api.ok(anna, DASHBOARD)).channelDashboard;
    assert.deepEqual([likesCount, commentsCount], [1, 1]);
  });
});
