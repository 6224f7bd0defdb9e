import type { EntityRef, Graph } from '../../gql/index.ts';
import { sumOfContents } from './dashboard.sql.ts';

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
      sql: (s) => sumOfContents('content:likes', `${s.t}.id`),
    }),
    commentsCount: f.column({
      type: 'BigInt',
      description: 'Published comments on all contents, without the trash. Reads a counter of each content.',
      cost: COUNTERS_COST,
      sql: (s) => sumOfContents('content:comments', `${s.t}.id`),
    }),
    heldCommentsCount: f.column({
      type: 'Int',
      description: 'Comments held for review.',
      sql: (s) => `counter_value('channel:held', ${s.t}.id)`,
    }),
  }));
}
