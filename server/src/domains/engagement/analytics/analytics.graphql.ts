import type { ArgScope, EntityRef, Graph, RowScope, Selects } from '../../../gql/index.ts';
import type { CatalogTypes } from '../../catalog/index.ts';
import { type ChannelTypes, mayInChannel } from '../../channels/index.ts';
import type { PlaylistTypes } from '../../playlists/index.ts';
import type { TrafficSourceType } from '../ingest/track-engagement.graphql.ts';
import {
  channelSubject,
  commentsWritten,
  type Metric,
  type OverviewMetric,
  overviewSql,
  recencySql,
  seriesSql,
  subscriberChanges,
} from './analytics.sql.ts';
import { declareCollections } from './collections.graphql.ts';
import { declareCommentList } from './comment-list.graphql.ts';
import { type OverviewRow, overviewOf } from './kpi.ts';
import { declareNumbers, type NumberTypes } from './number-types.graphql.ts';
import {
  ANALYTICS_COST,
  audience,
  declareOverview,
  overview,
  readAudience,
  readOverview,
  readSeries,
  series,
  seriesArgs,
} from './numbers.graphql.ts';
import type { PartTypes } from './part-fields.graphql.ts';
import { periodArgs } from './period.ts';
import { declareRealtime } from './realtime.graphql.ts';
import { declareTraffic } from './traffic.graphql.ts';
import { declareVideoLists } from './video-lists.graphql.ts';
import { declareVideos } from './videos.graphql.ts';

const CHANNEL_METRICS: readonly Metric[] = [
  ...(['VIEWS', 'WATCH_MINUTES', 'UNIQUE_VIEWERS', 'IMPRESSIONS', 'CLICKS'] as const),
  ...(['CHANNEL_SUBSCRIBERS', 'NEW_CHANNEL_SUBSCRIBERS'] as const),
];

interface AnalyticsParts {
  readonly channels: ChannelTypes;
  readonly catalog: CatalogTypes;
  readonly playlists: PlaylistTypes;
  readonly source: TrafficSourceType;
}

/** Declares channel.analytics, for members of the channel. */
export function declareAnalytics(graph: Graph, { channels, catalog, playlists, source }: AnalyticsParts): void {
  const numbers = declareNumbers(graph);
  const traffic = declareTraffic(graph, { source, range: numbers.range });
  const CreatorAnalytics = declareChannelAnalytics(graph, numbers, traffic);
  const { Playlist } = playlists;
  const parts = { CreatorAnalytics, Content: catalog.Content, Playlist, numbers, traffic };
  const partFields = declareVideos(graph, parts);
  declareCollections(graph, { ...parts, range: numbers.range, partFields });
  declareVideoLists(graph, parts);
  declareCommentList(graph, CreatorAnalytics);
  graph.extend(channels.Channel, (f) => ({
    analytics: f.embed({
      type: CreatorAnalytics,
      nullable: true,
      description: 'Analytics of the channel; null unless the viewer is a member.',
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'analytics:read'),
    }),
  }));
}

function declareChannelAnalytics(graph: Graph, numbers: NumberTypes, traffic: PartTypes['traffic']): EntityRef {
  const { range } = numbers;
  const Overview = declareOverview(graph, 'CreatorOverview', numbers, {
    views: 'Views.',
    watchMinutes: 'Minutes watched.',
    uniqueViewers: 'Distinct viewers.',
    channelSubscribers: 'Followers at the end of the period.',
    newChannelSubscribers: 'New followers.',
  });
  const Subscribers = declareSubscribers(graph, numbers);
  const Comments = declareComments(graph);
  const realtime = declareRealtime(graph);
  return graph.part('CreatorAnalytics', {
    description:
      'Analytics of a channel. Days, weeks and months are those ' +
      "of the channel's time zone; values lag by some seconds.",
    fields: (f) => ({
      overview: f.column({
        type: Overview,
        description: 'Key metrics, compared with the previous period.',
        args: (t) => periodArgs(t, range),
        cost: ANALYTICS_COST.OVERVIEW,
        sql: overview(channelSubject, CHANNEL_METRICS),
        read: readOverview,
      }),
      audience: f.column({
        type: numbers.audience,
        description: 'The audience by country, device, system and browser.',
        args: (t) => periodArgs(t, range),
        cost: ANALYTICS_COST.AUDIENCE,
        sql: audience(channelSubject),
        read: readAudience,
      }),
      timeseries: f.column({
        type: numbers.series,
        description: 'One metric over time.',
        args: (t) => seriesArgs(t, numbers),
        cost: ANALYTICS_COST.SERIES,
        sql: series(channelSubject),
        read: readSeries,
      }),
      trafficSources: traffic(f, channelSubject),
      realtime: realtime(f, channelSubject),
      subscribers: f.column({
        type: Subscribers,
        description: 'Followers gained and lost.',
        args: (t) => periodArgs(t, range),
        cost: ANALYTICS_COST.SERIES,
        sql: subscribersSql,
        read: readSubscribers,
      }),
      commentCounts: f.column({
        type: Comments,
        description: 'Comments written, without those deleted since.',
        args: (t) => periodArgs(t, range),
        cost: ANALYTICS_COST.SERIES,
        sql: (s, args) => {
          const subject = channelSubject(s);
          return seriesSql(s, args, subject, 'DAY', (from, to) => ({
            count: commentsWritten(subject.channel, from, to),
          }));
        },
        read: readComments,
      }),
    }),
  });
}

function declareSubscribers(graph: Graph, { kpi, days, point }: NumberTypes): EntityRef {
  const Day = graph.object('SubscriberDay', {
    description: 'Followers gained and lost on a day.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'Start of the day.' }),
      gained: f.value({ type: 'BigInt', description: 'New followers.' }),
      lost: f.value({ type: 'BigInt', description: 'Lost followers.' }),
      net: f.value({ type: 'BigInt', description: 'gained minus lost.' }),
    }),
  });
  const Recency = graph.object('CreatorSubscribersByRecency', {
    description: "Followers by when they followed, in the channel's time zone. Each is counted once.",
    fields: (f) => ({
      today: f.value({ type: 'BigInt', description: 'Today.' }),
      thisWeek: f.value({ type: 'BigInt', description: 'Earlier in this week, from Monday.' }),
      thisMonth: f.value({ type: 'BigInt', description: 'Earlier in this month.' }),
      older: f.value({ type: 'BigInt', description: 'Before.' }),
    }),
  });
  const Country = graph.object('CreatorSubscribersByCountry', {
    description: 'Followers of a country.',
    fields: (f) => ({
      country: f.value({
        type: 'String',
        nullable: true,
        description: 'Always null, unknown: the platform does not store where accounts are.',
      }),
      subscribers: f.value({ type: 'BigInt', description: 'Followers.' }),
    }),
  });
  return graph.object('CreatorSubscribers', {
    description: 'Followers gained and lost in a period.',
    fields: (f) => ({
      channelUuid: f.value({ type: 'String', description: 'The last part of the id of the channel.' }),
      range: f.value({ type: days, description: 'The days of the period.' }),
      previousRange: f.value({ type: days, description: 'The days of the previous period.' }),
      channelSubscribers: f.value({ type: kpi, description: 'Followers at the end of the period.' }),
      newChannelSubscribers: f.value({ type: kpi, description: 'New followers.' }),
      lostChannelSubscribers: f.value({ type: kpi, description: 'Lost followers.' }),
      dailyNew: f.value({ type: [point], description: 'New followers, one for each day, oldest first.' }),
      byRecency: f.value({ type: Recency, description: 'The followers of today by when they followed.' }),
      byCountry: f.value({
        type: [Country],
        description: 'The followers of today, one for each country; empty without any.',
      }),
      gained: f.value({ type: 'BigInt', description: 'New followers.' }),
      lost: f.value({ type: 'BigInt', description: 'Lost followers.' }),
      net: f.value({ type: 'BigInt', description: 'gained minus lost.' }),
      days: f.value({ type: [Day], description: 'One for each day of the period, oldest first.' }),
    }),
  });
}

const SUBSCRIBER_METRICS: readonly OverviewMetric[] = [
  'CHANNEL_SUBSCRIBERS',
  'NEW_CHANNEL_SUBSCRIBERS',
  'LOST_CHANNEL_SUBSCRIBERS',
];
/** The fields of CreatorSubscribers that an overview of the followers answers. */
const OVERVIEW_FIELDS = [
  ...['range', 'previousRange', 'channelSubscribers', 'newChannelSubscribers', 'lostChannelSubscribers'],
] as const;

function subscribersSql(s: RowScope, args: ArgScope, selects: Selects): string[] {
  const subject = channelSubject(s);
  const compared = OVERVIEW_FIELDS.some((name) => selects(name));
  return [
    seriesSql(s, args, subject, 'DAY', (from, to) => ({ ...subscriberChanges(subject.channel, from, to) })),
    subject.channel,
    compared ? overviewSql(s, args, subject, SUBSCRIBER_METRICS) : 'null::json',
    selects('byRecency') || selects('byCountry') ? recencySql(s, subject) : 'null::json',
  ];
}

interface Changes {
  readonly gained: number;
  readonly lost: number;
}

type RecencyRow = Readonly<Record<'today' | 'thisWeek' | 'thisMonth' | 'older' | 'all', number>>;

function readSubscribers([rows, channelUuid, overviewRow, recency]: [
  (Changes & { at: string; day: string })[],
  string,
  OverviewRow | null,
  RecencyRow | null,
]): Record<string, unknown> {
  const net = ({ gained, lost }: Changes) => ({ gained, lost, net: gained - lost });
  const sum = rows.reduce((all, { gained, lost }) => ({ gained: all.gained + gained, lost: all.lost + lost }), {
    gained: 0,
    lost: 0,
  });
  const instant = (at: string) => new Date(at).toISOString();
  return {
    channelUuid,
    ...(overviewRow && overviewOf(overviewRow)),
    ...net(sum),
    days: rows.map((row) => ({ at: instant(row.at), ...net(row) })),
    dailyNew: rows.map(({ at, day, gained }) => ({ at: instant(at), date: day, value: gained })),
    byRecency: recency,
    byCountry: recency && recency.all > 0 ? [{ country: null, subscribers: recency.all }] : [],
  };
}

function declareComments(graph: Graph): EntityRef {
  const Day = graph.object('CommentDay', {
    description: 'Comments of a day.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'Start of the day.' }),
      count: f.value({ type: 'BigInt', description: 'Number of comments.' }),
    }),
  });
  return graph.object('CommentAnalytics', {
    description: 'Comments written in a period.',
    fields: (f) => ({
      total: f.value({ type: 'BigInt', description: 'Number of comments.' }),
      days: f.value({ type: [Day], description: 'One for each day of the period, oldest first.' }),
    }),
  });
}

function readComments([rows]: [{ at: string; count: number }[]]): Record<string, unknown> {
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    days: rows.map(({ at, count }) => ({ at: new Date(at).toISOString(), count })),
  };
}
