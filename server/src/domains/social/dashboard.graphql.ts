import type { EntityRef, Graph, RowScope } from '../../gql/index.ts';

/** A counter is read for each content of the channel. */
const COUNTERS_COST = [{ points: 25 }];

/** Adds followers, likes and comments to the dashboard of a channel. */
export function declareSocialDashboard(graph: Graph, ChannelDashboard: EntityRef): void {
  graph.extend(ChannelDashboard, (f) => ({
    followersCount: f.column({
      type: 'Int',
      description: 'Number of followers.',
      sql: (s) => `counter_value('channel:followers', ${s.t}.id)`,
    }),
    likesCount: f.column({
      type: 'BigInt',
      description: 'Likes of all contents, without the trash. Reads a counter of each content.',
      cost: COUNTERS_COST,
      sql: ofContents('content:likes'),
    }),
    commentsCount: f.column({
      type: 'BigInt',
      description: 'Published comments on all contents, without the trash. Reads a counter of each content.',
      cost: COUNTERS_COST,
      sql: ofContents('content:comments'),
    }),
    heldCommentsCount: f.column({
      type: 'Int',
      description: 'Comments held for review.',
      sql: (s) => `counter_value('channel:held', ${s.t}.id)`,
    }),
  }));
}

/** SQL: the sum of the counters of the channel's contents. */
function ofContents(scope: string): (s: RowScope) => string {
  return (s) => `(select coalesce(sum(k.value), 0)::bigint from contents c join counters k on k.scope = '${scope}'
    and k.key = c.id
    where c.channel_id = ${s.t}.id and c.deleted_at is null)`;
}
