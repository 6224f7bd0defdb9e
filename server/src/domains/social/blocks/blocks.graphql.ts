import type { ArgBuilder, EntityRef, FieldFactory, Graph } from '../../../gql/index.ts';
import { CHANNEL_CHANGE, mayInChannel } from '../../channels/index.ts';
import { blockUser, unblockUser } from './block-user.ts';

/** Declares the blocked accounts of a channel, and the mutations. */
export function declareBlocks(
  graph: Graph,
  { Node, Channel, Person }: { Node: EntityRef; Channel: EntityRef; Person: EntityRef },
): void {
  const BlockedUser = graph.entity('BlockedUser', {
    description: 'An account that cannot comment or like in a channel.',
    table: 'channel_blocks',
    interfaces: [Node],
    node: { kinds: ['block'], where: (child, s) => mayInChannel(s, `${child}.channel_id`, 'comment:moderate') },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the block.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('block', id),
      }),
      user: f.one({
        type: Person,
        description: 'The blocked account.',
        on: (child, s) => `${child}.id = ${s.t}.account_id`,
      }),
      blockedAt: f.column({
        type: 'DateTime',
        description: 'When the account was blocked.',
        sql: (s) => `${s.t}.created_at`,
      }),
    }),
  });
  graph.extend(Channel, (f) => ({
    blockedUsers: f.connection({
      type: BlockedUser,
      nullable: true,
      description: 'Blocked accounts, newest first; null unless the viewer moderates the channel.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id`,
      order: (child) => [`${child}.created_at`, `${child}.id`],
      total: (s) => `counter_value('channel:blocks', ${s.t}.id)`,
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'comment:moderate'),
    }),
  }));
  declareMutations(graph, Person);
}

function declareMutations(graph: Graph, Person: EntityRef): void {
  const payload = (f: FieldFactory) => ({
    ok: f.value({ type: 'Boolean', description: 'Always true: the mutation succeeded.' }),
    user: f.read({ type: Person, description: 'The account.' }),
    rejectedComments: f.value({ type: 'Int', description: 'Number of its comments that were rejected with it.' }),
  });
  const id = (t: ArgBuilder) =>
    t.field({ type: 'DID', required: true, description: 'Id of a channel that you moderate.' });
  const username = 'Username of the account.';
  const BlockUserInput = graph.builder.inputType('BlockUserInput', {
    description: 'An account, and what becomes of its comments.',
    fields: (t) => ({
      username: t.string({ required: true, description: username }),
      hideComments: t.boolean({
        required: true,
        defaultValue: false,
        description: 'Whether to reject its comments in the channel.',
      }),
    }),
  });
  const UnblockUserInput = graph.builder.inputType('UnblockUserInput', {
    description: 'A blocked account.',
    fields: (t) => ({ username: t.string({ required: true, description: username }) }),
  });
  graph.mutation('blockUser', {
    access: 'comment:moderate',
    policies: [CHANNEL_CHANGE],
    description: 'Blocks an account in a channel: it can no longer comment or like there. Idempotent.',
    payload,
    args: (t) => ({
      id: id(t),
      input: t.field({ type: BlockUserInput, required: true, description: 'The account.' }),
    }),
    command: (context, values) => blockUser(context, values),
  });
  graph.mutation('unblockUser', {
    access: 'comment:moderate',
    policies: [CHANNEL_CHANGE],
    description: 'Unblocks an account; its rejected comments stay rejected until they are approved. Idempotent.',
    payload,
    args: (t) => ({
      id: id(t),
      input: t.field({ type: UnblockUserInput, required: true, description: 'The account.' }),
    }),
    command: (context, values) => unblockUser(context, values),
  });
}
