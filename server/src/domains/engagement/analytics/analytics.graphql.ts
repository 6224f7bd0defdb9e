import type { EntityRef, Graph } from '../../../gql/index.ts';
import type { CatalogTypes } from '../../catalog/index.ts';
import { type ChannelTypes, mayInChannel } from '../../channels/index.ts';
import { channelSubject, commentsWritten, type Metric, seriesSql, subscriberChanges } from './analytics.sql.ts';
import {
  ANALYTICS_COST,
  audience,
  declareNumbers,
  declareOverview,
  type NumberTypes,
  overview,
  readAudience,
  readOverview,
  readSeries,
  series,
  seriesArgs,
} from './numbers.graphql.ts';
import { periodArgs } from './period.ts';
import { declareVideos } from './videos.graphql.ts';

const CHANNEL_METRICS: readonly Metric[] = [
  ...(['VIEWS', 'WATCH_MINUTES', 'UNIQUE_VIEWERS', 'IMPRESSIONS', 'CLICKS'] as const),
  ...(['CHANNEL_SUBSCRIBERS', 'NEW_CHANNEL_SUBSCRIBERS'] as const),
];

/** Declares channel.analytics, for members of the channel. */
export function declareAnalytics(graph: Graph, { channels, catalog }: { channels: ChannelTypes; catalog: CatalogTypes }): void {
  const numbers = declareNumbers(graph);
  const ChannelAnalytics = declareChannelAnalytics(graph, numbers);
  declareVideos(graph, { ChannelAnalytics, Content: catalog.Content, Node: channels.Node, numbers });
  graph.extend(channels.Channel, (f) => ({
    analytics: f.embed({
      type: ChannelAnalytics,
      nullable: true,
      description: 'What is watched in the channel, by whom, and how that changes; null for anyone but its members.',
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'analytics:read'),
    }),
  }));
}

function declareChannelAnalytics(graph: Graph, numbers: NumberTypes): EntityRef {
  const { range, kpi } = numbers;
  const Overview = declareOverview(graph, 'ChannelOverview', kpi, {
    views: 'Views.',
    watchMinutes: 'Minutes played.',
    uniqueViewers: 'Different viewers.',
    subscribers: 'Followers at the end of the period.',
    newSubscribers: 'How often the channel was followed.',
  });
  const Subscribers = declareSubscribers(graph);
  const Comments = declareComments(graph);
  return graph.part('ChannelAnalytics', {
    description: "The numbers of a channel. Days, weeks and months are those of the channel's time zone; numbers are some seconds late.",
    fields: (f) => ({
      overview: f.column({
        type: Overview,
        description: 'The most important numbers, beside those of the period before.',
        args: (t) => periodArgs(t, range),
        cost: ANALYTICS_COST.OVERVIEW,
        sql: overview(channelSubject, CHANNEL_METRICS),
        read: readOverview,
      }),
      audience: f.column({
        type: numbers.audience,
        description: 'Who watches: where, and with what.',
        args: (t) => periodArgs(t, range),
        cost: ANALYTICS_COST.AUDIENCE,
        sql: audience(channelSubject),
        read: readAudience,
      }),
      timeseries: f.column({
        type: numbers.series,
        description: 'One number over time.',
        args: (t) => seriesArgs(t, numbers),
        cost: ANALYTICS_COST.SERIES,
        sql: series(channelSubject),
        read: readSeries,
      }),
      subscribers: f.column({
        type: Subscribers,
        description: 'How the channel gained and lost followers.',
        args: (t) => periodArgs(t, range),
        cost: ANALYTICS_COST.SERIES,
        sql: (s, args) => {
          const subject = channelSubject(s);
          return seriesSql(s, args, subject, 'DAY', (from, to) => ({ ...subscriberChanges(subject.channel, from, to) }));
        },
        read: readSubscribers,
      }),
      comments: f.column({
        type: Comments,
        description: 'How many comments were written, those deleted since left out.',
        args: (t) => periodArgs(t, range),
        cost: ANALYTICS_COST.SERIES,
        sql: (s, args) => {
          const subject = channelSubject(s);
          return seriesSql(s, args, subject, 'DAY', (from, to) => ({ count: commentsWritten(subject.channel, from, to) }));
        },
        read: readComments,
      }),
    }),
  });
}

function declareSubscribers(graph: Graph): EntityRef {
  const Day = graph.object('SubscriberDay', {
    description: 'Followers gained and lost on a day.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'When the day begins.' }),
      gained: f.value({ type: 'BigInt', description: 'How often the channel was followed.' }),
      lost: f.value({ type: 'BigInt', description: 'How often it was unfollowed.' }),
      net: f.value({ type: 'BigInt', description: 'gained minus lost.' }),
    }),
  });
  return graph.object('SubscriberAnalytics', {
    description: 'Followers gained and lost in a period.',
    fields: (f) => ({
      gained: f.value({ type: 'BigInt', description: 'How often the channel was followed.' }),
      lost: f.value({ type: 'BigInt', description: 'How often it was unfollowed.' }),
      net: f.value({ type: 'BigInt', description: 'gained minus lost.' }),
      days: f.value({ type: [Day], description: 'Day by day, oldest first.' }),
    }),
  });
}

interface Changes {
  readonly gained: number;
  readonly lost: number;
}

function readSubscribers([rows]: [(Changes & { at: string })[]]): Record<string, unknown> {
  const net = ({ gained, lost }: Changes) => ({ gained, lost, net: gained - lost });
  const sum = rows.reduce((all, { gained, lost }) => ({ gained: all.gained + gained, lost: all.lost + lost }), { gained: 0, lost: 0 });
  return { ...net(sum), days: rows.map((row) => ({ at: new Date(row.at).toISOString(), ...net(row) })) };
}

function declareComments(graph: Graph): EntityRef {
  const Day = graph.object('CommentDay', {
    description: 'Comments of a day.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'When the day begins.' }),
      count: f.value({ type: 'BigInt', description: 'How many were written.' }),
    }),
  });
  return graph.object('CommentAnalytics', {
    description: 'Comments written in a period.',
    fields: (f) => ({
      total: f.value({ type: 'BigInt', description: 'How many were written.' }),
      days: f.value({ type: [Day], description: 'Day by day, oldest first.' }),
    }),
  });
}

function readComments([rows]: [{ at: string; count: number }[]]): Record<string, unknown> {
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    days: rows.map(({ at, count }) => ({ at: new Date(at).toISOString(), count })),
  };
}
