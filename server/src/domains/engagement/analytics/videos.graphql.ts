import type { EntityRef, Graph } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS } from '../../../kernel/content-kinds.ts';
import { contentDid } from '../../catalog/index.ts';
import { contentSubject, qualitySql, retainedShare, retentionSql, videosSql } from './analytics.sql.ts';
import { clickThroughRate, metricValue } from './kpi.ts';
import { ANALYTICS_COST } from './numbers.graphql.ts';
import { declarePartFields, type PartFields, type PartTypes, type VideoMetric } from './part-fields.graphql.ts';
import { periodArgs } from './period.ts';
import { type RetentionRow, retentionCurve } from './retention-curve.ts';

interface Parts extends PartTypes {
  readonly CreatorAnalytics: EntityRef;
  readonly Content: EntityRef;
}

const SORTED_BY: Record<VideoMetric, string> = {
  VIEWS: 'period_views',
  WATCH_MINUTES: 'period_watch_ms',
  UNIQUE_VIEWERS: 'period_viewers',
  IMPRESSIONS: 'period_impressions',
  CLICKS: 'period_clicks',
};

/** Declares the analytics of a channel's contents: a list, and one in detail. Returns the fields of parts. */
export function declareVideos(graph: Graph, parts: Parts): PartFields {
  const VideoMetric = graph.builder.enumType('VideoMetric', {
    description: 'The metric that contents are sorted by.',
    values: {
      VIEWS: { description: 'Views.' },
      WATCH_MINUTES: { description: 'Minutes watched.' },
      UNIQUE_VIEWERS: { description: 'Distinct viewers.' },
      IMPRESSIONS: { description: 'Card impressions.' },
      CLICKS: { description: 'Clicks on these cards.' },
    } satisfies Record<VideoMetric, { description: string }>,
  });
  const VideoNumbers = declareVideoNumbers(graph, parts);
  const partFields = declarePartFields(graph, parts, VideoMetric as typeof parts.numbers.metric); // a subset
  const VideoAnalytics = declareVideoAnalytics(graph, parts, partFields);
  graph.extend(parts.CreatorAnalytics, (f) => ({
    contents: f.connection({
      type: VideoNumbers,
      description: 'All contents of the channel with their metrics, best first.',
      args: (t) => ({
        sort: t.field({
          type: VideoMetric,
          defaultValue: 'VIEWS' as const,
          description: 'The metric that decides the order.',
        }),
        ...periodArgs(t, parts.numbers.range),
      }),
      cost: ANALYTICS_COST.VIDEOS,
      from: videosSql,
      where: () => 'true',
      order: (child, args) => [
        `${child}.${SORTED_BY[(args.literal('sort') ?? 'VIEWS') as VideoMetric]}`,
        `${child}.id`,
      ], // the enum's values
      total: (s) => `counter_value('channel:contents', ${s.t}.id)`,
    }),
    content: f.one({
      type: VideoAnalytics,
      nullable: true,
      description: 'Analytics of one content of the channel; null if it is not a content of this channel.',
      args: (t) => ({ id: t.field({ type: 'DID', required: true, description: 'Id of the content.' }) }),
      on: (child, s, args) =>
        `${child}.id = ${args.id('id', CONTENT_DID_KINDS)} and ` +
        `${child}.channel_id = ${s.t}.id and ${child}.deleted_at is null`,
    }),
  }));
  return partFields;
}

function declareVideoNumbers(graph: Graph, { Content }: Parts): EntityRef {
  return graph.entity('VideoNumbers', {
    description: 'Metrics of a content in a period.',
    table: 'contents',
    fields: (f) => ({
      id: f.column({
        type: 'DID',
        description: 'Id of the content.',
        sql: (s) => [`${s.t}.kind`, `${s.t}.id`],
        read: contentDid,
      }),
      content: f.one({ type: Content, description: 'The content.', on: (child, s) => `${child}.id = ${s.t}.id` }),
      views: f.column({ type: 'BigInt', description: 'Views.', sql: (s) => `${s.t}.period_views` }),
      watchMinutes: f.column({
        type: 'Float',
        description: 'Minutes watched.',
        sql: (s) => `${s.t}.period_watch_ms`,
        read: ([ms]: [number]) => metricValue('WATCH_MINUTES', ms),
      }),
      uniqueViewers: f.column({
        type: 'BigInt',
        description: 'Distinct viewers.',
        sql: (s) => `${s.t}.period_viewers`,
      }),
      impressions: f.column({
        type: 'BigInt',
        description:
          'Impressions: how often its cards were shown, at least half visible for a second, once per page visit.',
        sql: (s) => `${s.t}.period_impressions`,
      }),
      clicks: f.column({ type: 'BigInt', description: 'Clicks on these cards.', sql: (s) => `${s.t}.period_clicks` }),
      clickThroughRate: f.column({
        type: 'Float',
        nullable: true,
        description: 'Clicks per impression; null without impressions.',
        sql: (s) => [`${s.t}.period_clicks`, `${s.t}.period_impressions`],
        read: ([clicks, impressions]: [number, number]) => clickThroughRate(clicks, impressions),
      }),
      retention: f.column({
        type: 'Float',
        nullable: true,
        description:
          'Share of its playbacks of all time that watched the given second, repetitions included; null without ' +
          'playbacks, and if it is shorter.',
        args: (t) => ({
          second: t.int({ required: true, defaultValue: 30, description: 'Second from its start; 0 for the first.' }),
        }),
        sql: (s, args) => retainedShare(s.t, args.param('second', 'int')),
      }),
    }),
  });
}

function declareVideoAnalytics(graph: Graph, { Content, numbers }: Parts, partFields: PartFields): EntityRef {
  const { range } = numbers;
  const Quality = declareQuality(graph);
  const Retention = declareRetention(graph);
  return graph.entity('VideoAnalytics', {
    description: 'Analytics of one content; of a series or season, those of its episodes together.',
    table: 'contents',
    fields: (f) => ({
      content: f.one({ type: Content, description: 'The content.', on: (child, s) => `${child}.id = ${s.t}.id` }),
      ...partFields(f, contentSubject),
      quality: f.column({
        type: Quality,
        description: 'Playback quality.',
        args: (t) => periodArgs(t, range),
        cost: ANALYTICS_COST.OVERVIEW,
        sql: (s, args) => qualitySql(s, args, contentSubject(s)),
        read: readQuality,
      }),
      retention: f.column({
        type: Retention,
        description: 'Audience retention: how many playbacks watched each second of it, of all time.',
        sql: (s) => retentionSql(`${s.t}.id`),
        read: ([row]: [RetentionRow]) => retentionCurve(row),
      }),
    }),
  });
}

function declareRetention(graph: Graph): EntityRef {
  const Point = graph.object('RetentionPoint', {
    description: 'One second of a content, or several.',
    fields: (f) => ({
      second: f.value({ type: 'Int', description: 'Start in seconds.' }),
      watching: f.value({
        type: 'Float',
        description: 'Number of playbacks that watched it, repetitions included; the mean if it has several seconds.',
      }),
      share: f.value({
        type: 'Float',
        nullable: true,
        description: 'The same per playback; null without playbacks. More than 1 if it is watched repeatedly.',
      }),
    }),
  });
  return graph.object('VideoRetention', {
    description: 'Audience retention of a content.',
    fields: (f) => ({
      plays: f.value({ type: 'BigInt', description: 'Playbacks of at least 3 seconds (or a tenth), all counted.' }),
      secondsPerPoint: f.value({ type: 'Int', description: 'Seconds per point: 1 up to 1,000 seconds.' }),
      points: f.value({
        type: [Point],
        description: 'At most 1,000 points, from the start to the last second ever watched.',
      }),
    }),
  });
}

function declareQuality(graph: Graph): EntityRef {
  return graph.object('PlaybackQuality', {
    description: 'Playback quality of a content in a period, as reported by players.',
    fields: (f) => ({
      plays: f.value({ type: 'BigInt', description: 'Playbacks of at least 3 seconds (or a tenth), all counted.' }),
      starts: f.value({ type: 'BigInt', description: 'Playbacks that started.' }),
      startupMs: f.value({
        type: 'Float',
        nullable: true,
        description: 'Mean start-up time, in milliseconds until the first frame; null if none was reported.',
      }),
      rebuffers: f.value({ type: 'BigInt', description: 'Number of interruptions to load.' }),
      rebufferRatio: f.value({
        type: 'Float',
        nullable: true,
        description: 'Share of the time in which playback was interrupted, 0 to 1; null if nothing was played.',
      }),
      errors: f.value({ type: 'BigInt', description: 'Failures.' }),
      completionRate: f.value({
        type: 'Float',
        nullable: true,
        description: 'Completed playbacks per started one; null if none started.',
      }),
    }),
  });
}

type QualityRow = Record<
  'plays' | 'starts' | 'startups' | 'startup_ms' | 'rebuffers' | 'rebuffer_ms' | 'watch_ms' | 'errors' | 'completes',
  number
>;

function readQuality([row]: [QualityRow]): Record<string, unknown> {
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  return {
    plays: row.plays,
    starts: row.starts,
    startupMs: share(row.startup_ms, row.startups),
    rebuffers: row.rebuffers,
    rebufferRatio: share(row.rebuffer_ms, row.rebuffer_ms + row.watch_ms),
    errors: row.errors,
    completionRate: share(row.completes, row.starts),
  };
}
