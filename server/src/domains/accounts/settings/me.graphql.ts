import type { EntityRef, Graph } from '../../../gql/index.ts';

/** Declares `me`. Higher domains add their fields: the account's channel, its uploads. */
export function declareMe(graph: Graph, Subscription: EntityRef): EntityRef {
  const Me = graph.part('Me', {
    description: 'The account that makes the request.',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: "Id of the account's own channel.",
        sql: (s) => `${s.t}.channel_id`,
        read: ([id]: [string], env) => env.did('channel', id),
      }),
      username: f.column({
        type: 'String',
        description: 'Unique name; it was also the handle of the channel when it was created.',
        sql: (s) => `${s.t}.username`,
      }),
      email: f.column({
        type: 'String',
        description: 'Email address the account signs in with.',
        sql: (s) => `${s.t}.email`,
      }),
      referralCode: f.column({
        type: 'String',
        nullable: true,
        description: 'Always null: the platform has no referral programme.',
        sql: () => 'null::text',
      }),
      subscription: f.one({
        type: Subscription,
        description: 'Plan and state of the account.',
        on: (child, s) => `${child}.account_id = ${s.t}.account_id`,
      }),
    }),
  });
  graph.queryViewer('me', {
    type: Me,
    access: 'account:read',
    description: 'The account behind the API key or session.',
  });
  return Me;
}
