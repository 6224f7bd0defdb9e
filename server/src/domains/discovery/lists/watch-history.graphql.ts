import type { ArgBuilder, EntityRef, FieldFactory, Graph } from '../../../gql/index.ts';
import { isOwn } from '../../accounts/index.ts';
import { type CatalogTypes, isVisibleContent } from '../../catalog/index.ts';
import type { ChannelTypes } from '../../channels/index.ts';
import { clearHistory, removeFromHistory } from './forget-watched.ts';
import { isWatched, watchedCount } from './watch-history.sql.ts';

/** Declares the watch history of the account and the mutations that clear it. */
export function declareWatchHistory(
  graph: Graph,
  { channels, catalog }: { channels: ChannelTypes; catalog: CatalogTypes },
): void {
  const WatchedContent = declareWatchedContent(graph, channels.Node, catalog.Content);
  graph.queryConnection('watchHistory', {
    access: 'account:read',
    type: WatchedContent,
    description:
      'Contents that the account watched, most recent first. Nothing is added while ' +
      'settings.keepHistory is false; earlier entries stay until they are removed.',
    where: isWatched,
    order: (child) => [`${child}.updated_at`, `${child}.content_id`],
    total: watchedCount,
  });
  const ok = (f: FieldFactory) =>
    f.value({ type: 'Boolean', description: 'Always true: the history is as requested.' });
  graph.mutation('removeFromHistory', {
    access: 'account:update',
    description: "Removes a content and its resume position from the account's history. Idempotent.",
    payload: (f) => ({
      ok: ok(f),
      content: f.read({
        type: catalog.Content,
        nullable: true,
        description: 'The content; null if the account may no longer see it.',
      }),
    }),
    args: (t: ArgBuilder) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) }),
    statement: removeFromHistory,
  });
  graph.mutation('clearHistory', {
    access: 'account:update',
    description: "Removes everything from the account's history. Idempotent.",
    payload: (f) => ({ ok: ok(f) }),
    statement: clearHistory,
  });
}

function declareWatchedContent(graph: Graph, Node: EntityRef, Content: EntityRef): EntityRef {
  return graph.entity('WatchedContent', {
    description: 'A content that the account watched, with its resume position.',
    table: 'watch_positions',
    key: 'content_id',
    interfaces: [Node],
    node: { kinds: ['watched'], where: (child, s) => `${isOwn(child, s)} and ${isWatched(child, s)}` },
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: "Id of the entry, for the account's own use.",
        sql: (s) => `${s.t}.content_id`,
        read: ([id]: [string], env) => env.did('watched', id),
      }),
      content: f.one({
        type: Content,
        nullable: true,
        description: 'The content; null if the account may no longer see it.',
        on: (child, s) => `${child}.id = ${s.t}.content_id and ${isVisibleContent(child, s)}`,
      }),
      positionMs: f.column({
        type: 'Int',
        description: 'Resume position, in milliseconds from the beginning.',
        sql: (s) => `${s.t}.position_ms`,
      }),
      durationMs: f.column({
        type: 'Int',
        nullable: true,
        description: 'Length of the content at that time, in milliseconds; null if it was unknown.',
        sql: (s) => `${s.t}.duration_ms`,
      }),
      completed: f.column({
        type: 'Boolean',
        description: 'Whether it was ever watched to the end, or almost.',
        sql: (s) => `${s.t}.completed`,
      }),
      watchedAt: f.column({
        type: 'DateTime',
        description: 'When it was last watched.',
        sql: (s) => `${s.t}.updated_at`,
      }),
    }),
  });
}
