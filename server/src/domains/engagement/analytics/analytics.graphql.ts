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
export function declareAnalytics(
  graph: Graph,
  { channels, catalog }: { channels: ChannelTypes; catalog: CatalogTypes },
): void {
  const numbers = declareNumbers(graph);
  const ChannelAnalytics = declareChannelAnalytics(graph, numbers);
  declareVideos(graph, { ChannelAnalytics, Content: catalog.Content, Node: channels.Node, numbers });
  graph.extend(channels.Channel, (f) => ({
    analytics: f.embed({
      type: ChannelAnalytics,
      nullable: true,
      description: 'Analytics of the channel; null unless the viewer is a member.',
      visibleIf: (s) => mayInChannel(s, `${s.t}.id`, 'analytics:read'),
    }),
  }));
}

function declareChannelAnalytics(graph: Graph, numbers: NumberTypes): EntityRef {
  const { range, kpi } = numbers;
  const Overview = declareOverview(graph, 'ChannelOverview', kpi, {
    views: 'Views.',
    watchMinutes: 'Minutes watched.',
    uniqueViewers: 'Distinct viewers.',
    subscribers: 'Followers at the end of the period.',
    newSubscribers: 'New followers.',
  });
  const Subscribers = declareSubscribers(graph);
  const Comments = declareComments(graph);
  return graph.part('ChannelAnalytics', {
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
      subscribers: f.column({
        type: Subscribers,
        description: 'Followers gained and lost.',
        args: (t) => periodArgs(t, range),
        cost: ANALYTICS_COST.SERIES,
        sql: (s, args) => {
          const subject = channelSubject(s);
          return seriesSql(s, args, subject, 'DAY', (from, to) => ({
            ...subscriberChanges(subject.channel, from, to),
          }));
        },
        read: readSubscribers,
      }),
      comments: f.column({
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

function declareSubscribers(graph: Graph): EntityRef {
  const Day = graph.object('SubscriberDay', {
    description: 'Followers gained and lost on a day.',
    fields: (f) => ({
      at: f.value({ type: 'DateTime', description: 'Start of the day.' }),
      gained: f.value({ type: 'BigInt', description: 'New followers.' }),
      lost: f.value({ type: 'BigInt', description: 'Lost followers.' }),
      net: f.value({ type: 'BigInt', description: 'gained minus lost.' }),
    }),
  });
  return graph.object('SubscriberAnalytics', {
    description: 'Followers gained and lost in a period.',
    fields: (f) => ({
      gained: f.value({ type: 'BigInt', description: 'New followers.' }),
      lost: f.value({ type: 'BigInt', description: 'Lost followers.' }),
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
  const sum = rows.reduce((all, { gained, lost }) => ({ gained: all.gained + gained, lost: all.lost + lost }), {
    gained: 0,
    lost: 0,
  });
  return { ...net(sum), days: rows.map((row) => ({ at: new Date(row.at).toISOString(), ...net(row) })) };
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
