import type { KpiFragment } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { percent, signed } from '../../../lib/numbers.ts';
import { Sparkline } from '../chart/sparkline.tsx';
import { METRICS, type MetricName, type SeriesSet, seriesOf } from './metrics.ts';

/** One metric with its comparison; null without data. */
export interface Tile {
  readonly metric: MetricName;
  readonly kpi: KpiFragment | null;
}

interface Properties {
  readonly tiles: readonly Tile[];
  readonly series: SeriesSet | undefined;
  readonly chosen: MetricName;
  readonly onChoose: (metric: MetricName) => void;
}

/** Key metrics; the chosen one is in the chart below. */
export function KpiTiles({ tiles, series, chosen, onChoose }: Properties) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{t`Metric of the chart`}</legend>
      <div className="grid grid-cols-2 gap-1 sm:grid-cols-3">
        {tiles.map(({ metric, kpi }) => (
          <label
            key={metric}
            className={
              'min-w-0 cursor-pointer space-y-1 rounded-xl p-3 hover:bg-raised/60 has-checked:bg-raised sm:p-4 ' +
              'has-focus-visible:outline-2 has-focus-visible:outline-accent-text'
            }
          >
            <input
              type="radio"
              name="metric"
              value={metric}
              checked={metric === chosen}
              onChange={() => onChoose(metric)}
              className="sr-only"
            />
            <span className="block text-sm text-muted">{METRICS[metric].label}</span>
            <span className="block text-2xl font-bold tracking-tight tabular-nums sm:text-3xl">
              {kpi ? METRICS[metric].format(kpi.value) : '–'}
            </span>
            <span className="block min-h-5 text-sm">{kpi && <Change kpi={kpi} format={METRICS[metric].format} />}</span>
            <Sparkline values={seriesOf(metric, series).map(({ value }) => value)} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The change from the previous period; nothing where there was none. */
export function Change({ kpi, format }: { kpi: KpiFragment; format: (value: number) => string }) {
  const { deltaVsPrevious: change, deltaPct } = kpi;
  if (change === null) return null;
  const colour = change === 0 ? 'text-muted' : change > 0 ? 'text-sea' : 'text-danger';
  return (
    <span className={`tabular-nums ${colour}`}>
      {signed(change, format)}
      {deltaPct !== null && change !== 0 && ` (${signed(deltaPct / 100, percent)})`}
    </span>
  );
}
