import type { ArgBuilder, EntityRef, Graph } from '../../../gql/index.ts';
import { type CatalogTypes, isVisibleContent } from '../../catalog/index.ts';
import type { ChannelTypes } from '../../channels/index.ts';
import { clearHistory, removeFromHistory } from './forget-watched.ts';

/** Declares what the account watched and where it stopped, and how to forget it. */
export function declareWatchHistory(graph: Graph, { channels, catalog }: { channels: ChannelTypes; catalog: CatalogTypes }): void {
  const WatchedContent = declareWatchedContent(graph, channels.Node, catalog.Content);
  graph.queryConnection('watchHistory', {
    access: 'account:read',
    type: WatchedContent,
    description:
      'What the account watched, the latest watched first. Nothing is added while settings.keepHistory is false; what was there before stays until it is removed.',
    where: (child, s) => `${child}.account_id = ${s.viewer}.account_id`,
    order: (child) => [`${child}.updated_at`, `${child}.content_id`],
    total: (s) => `counter_value('account:history', ${s.viewer}.account_id)`,
  });
  const WatchHistoryPayload = graph.object('WatchHistoryPayload', {
    description: 'The answer to forgetting what was watched.',
    fields: (f) => ({ ok: f.value({ type: 'Boolean', description: 'True: it is as it was asked for.' }) }),
  });
  graph.mutation('removeFromHistory', {
    access: 'account:update',
    description: "Removes a content, and where watching stopped, from the account's history. Repeating it changes nothing.",
    payload: WatchHistoryPayload,
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Identifier of the content.' }) }),
    statement: removeFromHistory,
  });
  graph.mutation('clearHistory', {
    access: 'account:update',
    description: "Removes everything from the account's history. Repeating it changes nothing.",
    payload: WatchHistoryPayload,
    statement: clearHistory,
  });
}

function declareWatchedContent(graph: Graph, Node: EntityRef, Content: EntityRef): EntityRef {
  return graph.entity('WatchedContent', {
    description: 'A content that the account watched, with the place where it stopped.',
    table: 'watch_positions',
    key: 'content_id',
    interfaces: [Node],
    node: { kinds: ['watched'], where: (child, s) => `${child}.account_id = ${s.viewer}.account_id` },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: "Identifier of the entry, for the account's own use.",
        sql: (s) => `${s.t}.content_id`,
        read: ([id]: [string], env) => env.did('watched', id),
      }),
      content: f.one({
        type: Content,
        nullable: true,
        description: 'What was watched; null where the account may not see it any more.',
        on: (child, s) => `${child}.id = ${s.t}.content_id and ${isVisibleContent(child, s)}`,
      }),
      position: f.column({
        type: 'Float',
        description: 'Where watching stopped, in seconds from the beginning.',
        sql: (s) => `${s.t}.position_ms / 1000.0::float8`,
      }),
      duration: f.column({
        type: 'Float',
        nullable: true,
        description: 'How long the content was then, in seconds; null where it was not known.',
        sql: (s) => `${s.t}.duration_ms / 1000.0::float8`,
      }),
      completed: f.column({
        type: 'Boolean',
        description: 'Whether it was ever watched to (almost) the end.',
        sql: (s) => `${s.t}.completed`,
      }),
      watchedAt: f.column({ type: 'DateTime', description: 'When it was last watched.', sql: (s) => `${s.t}.updated_at` }),
    }),
  });
}
