import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { deletions } from '../../../kernel/key-budgets.ts';
import { type ChannelTypes, mayInChannel } from '../../channels/index.ts';
import { PURGE, purgeContent } from './purge-contents.ts';
import { purgeAt, TRASH_DAYS } from './trash.policy.ts';
import { deleteContent, restoreContent } from './trash-commands.ts';

/** Declares what is in a channel's trash, and how contents get there, back, and away. */
export function declareTrash(graph: Graph, { Channel }: Pick<ChannelTypes, 'Channel'>, Content: EntityRef): void {
  graph.extend(Content, (f) => ({
    deletedAt: f.column({
      type: 'DateTime',
      nullable: true,
      description: 'When it was put into the trash; null for what is not there.',
      sql: (s) => `${s.t}.deleted_at`,
    }),
    purgeAt: f.column({
      type: 'DateTime',
      nullable: true,
      description: `When it will be deleted for good, ${TRASH_DAYS} days after deletedAt; null for what is not in the trash.`,
      sql: (s) => purgeAt(s.t),
    }),
  }));
  graph.extend(Channel, (f) => ({
    trash: f.connection({
      type: Content,
      nullable: true,
      description:
        'What was deleted and can still be restored, the latest deleted first; what went with its series or season is not listed apart. Its media cannot be played. Null for all but members who may delete content.',
      where: (child, s) => `${child}.channel_id = ${s.t}.id and ${child}.deleted_at is not null and ${child}.trashed_with is null`,
      order: (child) => [`${child}.deleted_at`, `${child}.id`],
      total: (s) => `counter_value('channel:trash', ${s.t}.id)`,
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'content:delete'),
    }),
  }));
  declareTrashMutations(graph, Content);
}

function declareTrashMutations(graph: Graph, Content: EntityRef): void {
  const args = (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }) });
  graph.mutation('deleteContent', {
    access: 'content:delete',
    spends: () => deletions(1),
    description: `Puts a content of your own, in any state, and what it contains into the trash: nobody can find or play it any more, and its planned publication is cancelled. It can be restored for ${TRASH_DAYS} days; then it is deleted for good. Repeating it changes nothing.`,
    payload: graph.object('DeleteContentPayload', {
      description: 'What was deleted.',
      fields: (f) => ({ id: f.value({ type: 'DID', description: 'Identifier of the content.' }) }),
    }),
    args,
    statement: deleteContent,
  });
  graph.mutation('restoreContent', {
    access: 'content:delete',
    description:
      'Takes a content of your own out of the trash, with what went there together with it. It comes back in the state it was in: what was published is published again; a planned publication stays cancelled, and a season or episode whose number was given away comes after the last. Repeating it changes nothing.',
    payload: Content,
    args,
    statement: restoreContent,
  });
  graph.mutation('purgeContent', {
    access: 'content:delete',
    policies: [PURGE],
    spends: () => deletions(1),
    description:
      'Deletes a content of your own that is in the trash for good, with what it contains and all media. There is no way back. Where very many people left something at it, the event content.purged comes minutes later.',
    payload: graph.object('PurgeContentPayload', {
      description: 'What was deleted for good.',
      fields: (f) => ({ id: f.value({ type: 'DID', description: 'Identifier of the content.' }) }),
    }),
    args,
    command: purgeContent,
  });
}
