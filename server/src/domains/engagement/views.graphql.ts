import type { EntityRef, Graph } from '../../gql/index.ts';
import type { CatalogTypes } from '../catalog/index.ts';
import { viewersNow } from './viewers-now.sql.ts';

/** Declares view counts and playback positions of contents. */
export function declareViews(graph: Graph, { Content }: CatalogTypes): void {
  const WatchPosition = declareWatchPosition(graph);
  const Viewable = graph.interface('Viewable', {
    description: 'A content that can be viewed.',
    fields: (f) => ({
      viewCount: f.field({ type: 'BigInt', description: 'Number of views.' }),
    }),
  });
  graph.extend(
    Content,
    (f) => ({
      viewCount: f.column({
        type: 'BigInt',
        description:
          'Number of views: playbacks of at least 3 seconds (or a ' +
          'tenth); those of one viewer within 30 minutes count once.',
        sql: (s) => `counter_value('content:views', ${s.t}.id)`,
      }),
      watchPosition: f.one({
        type: WatchPosition,
        nullable: true,
        description: "Resume position of the viewer's account; null if there is none, or the account keeps no history.",
        on: (child, s) => `${child}.content_id = ${s.t}.id and ${child}.account_id = ${s.viewer}.account_id`,
      }),
    }),
    [Viewable],
  );
}

/** Declares how many people watch a broadcast. */
export function declareViewersNow(graph: Graph, Broadcast: EntityRef): void {
  graph.extend(Broadcast, (f) => ({
    viewers: f.column({
      type: 'Int',
      nullable: true,
      description:
        'How many players show it now, by what they report every ten seconds; null once it has ended. Viewers who do ' +
        'not want to be counted are not.',
      sql: (s) => viewersNow(s.t, s),
    }),
  }));
}

function declareWatchPosition(graph: Graph): EntityRef {
  return graph.entity('WatchPosition', {
    description: 'Resume position of an account in a content.',
    table: 'watch_positions',
    key: 'content_id',
    fields: (f) => ({
      positionMs: f.column({
        type: 'Int',
        description: 'Position in milliseconds.',
        sql: (s) => `${s.t}.position_ms`,
      }),
      watchedMs: f.column({
        type: 'BigInt',
        description: 'Milliseconds watched so far, including repeats.',
        sql: (s) => `${s.t}.watched_ms`,
      }),
      completed: f.column({
        type: 'Boolean',
        description: 'Whether it was ever watched to the end, or almost.',
        sql: (s) => `${s.t}.completed`,
      }),
      updatedAt: f.column({
        type: 'DateTime',
        description: 'When it was last watched.',
        sql: (s) => `${s.t}.updated_at`,
      }),
    }),
  });
}
