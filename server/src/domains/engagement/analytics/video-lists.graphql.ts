import type { EntityRef, Graph, RequestEnv } from '../../../gql/index.ts';
import { CONTENT_KINDS, type ContentKind } from '../../../kernel/content-kinds.ts';
import { knownCountry, metricValue, type OverviewRow, overviewOf } from './kpi.ts';
import { channelFields, type NumberTypes } from './number-types.graphql.ts';
import { ANALYTICS_COST, type AudienceRow, breakdownsOf } from './numbers.graphql.ts';
import { cursorOf, MAX_PAGE } from './page-arguments.ts';
import { periodArgs } from './period.ts';
import { type Sort, USUAL_PAGE, videoListSql, videoSql } from './video-lists.sql.ts';

interface Parts {
  readonly CreatorAnalytics: EntityRef;
  readonly numbers: NumberTypes;
}

/** Declares `videos` and `video` of analytics: the numbers of contents as flat objects, without the contents. */
export function declareVideoLists(graph: Graph, parts: Parts): void {
  const { range } = parts.numbers;
  const sort = graph.builder.enumType('CreatorVideoSort', {
    description: 'What contents are sorted by, the highest or latest first.',
    values: {
      VIEWS: { description: 'Views in the period.' },
      WATCH_MINUTES: { description: 'Minutes watched in the period.' },
      UNIQUE_VIEWERS: { description: 'Distinct viewers in the period.' },
      LIKES: { description: 'Likes, of all time.' },
      COMMENTS: { description: 'Comments, of all time.' },
      RELEASE_DATE: { description: 'When it was or will be published, or else created.' },
    } satisfies Record<Sort, { description: string }>,
  });
  const Videos = declareList(graph);
  const Detail = declareDetail(graph, parts.numbers);
  graph.extend(parts.CreatorAnalytics, (f) => ({
    videos: f.column({
      type: Videos,
      description: 'All contents of the channel with their numbers as flat objects; contents pages as a connection.',
      args: (t) => ({
        ...periodArgs(t, range),
        sort: t.field({ type: sort, defaultValue: 'VIEWS' as const, description: 'The order.' }),
        first: t.int({ defaultValue: USUAL_PAGE, description: `Page size, 1 to ${MAX_PAGE}.` }),
        after: t.string({ description: 'nextCursor of the page before.' }),
      }),
      cost: [{ points: ANALYTICS_COST.VIDEOS[0].points + USUAL_PAGE }],
      sql: videoListSql,
      read: readVideoList,
    }),
    video: f.column({
      type: Detail,
      nullable: true,
      description: 'The numbers of one content; null if it is not a content of this channel. content has more.',
      args: (t) => ({
        contentLrn: t.field({ type: 'DID', required: true, description: 'Id of the content.' }),
        ...periodArgs(t, range),
      }),
      cost: ANALYTICS_COST.AUDIENCE,
      sql: videoSql,
      read: readVideo,
    }),
  }));
}

function declareList(graph: Graph): EntityRef {
  const Item = graph.object('CreatorVideoListItem', {
    description: 'A content with its numbers in a period.',
    fields: (f) => ({
      contentLrn: f.value({ type: 'DID', description: 'Id of the content.' }),
      contentUuid: f.value({ type: 'String', description: 'The last part of its id.' }),
      contentType: f.value({ type: 'String', description: 'Its ContentKind.' }),
      title: f.value({ type: 'String', description: 'Its title.' }),
      releaseDate: f.value({
        type: 'DateTime',
        nullable: true,
        description: 'When it was or will be published; null if no date is known.',
      }),
      views: f.value({ type: 'BigInt', description: 'Views.' }),
      watchMinutes: f.value({ type: 'Float', description: 'Minutes watched.' }),
      uniqueViewers: f.value({ type: 'BigInt', description: 'Distinct viewers.' }),
      avgWatchSecondsPerView: f.value({
        type: 'Float',
        nullable: true,
        description: 'Seconds watched per view; null without views.',
      }),
      likes: f.value({ type: 'Int', description: 'Likes, of all time.' }),
      comments: f.value({ type: 'Int', description: 'Published comments, of all time.' }),
      topCountry: f.value({ type: 'String', nullable: true, description: 'The country with most views.' }),
      topDevice: f.value({ type: 'String', nullable: true, description: 'The kind of device with most views.' }),
    }),
  });
  return graph.object('CreatorVideosPage', {
    description: 'A page of contents with their numbers.',
    fields: (f) => ({
      items: f.value({
        type: [Item],
        description: `The contents of this page, at most ${MAX_PAGE}, in order; contents pages through all.`,
      }),
      totalCount: f.value({ type: 'Int', description: 'Number of contents of the channel, without the trash.' }),
      nextCursor: f.value({ type: 'String', nullable: true, description: 'For the next page; null on the last one.' }),
    }),
  });
}

function declareDetail(graph: Graph, { kpi, days, point, shares }: NumberTypes): EntityRef {
  return graph.object('CreatorVideoDetail', {
    description: 'The numbers of a content in a period.',
    fields: (f) => ({
      contentLrn: f.value({ type: 'DID', description: 'Id of the content.' }),
      contentUuid: f.value({ type: 'String', description: 'The last part of its id.' }),
      contentType: f.value({ type: 'String', description: 'Its ContentKind.' }),
      title: f.value({ type: 'String', description: 'Its title.' }),
      shortTitle: f.value({ type: 'String', description: 'The same as title.' }),
      summary: f.value({ type: 'String', description: 'Its description.' }),
      durationSeconds: f.value({ type: 'Float', nullable: true, description: 'Its length; null until it is known.' }),
      releaseDate: f.value({
        type: 'DateTime',
        nullable: true,
        description: 'When it was or will be published; null if no date is known.',
      }),
      ...channelFields(f),
      range: f.value({ type: days, description: 'The days of the period.' }),
      previousRange: f.value({ type: days, description: 'The days of the previous period.' }),
      views: f.value({ type: kpi, description: 'Views.' }),
      watchMinutes: f.value({ type: kpi, description: 'Minutes watched.' }),
      uniqueViewers: f.value({ type: kpi, description: 'Distinct viewers.' }),
      avgWatchSecondsPerView: f.value({
        type: 'Float',
        nullable: true,
        description: 'Seconds watched per view; null without views.',
      }),
      likes: f.value({ type: 'Int', description: 'Likes, of all time.' }),
      comments: f.value({ type: 'Int', description: 'Published comments, of all time.' }),
      dailyViews: f.value({ type: [point], description: 'Views, one for each day, oldest first.' }),
      dailyWatchMinutes: f.value({ type: [point], description: 'Minutes watched, one for each day, oldest first.' }),
      byCountry: f.value({ type: [shares.country], description: 'The audience by country, at most 250.' }),
      byDevice: f.value({ type: [shares.device], description: 'The audience, one for each kind of device.' }),
    }),
  });
}

interface ContentRow {
  readonly id: string;
  readonly kind: ContentKind;
  readonly title: string;
  readonly releaseDate: string | null;
  readonly likes: number;
  readonly comments: number;
}

interface ItemRow extends ContentRow {
  readonly views: number;
  readonly watchMs: number;
  readonly viewers: number;
  readonly topCountry?: string | null;
  readonly topDevice?: string | null;
}

function readVideoList(
  [{ next, items, total }]: [
    { readonly next: number | null; readonly items: readonly ItemRow[]; readonly total?: number },
  ],
  env: RequestEnv,
): Record<string, unknown> {
  return {
    nextCursor: next === null ? null : cursorOf(next),
    totalCount: total,
    items: items.map((row) => ({
      ...contentOf(row, env),
      views: row.views,
      watchMinutes: metricValue('WATCH_MINUTES', row.watchMs),
      uniqueViewers: row.viewers,
      avgWatchSecondsPerView: secondsPerView(row.watchMs, row.views),
      topCountry: knownCountry(row.topCountry),
      topDevice: row.topDevice ?? null,
    })),
  };
}

function contentOf({ id, kind, title, releaseDate, likes, comments }: ContentRow, env: RequestEnv) {
  return {
    contentLrn: env.did(CONTENT_KINDS[kind].did, id),
    contentUuid: id,
    contentType: kind,
    releaseDate: releaseDate === null ? null : new Date(releaseDate).toISOString(),
    ...{ title, likes, comments },
  };
}

function secondsPerView(watchMs: number, views: number): number | null {
  return views === 0 ? null : watchMs / 1000 / views;
}

interface DetailRow extends ContentRow {
  readonly summary: string;
  readonly durationMs: number | null;
}

interface DayRow {
  readonly at: string;
  readonly day: string;
  readonly views: number;
  readonly watchMs: number;
}

function readVideo(
  [channelUuid, channelName, detail, overview, days, segments]: [
    string,
    string,
    DetailRow | null,
    OverviewRow | null,
    readonly DayRow[] | null,
    AudienceRow | null,
  ],
  env: RequestEnv,
): Record<string, unknown> | null {
  if (detail === null || overview === null) return null;
  const { VIEWS = 0, WATCH_MINUTES = 0 } = overview.current;
  const daily = (pick: (row: DayRow) => number) =>
    (days ?? []).map((row) => ({ at: new Date(row.at).toISOString(), date: row.day, value: pick(row) }));
  return {
    ...{ channelUuid, channelName },
    ...contentOf(detail, env),
    shortTitle: detail.title,
    summary: detail.summary,
    durationSeconds: detail.durationMs === null ? null : detail.durationMs / 1000,
    ...overviewOf(overview),
    avgWatchSecondsPerView: secondsPerView(WATCH_MINUTES, VIEWS),
    dailyViews: daily(({ views }) => views),
    dailyWatchMinutes: daily(({ watchMs }) => metricValue('WATCH_MINUTES', watchMs)),
    ...(segments && breakdownsOf(segments)),
  };
}
