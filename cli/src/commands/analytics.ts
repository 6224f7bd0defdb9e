import { Command, Option } from '@commander-js/extra-typings';
import type { Client } from '../../../clients/typescript/src/index.ts';
import { sparkline } from '../charts.ts';
import { contextOf } from '../context.ts';
import { CliError, EXIT } from '../errors.ts';
import { quantity } from '../format.ts';
import { channelOption, examples } from '../options.ts';
import type { Terminal } from '../terminal.ts';

interface Kpi {
  readonly value: number;
  readonly deltaPct: number | null;
}
interface Series {
  readonly points: readonly { readonly at: string; readonly value: number }[];
}
interface Metrics {
  readonly overview: Readonly<Record<'views' | 'watchMinutes' | 'uniqueViewers' | 'impressions', Kpi>> &
    Partial<Record<'channelSubscribers' | 'newChannelSubscribers', Kpi>> & { readonly clickThroughRate: Kpi | null };
  readonly views: Series;
  readonly watchMinutes: Series;
}
interface VideoMetrics extends Metrics {
  readonly retention: {
    readonly plays: number;
    readonly points: readonly { readonly second: number; readonly share: number | null }[];
  };
}

const KPI = '{ value deltaVsPrevious deltaPct coverage { share } }';
const SERIES = `views: timeseries(metric: VIEWS, range: $range) { granularity points { at value } }
  watchMinutes: timeseries(metric: WATCH_MINUTES, range: $range) { granularity points { at value } }`;
const CHANNEL_METRICS = `query CliChannelAnalytics($channel: DID!, $range: AnalyticsRange) { channel(id: $channel)
  { analytics {
  overview(range: $range) {
    from to views ${KPI} watchMinutes ${KPI} uniqueViewers ${KPI} impressions ${KPI} clickThroughRate ${KPI}
    channelSubscribers ${KPI} newChannelSubscribers ${KPI}
  }
  ${SERIES}
} } }`;
const VIDEO_METRICS = `query CliVideoAnalytics($channel: DID!, $id: DID!, $range: AnalyticsRange) {
  channel(id: $channel) { analytics { video: content(id: $id) {
  overview(range: $range) { from to views ${KPI} watchMinutes ${KPI} uniqueViewers ${KPI} impressions ${KPI}
    clickThroughRate ${KPI} }
  ${SERIES}
  retention { plays secondsPerPoint points { second share } }
} } } }`;

const LABELS = {
  views: 'views',
  watchMinutes: 'minutes watched',
  uniqueViewers: 'unique viewers',
  impressions: 'impressions',
  clickThroughRate: 'click-through rate',
  channelSubscribers: 'followers',
  newChannelSubscribers: 'new followers',
} as const;

const RANGES = ['LAST_7D', 'LAST_28D', 'LAST_30D', 'LAST_90D', 'MTD', 'YTD'] as const;

/** Analytics of a channel or of one content. */
export const analytics = new Command('analytics')
  .summary('Show analytics of a channel or one content')
  .description(
    'Show analytics of a channel or one content: metrics with their change from the previous period, views and ' +
      'watch time over time, and for one content the audience retention.',
  )
  .argument('[CONTENT]', 'Identifier of a content, or `channel`', 'channel')
  .addOption(channelOption)
  .addOption(new Option('-r, --range <RANGE>', 'Period').choices(RANGES).default('LAST_28D' as const))
  .addHelpText(
    'after',
    examples('reelgraph analytics', 'reelgraph analytics did:reelgraph:content/feature/0198c5a0-… --range LAST_7D'),
  )
  .action(async (subject, { channel, range }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const metrics =
      subject === 'channel'
        ? await channelMetrics(client, await context.channelIdOrOwn(client, channel), range, context.signal)
        : await videoMetrics(client, subject, range, context.signal);
    if (!metrics)
      throw new CliError(
        'No analytics are visible to you.',
        'Name a channel you are a member of, or one of its contents.',
        EXIT.notFound,
      );
    context.result(metrics, (out) => print(out, metrics));
  });

async function channelMetrics(
  client: Client,
  channel: string,
  range: string,
  signal: AbortSignal,
): Promise<Metrics | null> {
  const data = await client.request<{ channel: { analytics: Metrics | null } }>(
    CHANNEL_METRICS,
    { channel, range },
    { signal },
  );
  return data.channel.analytics;
}

async function videoMetrics(
  client: Client,
  id: string,
  range: string,
  signal: AbortSignal,
): Promise<VideoMetrics | null> {
  const { channel } = await client.content({ id }, { signal });
  type Data = { channel: { analytics: { video: VideoMetrics | null } | null } };
  const data = await client.request<Data>(VIDEO_METRICS, { channel: channel.id, id, range }, { signal });
  return data.channel.analytics?.video ?? null;
}

function print(out: Terminal, metrics: Metrics | VideoMetrics): void {
  const rows = (Object.keys(LABELS) as (keyof typeof LABELS)[]).flatMap((name) => {
    const kpi = metrics.overview[name];
    if (!kpi) return [];
    const value = name === 'clickThroughRate' ? `${quantity(kpi.value * 100)} %` : quantity(kpi.value);
    return [[LABELS[name], value, delta(out, kpi)]];
  });
  out.table(rows);
  out.line();
  const columns = out.columns - 20;
  for (const name of ['views', 'watchMinutes'] as const) {
    const values = metrics[name].points.map(({ value }) => value);
    out.line(`${LABELS[name].padEnd(16)} ${out.style('cyan', sparkline(values, columns))}`);
  }
  if (!('retention' in metrics)) return;
  const { plays, points } = metrics.retention;
  const shares = points.map(({ share }) => share ?? 0);
  out.line(`retention        ${plays === 0 ? 'no views yet' : out.style('cyan', sparkline(shares, columns))}`);
}

function delta(out: Terminal, { deltaPct }: Kpi): string {
  if (deltaPct === null) return '';
  return out.style(deltaPct < 0 ? 'red' : 'green', `${deltaPct < 0 ? '' : '+'}${quantity(deltaPct)} %`);
}
