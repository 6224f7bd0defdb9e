import { countRows, type EntityRef, type FieldFactory, type Graph, type RowScope } from '../../../gql/index.ts';
import { contentDid } from '../../catalog/index.ts';
import type { PlaylistTypes } from '../../playlists/index.ts';
import {
  COLLECTION_SORTS,
  type CollectionSort,
  playlistListSql,
  playlistSubject,
  seriesListSql,
} from './collections.sql.ts';
import { metricValue } from './kpi.ts';
import { ANALYTICS_COST } from './numbers.graphql.ts';
import type { PartFields } from './part-fields.graphql.ts';
import { type AnalyticsRange, periodArgs } from './period.ts';

interface Parts {
  readonly CreatorAnalytics: EntityRef;
  readonly Content: EntityRef;
  readonly Playlist: PlaylistTypes['Playlist'];
  readonly range: AnalyticsRange;
  readonly partFields: PartFields;
}

/** Declares the analytics of a channel's series and playlists: lists, and one playlist in detail. */
export function declareCollections(graph: Graph, parts: Parts): void {
  const sort = graph.builder.enumType('CollectionMetric', {
    description: 'The metric that series and playlists are sorted by.',
    values: {
      VIEWS: { description: 'Views.' },
      WATCH_MINUTES: { description: 'Minutes watched.' },
    } satisfies Record<CollectionSort, { description: string }>,
  });
  const list = (f: FieldFactory, type: EntityRef, description: string, rows: Rows) =>
    f.connection({
      type,
      description,
      args: (t) => ({
        sort: t.field({
          type: sort,
          defaultValue: 'VIEWS' as const,
          description: 'The metric that decides the order.',
        }),
        ...periodArgs(t, parts.range),
      }),
      cost: ANALYTICS_COST.VIDEOS,
      from: rows.from,
      where: () => 'true',
      order: (child, args) => [
        `${child}.${COLLECTION_SORTS[(args.literal('sort') ?? 'VIEWS') as CollectionSort]}`, // the enum's values
        `${child}.id`,
      ],
      total: rows.total,
    });
  const SeriesNumbers = declareSeriesNumbers(graph, parts);
  const PlaylistNumbers = declarePlaylistNumbers(graph, parts);
  const PlaylistAnalytics = declarePlaylistAnalytics(graph, parts);
  graph.extend(parts.CreatorAnalytics, (f) => ({
    series: list(f, SeriesNumbers, 'All series with the sums of their episodes, best first; content has more.', {
      from: seriesListSql,
      total: (s) =>
        countRows(
          'contents',
          (row) =>
            `${row}.channel_id = ${s.t}.id and ${row}.kind in ('SERIES', 'MINISERIES') and ${row}.deleted_at is null`,
        ),
    }),
    playlists: list(f, PlaylistNumbers, "All playlists with the sums of the channel's videos in them, best first.", {
      from: playlistListSql,
      total: (s) => countRows('playlists', (row) => `${row}.channel_id = ${s.t}.id`),
    }),
    playlist: f.one({
      type: PlaylistAnalytics,
      nullable: true,
      description: 'Analytics of one playlist of the channel; null if it is not one of this channel.',
      args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the playlist.' }) }),
      on: (child, s, args) => `${child}.id = ${args.id('id', ['playlist'])} and ${child}.channel_id = ${s.t}.id`,
    }),
  }));
}

interface Rows {
  readonly from: typeof seriesListSql;
  readonly total: (s: RowScope) => string;
}

/** The sums of a collection. */
const sums = (f: FieldFactory) => ({
  videosCount: f.column({
    type: 'Int',
    description: 'Number of videos that are counted, without the trash.',
    sql: (s) => `${s.t}.period_videos`,
  }),
  views: f.column({ type: 'BigInt', description: 'Views of these videos.', sql: (s) => `${s.t}.period_views` }),
  watchMinutes: f.column({
    type: 'Float',
    description: 'Minutes watched of these videos.',
    sql: (s) => `${s.t}.period_watch_ms`,
    read: ([ms]: [number]) => metricValue('WATCH_MINUTES', ms),
  }),
});

function declareSeriesNumbers(graph: Graph, { Content }: Parts): EntityRef {
  return graph.entity('SeriesNumbers', {
    description: 'Metrics of the episodes of a series in a period.',
    table: 'contents',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the series.',
        sql: (s) => [`${s.t}.kind`, `${s.t}.id`],
        read: contentDid,
      }),
      content: f.one({ type: Content, description: 'The series.', on: (child, s) => `${child}.id = ${s.t}.id` }),
      ...sums(f),
    }),
  });
}

function declarePlaylistNumbers(graph: Graph, { Playlist }: Parts): EntityRef {
  return graph.entity('PlaylistNumbers', {
    description: "Metrics of the channel's videos in a playlist in a period, wherever they were watched.",
    table: 'playlists',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the playlist.',
        sql: (s) => `${s.t}.id`,
        read: ([id]: [string], env) => env.did('playlist', id),
      }),
      playlist: f.one({ type: Playlist, description: 'The playlist.', on: (child, s) => `${child}.id = ${s.t}.id` }),
      ...sums(f),
    }),
  });
}

function declarePlaylistAnalytics(graph: Graph, { Playlist, partFields }: Parts): EntityRef {
  return graph.entity('PlaylistAnalytics', {
    description: "Analytics of the channel's videos in a playlist together, wherever they were watched.",
    table: 'playlists',
    fields: (f) => ({
      playlist: f.one({ type: Playlist, description: 'The playlist.', on: (child, s) => `${child}.id = ${s.t}.id` }),
      ...partFields(f, playlistSubject),
    }),
  });
}
