import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { CHANNEL_CHANGE, mayInChannel } from '../../channels/index.ts';
import { blockUser, unblockUser } from './block-user.ts';

/** Declares who is blocked in a channel, and the mutations. */
export function declareBlocks(graph: Graph, { Node, Channel, Person }: { Node: EntityRef; Channel: EntityRef; Person: EntityRef }): void {
  const BlockedUser = graph.entity('BlockedUser', {
    description: 'An account that cannot comment or like in a channel.',
    table: 'channel_blocks',
    interfaces: [Node],
    node: { kinds: ['block'], where: (child, s) => mayInChannel(s, `${child}.channel_id`, 'comment:moderate') },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Identifier of the block.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('block', id),
      }),
      user: f.one({ type: Person, description: 'Who is blocked.', on: (child, s) => `${child}.id = ${s.t}.account_id` }),
      blockedAt: f.column({ type: 'DateTime', description: 'Since when.', sql: (s) => `${s.t}.created_at` }),
    }),
  });
  graph.extend(Channel, (f) => ({
    blockedUsers: f.connection({
      type: BlockedUser,
      nullable: true,
      description: 'Who is blocked in the channel, the latest first; null for anyone who does not moderate it.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id`,
      order: (child) => [`${child}.created_at`, `${child}.id`],
      total: (s) => `counter_value('channel:blocks', ${s.t}.id)`,
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'comment:moderate'),
    }),
  }));
  const BlockUserPayload = graph.object('BlockUserPayload', {
    description: 'The answer to blocking an account or no more.',
    fields: (f) => ({
      ok: f.value({ type: 'Boolean', description: 'True: it is as it was asked for.' }),
      user: f.read({ type: Person, description: 'The account.' }),
      rejectedComments: f.value({ type: 'Int', description: 'How many of its comments were rejected along with it.' }),
    }),
  });
  const args = (t: ArgBuilder) => ({
    channel: t.field({ type: 'DID', required: true, description: 'Identifier of a channel that you moderate.' }),
    username: t.string({ required: true, description: 'Name of the account.' }),
  });
  graph.mutation('blockUser', {
    access: 'comment:moderate',
    policies: [CHANNEL_CHANGE],
    description: 'Blocks an account in a channel: it cannot comment or like there any more. Repeating it changes nothing.',
    payload: BlockUserPayload,
    args: (t) => ({
      ...args(t),
      hideComments: t.boolean({ required: true, defaultValue: false, description: 'Whether to reject what it wrote in the channel.' }),
    }),
    command: (context, values) => blockUser(context, values),
  });
  graph.mutation('unblockUser', {
    access: 'comment:moderate',
    policies: [CHANNEL_CHANGE],
    description:
      'Lifts the block of an account; its rejected comments stay rejected until they are approved. Repeating it changes nothing.',
    payload: BlockUserPayload,
    args,
    command: (context, values) => unblockUser(context, values),
  });
}
