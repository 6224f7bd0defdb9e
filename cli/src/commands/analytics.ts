import type { Client } from '../../../client/src/index.ts';
import type { Call } from '../call.ts';
import { sparkline } from '../charts.ts';
import { CHANNEL_OPTION, type Command } from '../command.ts';
import { CliError, EXIT } from '../failures.ts';
import { quantity } from '../format.ts';
import type { Terminal } from '../terminal.ts';

interface Kpi {
  readonly value: number;
  readonly deltaPct: number | null;
}
interface Series {
  readonly points: readonly { readonly at: string; readonly value: number }[];
}
interface Numbers {
  readonly overview: Readonly<Record<'views' | 'watchMinutes' | 'uniqueViewers' | 'impressions', Kpi>> &
    Partial<Record<'subscribers' | 'newSubscribers', Kpi>> & { readonly clickThroughRate: Kpi | null };
  readonly views: Series;
  readonly watchMinutes: Series;
}
interface VideoNumbers extends Numbers {
  readonly retention: { readonly plays: number; readonly points: readonly { readonly second: number; readonly share: number | null }[] };
}

const KPI = '{ value deltaVsPrevious deltaPct coverage }';
const SERIES = `views: timeseries(metric: VIEWS, range: $range) { granularity points { at value } }
  watchMinutes: timeseries(metric: WATCH_MINUTES, range: $range) { granularity points { at value } }`;
const CHANNEL_NUMBERS = `query CliChannelAnalytics($channel: DID!, $range: AnalyticsRange) { channel(id: $channel) { analytics {
  overview(range: $range) { from to views ${KPI} watchMinutes ${KPI} uniqueViewers ${KPI} impressions ${KPI} clickThroughRate ${KPI} subscribers ${KPI} newSubscribers ${KPI} }
  ${SERIES}
} } }`;
const VIDEO_NUMBERS = `query CliVideoAnalytics($channel: DID!, $id: DID!, $range: AnalyticsRange) { channel(id: $channel) { analytics { video(contentLrn: $id) {
  overview(range: $range) { from to views ${KPI} watchMinutes ${KPI} uniqueViewers ${KPI} impressions ${KPI} clickThroughRate ${KPI} }
  ${SERIES}
  retention { plays secondsPerPoint points { second share } }
} } } }`;

const NAMES = {
  views: 'views',
  watchMinutes: 'minutes watched',
  uniqueViewers: 'viewers',
  impressions: 'cards shown',
  clickThroughRate: 'followed of those',
  subscribers: 'followers',
  newSubscribers: 'new followers',
} as const;

/** Numbers of a channel or of one content. */
export const analytics: Command = {
  name: 'analytics',
  about: 'Show how a channel, or one content, is watched',
  details:
    'Numbers with their change against the time before, views and minutes watched over time, and for one content how many stay to the end.',
  operands: [{ name: 'CONTENT', about: 'Identifier of a content, or `channel`', isOptional: true }],
  options: [
    CHANNEL_OPTION,
    {
      name: 'range',
      short: 'r',
      value: 'RANGE',
      choices: ['LAST_7D', 'LAST_28D', 'LAST_30D', 'LAST_90D', 'MTD', 'YTD'],
      about: 'Which time; LAST_28D unless you say otherwise',
    },
  ],
  examples: ['reelgraph analytics', 'reelgraph analytics did:reelgraph:content/feature/0198c5a0-… --range LAST_7D'],
  async run(call) {
    const client = await call.client();
    const id = call.values.first === 'channel' ? '' : call.values.first;
    const numbers = id === '' ? await ofChannel(call, client) : await ofVideo(call, client, id);
    if (!numbers) throw new CliError('There are no numbers for you.', 'Name a channel you work on, or a content of one.', EXIT.notFound);
    call.answer(numbers, (out) => draw(out, numbers));
  },
};

const rangeOf = ({ values }: Call) => values.text('range') ?? 'LAST_28D';

async function ofChannel(call: Call, client: Client): Promise<Numbers | null> {
  const variables = { channel: await call.channel(client), range: rangeOf(call) };
  const data = await client.request<{ channel: { analytics: Numbers | null } }>(CHANNEL_NUMBERS, variables, { signal: call.signal });
  return data.channel.analytics;
}

async function ofVideo(call: Call, client: Client, id: string): Promise<VideoNumbers | null> {
  const { channel } = await client.content({ id }, { signal: call.signal });
  const variables = { channel: channel.id, id, range: rangeOf(call) };
  const data = await client.request<{ channel: { analytics: { video: VideoNumbers | null } | null } }>(VIDEO_NUMBERS, variables, {
    signal: call.signal,
  });
  return data.channel.analytics?.video ?? null;
}

function draw(out: Terminal, numbers: Numbers | VideoNumbers): void {
  const rows = (Object.keys(NAMES) as (keyof typeof NAMES)[]).flatMap((name) => {
    const kpi = numbers.overview[name];
    if (!kpi) return [];
    const value = name === 'clickThroughRate' ? `${quantity(kpi.value * 100)} %` : quantity(kpi.value);
    return [[NAMES[name], value, delta(out, kpi)]];
  });
  out.table(rows);
  out.line();
  const columns = out.columns - 20;
  for (const name of ['views', 'watchMinutes'] as const) {
    const values = numbers[name].points.map(({ value }) => value);
    out.line(`${NAMES[name].padEnd(16)} ${out.style('cyan', sparkline(values, columns))}`);
  }
  if (!('retention' in numbers)) return;
  const { plays, points } = numbers.retention;
  const shares = points.map(({ share }) => share ?? 0);
  out.line(`still watching   ${plays === 0 ? 'nobody has watched yet' : out.style('cyan', sparkline(shares, columns))}`);
}

function delta(out: Terminal, { deltaPct }: Kpi): string {
  if (deltaPct === null) return '';
  return out.style(deltaPct < 0 ? 'red' : 'green', `${deltaPct < 0 ? '' : '+'}${quantity(deltaPct)} %`);
}
