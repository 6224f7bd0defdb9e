import { Command, Option } from '@commander-js/extra-typings';
import { sparkline } from '../../charts.ts';
import { contextOf } from '../../context.ts';
import { CliError, EXIT } from '../../errors.ts';
import { quantity } from '../../format.ts';
import { examples } from '../../options.ts';

interface Range {
  readonly p10: number;
  readonly p50: number;
  readonly p90: number;
}
interface Forecast {
  readonly status: 'READY' | 'INSUFFICIENT_HISTORY';
  readonly reason: string | null;
  readonly madeAfterDays: number | null;
  readonly model: { readonly method: string; readonly videos: number; readonly coverage: number | null } | null;
  readonly points: readonly {
    readonly day: number;
    readonly totalViews: number | null;
    readonly totalViewsForecast: Range | null;
  }[];
}

const FORECAST = `query CliForecast($id: DID!, $days: Int!) { content(id: $id) { forecast(days: $days) {
  status reason completeDays madeAt madeAfterDays model { method version trainedAt videos coverage logError }
  points { day at views totalViews viewsForecast { p10 p50 p90 } totalViewsForecast { p10 p50 p90 } }
} } }`;
const SPANS = ['7', '30', '90'] as const;

/** How the views of a content are forecast to grow. */
export const contentForecast = new Command('forecast')
  .description('Forecast the views of a content, beside those that came')
  .argument('<CONTENT>', 'Identifier of a content')
  .addOption(new Option('-d, --days <DAYS>', 'Days since its publication').choices(SPANS).default('30' as const))
  .addHelpText('after', examples('reelgraph content forecast did:reelgraph:content/feature/0198c5a0-… --days 90'))
  .action(async (id, { days }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const data = await client.request<{ content: { forecast: Forecast | null } | null }>(
      FORECAST,
      { id, days: Number(days) },
      { signal: context.signal },
    );
    const forecast = data.content?.forecast;
    if (!forecast)
      throw new CliError(
        'No forecast is visible to you.',
        'Name a content of a channel you are a member of.',
        EXIT.notFound,
      );
    context.result(forecast, (out) => {
      const last = forecast.points.at(-1);
      const range = last?.totalViewsForecast;
      if (!range || !last) return out.line(forecast.reason ?? 'It has no days.');
      const real = forecast.points.findLast(({ totalViews }) => totalViews !== null);
      const totals = forecast.points.map((point) => point.totalViews ?? point.totalViewsForecast?.p50 ?? 0);
      out.properties([
        [
          `day ${last.day}`,
          `${quantity(range.p10)} to ${quantity(range.p90)} views, ${quantity(range.p50)} in the middle`,
        ],
        [`day ${real?.day ?? 0}`, `${quantity(real?.totalViews ?? 0)} views so far`],
        ['made after', `${forecast.madeAfterDays} days, from ${forecast.model?.videos ?? 0} videos`],
        ['views', out.style('cyan', sparkline(totals, out.columns - 20))],
      ]);
    });
  });
