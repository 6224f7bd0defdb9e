import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { comment } from '../testing.ts';
import { type Cast, openCast } from './testing.ts';

const LIST =
  'query ($id: DID!, $filter: ChannelCommentFilter!, $first: Int, $after: String) { channel(id: $id) ' +
  '{ comments(filter: $filter, first: $first, after: $after) { totalCount edges { node { body } } ' +
  'pageInfo { hasNextPage endCursor } } } }';

interface Page {
  readonly totalCount: number;
  readonly edges: readonly { readonly node: { readonly body: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

describe('the comments of a channel, for its moderators', () => {
  let cast: Cast;
  let video: string;
  let other: string;
  before(async () => {
    cast = await openCast();
    const { api, anna, bert, cleo } = cast;
    [video, other] = [
      await api.content(anna, { status: 'PUBLISHED' }),
      await api.content(anna, { status: 'PUBLISHED', title: 'Another' }),
    ];
    const elsewhere = await api.content(bert, { status: 'PUBLISHED' });
    const answered = await comment(api, bert, video, 'Answered');
    await comment(api, cast.emil, video, 'The answer', answered);
    const open = await comment(api, bert, video, 'Open');
    await comment(api, cleo, video, 'Answered by a viewer', open);
    await comment(api, cleo, other, 'On another video');
    await comment(api, anna, other, 'By the channel');
    await comment(api, cleo, elsewhere, 'In another channel');
    const [held, rejected, deleted] = [
      await comment(api, bert, other, 'Held'),
      await comment(api, bert, other, 'Rejected'),
      await comment(api, bert, other, 'Deleted'),
    ];
    await api.ok(anna, 'mutation ($ids: [DID!]!) { holdComments(ids: $ids) { results { ok } } }', { ids: [held] });
    await api.ok(anna, 'mutation ($ids: [DID!]!) { rejectComments(ids: $ids) { results { ok } } }', {
      ids: [rejected],
    });
    await api.ok(bert, 'mutation ($id: DID!) { deleteComment(id: $id) { id } }', { id: deleted });
  });
  after(() => cast.api.close());

  const list = async (who: Person, filter: string, page: object = {}): Promise<Page | null> =>
    (await cast.api.ok(who, LIST, { id: cast.anna.channel, filter, ...page })).channel.comments;
  const ALL = ['Held', 'By the channel', 'On another video', 'Answered by a viewer', 'Open', 'The answer', 'Answered'];
  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['ALL', ALL],
    ['UNANSWERED', ['On another video', 'Answered by a viewer', 'Open']],
    ['HELD', ['Held']],
  ];
  for (const [filter, bodies] of lists) {
    it(`are listed by ${filter}, newest first, page by page`, async () => {
      const found: string[] = [];
      for (let after: string | null = null; ; ) {
        const { result, roundTrips } = await cast.api.counted(() => list(cast.emil, filter, { first: 2, after }));
        assert.ok(result);
        assert.deepEqual([roundTrips, result.totalCount], [1, bodies.length]);
        found.push(...result.edges.map(({ node }) => node.body));
        if (!result.pageInfo.hasNextPage) break;
        after = result.pageInfo.endCursor;
      }
      assert.deepEqual(found, bodies);
    });
  }

  it('are unanswered again once the answer is gone', async () => {
    const { api, anna } = cast;
    const question = await comment(api, cast.bert, video, 'Question');
    const answer = await comment(api, anna, video, 'Reply', question);
    const isOpen = async () =>
      (await list(anna, 'UNANSWERED'))?.edges.some(({ node }) => node.body === 'Question') ?? false;
    assert.equal(await isOpen(), false);
    await api.ok(anna, 'mutation ($id: DID!) { deleteComment(id: $id) { id } }', { id: answer });
    assert.equal(await isOpen(), true);
  });

  it('are for moderators only', async () => {
    for (const who of [cast.vera, cast.bert]) assert.equal(await list(who, 'ALL'), null);
  });

  it('are read from an index in order, where a channel has many', async () => {
    const { api, anna } = cast;
    await api.rows(
      `insert into comments (id, content_id, channel_id, account_id, body, created_at)
       select gen_random_uuid(), $1, $2, $3, 'Many', now() - n * interval '1 second' from generate_series(1, 5000) n`,
      [uuidOf(video), anna.channelId, anna.accountId],
    );
    await api.rows('analyze comments');
    const plan = await api.rows<{ 'QUERY PLAN': string }>(
      `explain select * from comments c where channel_id = '${anna.channelId}' and deleted_at is null
       and c.status in ('PUBLISHED', 'HELD') order by created_at desc, id desc limit 21`,
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(text, /Index Scan using comments_channel/);
    assert.doesNotMatch(text, /Sort/);
  });
});
