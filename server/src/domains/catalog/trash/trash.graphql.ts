import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { deletions } from '../../../kernel/key-budgets.ts';
import { type ChannelTypes, mayInChannel } from '../../channels/index.ts';
import { PURGE, purgeContent } from './purge-contents.ts';
import { deletionAt, TEST_DATA_HOURS, TRASH_DAYS } from './trash.policy.ts';
import { deleteContent, restoreContent } from './trash-commands.ts';

/** Declares a channel's trash, and the mutations that delete, restore and purge contents. */
export function declareTrash(graph: Graph, { Channel }: Pick<ChannelTypes, 'Channel'>, Content: EntityRef): void {
  graph.extend(Content, (f) => ({
    deletedAt: f.column({
      type: 'DateTime',
      nullable: true,
      description: 'When it was moved to the trash; null if it is not there.',
      sql: (s) => `${s.t}.deleted_at`,
    }),
    purgeAt: f.column({
      type: 'DateTime',
      nullable: true,
      description:
        `When it will be deleted permanently: ${TRASH_DAYS} days after deletedAt, in a test channel at the latest ` +
        `${TEST_DATA_HOURS} hours after createdAt; null if neither applies.`,
      sql: (s) => deletionAt(s.t),
    }),
  }));
  graph.extend(Channel, (f) => ({
    trash: f.connection({
      type: Content,
      nullable: true,
      description:
        'Deleted contents that can still be restored, latest deletion first; contents that were ' +
        'deleted with their series or season are not listed separately. Their media cannot be ' +
        'played. Null unless the viewer may delete contents of the channel.',
      where: (child, s) =>
        `${child}.channel_id = ${s.t}.id and ${child}.deleted_at is not null and ${child}.trashed_with is null`,
      order: (child) => [`${child}.deleted_at`, `${child}.id`],
      total: (s) => `counter_value('channel:trash', ${s.t}.id)`,
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'content:delete'),
    }),
  }));
  declareTrashMutations(graph, Channel, Content);
}

function declareTrashMutations(graph: Graph, Channel: EntityRef, Content: EntityRef): void {
  const args = (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) });
  graph.mutation('deleteContent', {
    access: 'content:delete',
    charges: () => deletions(1),
    description:
      'Moves a content of yours, in any state, to the trash with everything it contains: it can no ' +
      'longer be found or played, and its scheduled publication is cancelled. It can be restored ' +
      `for ${TRASH_DAYS} days; then it is deleted permanently. Idempotent.`,
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the content.' }),
      channel: f.read({ type: Channel, description: 'The channel, whose numbers have changed.' }),
    }),
    args,
    statement: deleteContent,
  });
  graph.mutation('restoreContent', {
    access: 'content:delete',
    description:
      'Restores a content of yours from the trash, with everything that was deleted together with it. It ' +
      'returns to its earlier state: a published one is published again; a scheduled publication stays ' +
      'cancelled, and a season or episode whose number is taken comes last. Idempotent.',
    payload: (f) => ({ content: f.read({ type: Content, description: 'The content.' }) }),
    args,
    statement: restoreContent,
  });
  graph.mutation('purgeContent', {
    access: 'content:delete',
    policies: [PURGE],
    charges: () => deletions(1),
    description:
      'Permanently deletes a content of yours that is in the trash, with everything it contains and all media. ' +
      'This cannot be undone. With very many likes or comments the event content.purged follows minutes later.',
    payload: (f) => ({
      id: f.value({ type: 'DID', description: 'Id of the content.' }),
      channel: f.read({ type: Channel, description: 'The channel, whose numbers have changed.' }),
    }),
    args,
    command: purgeContent,
  });
}
