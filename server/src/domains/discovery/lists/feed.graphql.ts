import type { EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_LISTINGS, listedCountOf, withContents } from '../content-listings.sql.ts';
import { followedChannels } from './feed.sql.ts';

/** Declares `feed`: reads a page of the index of each followed channel with recent contents, and merges the pages. */
export function declareFeed(graph: Graph, Content: EntityRef): void {
  graph.queryConnection('feed', {
    access: 'content:read',
    type: Content,
    description: 'Published, public contents of the channels that the account follows, latest publication first.',
    from: CONTENT_LISTINGS,
    complete: withContents,
    within: {
      of: followedChannels,
      on: (child, channel) => `${child}.listed_channel_id = ${channel}`,
      many: true,
    },
    where: () => 'true',
    order: (child) => [`${child}.listed_published_at`, `${child}.listed_id`],
    total: (s) => listedCountOf(followedChannels(s)),
  });
}
