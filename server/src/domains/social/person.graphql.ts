import type { EntityRef, Graph } from '../../gql/index.ts';

/** Declares the public view of an account. */
export function declarePerson(graph: Graph, Channel: EntityRef): EntityRef {
  return graph.entity('Person', {
    description: 'The public view of an account.',
    table: 'accounts',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: "Id of the account's own channel, like me.id.",
        sql: (s) => `${s.t}.primary_channel_id`,
        read: ([id]: [string], env) => env.did('channel', id),
      }),
      username: f.column({ type: 'String', description: 'Unique name of the account.', sql: (s) => `${s.t}.username` }),
      channel: f.one({
        type: Channel,
        description: "The account's own channel.",
        on: (child, s) => `${child}.id = ${s.t}.primary_channel_id`,
      }),
    }),
  });
}
