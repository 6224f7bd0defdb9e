import type { ArgBuilder, EntityRef, Graph } from '../../gql/index.ts';
import { isMember } from '../channels/index.ts';
import { FOLLOWED_CHANNELS, FOLLOWERS, isFollowed } from './follows.sql.ts';
import { followCommand } from './follows.ts';

/** Declares follows: fields of channels and of the viewer, and the mutations. */
export function declareFollows(graph: Graph, { Channel, Me }: { Channel: EntityRef; Me: EntityRef }): void {
  const Followable = graph.interface('Followable', {
    description: 'An object that can be followed.',
    fields: (f) => ({
      id: f.field({ type: 'DID', description: 'Id.' }),
      followersCount: f.field({ type: 'Int', description: 'Number of followers.' }),
      isFollowed: f.field({ type: 'Boolean', description: 'Whether the viewer follows it; false without an account.' }),
    }),
  });
  graph.extend(
    Channel,
    (f) => ({
      followersCount: f.column({
        type: 'Int',
        description: 'Number of followers.',
        sql: (s) => `counter_value('channel:followers', ${s.t}.id)`,
      }),
      isFollowed: f.column({
        type: 'Boolean',
        description: 'Whether the viewer follows the channel; false without an account.',
        sql: (s) => isFollowed(`${s.t}.id`, s),
      }),
      followers: f.connection({
        type: Channel,
        nullable: true,
        description:
          'The own channels of the accounts that follow the channel, ' +
          'newest follower first; null unless the viewer is a member.',
        from: FOLLOWERS,
        where: (child, s) => `${child}.follows_id = ${s.t}.id`,
        order: (child) => [`${child}.followed_at`, `${child}.id`],
        total: (s) => `counter_value('channel:followers', ${s.t}.id)`,
        visibleIf: (s) => isMember(s, `${s.t}.id`),
      }),
    }),
    [Followable],
  );
  graph.extend(Me, (f) => ({
    followedChannels: f.connection({
      type: Channel,
      description: 'Channels that the account follows, latest follow first.',
      from: FOLLOWED_CHANNELS,
      where: (child, s) => `${child}.follower_id = ${s.t}.account_id`,
      order: (child) => [`${child}.followed_at`, `${child}.id`],
      total: (s) => `counter_value('account:follows', ${s.t}.account_id)`,
    }),
  }));
  declareFollowing(graph, Channel);
}

function declareFollowing(graph: Graph, Channel: EntityRef): void {
  const channel = (t: ArgBuilder) => ({
    channel: t.field({ type: 'DID', required: true, description: 'Id of the channel.' }),
  });
  for (const action of ['follow', 'unfollow'] as const) {
    graph.mutation(`${action}Channel`, {
      access: 'follow:manage',
      description:
        action === 'follow'
          ? 'Follows a channel: its publications appear in the feed. Idempotent. Not possible for your own channels.'
          : 'Unfollows a channel. Idempotent.',
      payload: (f) => ({
        ok: f.value({ type: 'Boolean', description: 'Always true: the mutation succeeded.' }),
        channel: f.read({ type: Channel, description: 'The channel.' }),
      }),
      args: channel,
      statement: followCommand(action),
    });
  }
}
