import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnalyticsGranularity } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { percent } from '../../../lib/numbers.ts';
import { KEEP_PREVIOUS } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { Chart } from '../chart/chart.tsx';
import type { ChartPoint } from '../chart/chart-point.ts';
import { downloadCsv, toCsv } from '../export/csv.ts';
import { dayOf, type Period, pointName, spanName } from '../period/period.ts';
import { KpiTiles, type Tile } from './kpi-tiles.tsx';
import { METRICS, type MetricName, type SeriesSet, seriesOf } from './metrics.ts';
import { NoData } from './no-data.tsx';

interface Spans {
  readonly from: string;
  readonly to: string;
  readonly previousFrom: string;
  readonly previousTo: string;
}

interface Properties {
  /** What the metrics are about: `Channel`, or the title of a video. */
  readonly subject: string;
  readonly tiles: readonly Tile[];
  readonly spans: Spans;
  readonly period: Period;
  readonly usual: AnalyticsGranularity;
  readonly timeZone: string;
  /** Names the series apart from period and granularity. */
  readonly queryKey: QueryKey;
  readonly load: (period: Period, granularity: AnalyticsGranularity) => Promise<SeriesSet>;
}

const GRANULARITIES: Readonly<Record<AnalyticsGranularity, string>> = {
  DAY: t`Days`,
  WEEK: t`Weeks`,
  MONTH: t`Months`,
};
const COLUMNS: Readonly<Record<AnalyticsGranularity, string>> = { DAY: t`Day`, WEEK: t`Week`, MONTH: t`Month` };

/** Key metrics as tiles, and the chosen one over time beside the period before. */
export function MetricsPanel({ subject, tiles, spans, period, usual, timeZone, queryKey, load }: Properties) {
  const [metric, setMetric] = useState<MetricName>('VIEWS');
  const [chosen, setGranularity] = useState<AnalyticsGranularity | null>(null);
  const granularity = chosen ?? usual;
  const series = useSeries(queryKey, period, granularity, load);
  const isComparable = tiles.some(({ kpi }) => kpi !== null && kpi.deltaVsPrevious !== null);
  const before = useSeries(queryKey, previousPeriod(spans), granularity, load, isComparable);
  const isEmpty = tiles.every(({ kpi }) => kpi === null || kpi.value === 0);
  const save = (): void =>
    downloadCsv(
      `${subject} ${dayOf(new Date(spans.from), timeZone)}`,
      csvOf(tiles, series.data, granularity, timeZone),
    );
  return (
    <section aria-label={t`Metrics`} className="space-y-6 rounded-2xl bg-surface p-3 sm:p-5">
      <KpiTiles tiles={tiles} series={series.data} chosen={metric} onChoose={setMetric} />
      {isEmpty ? (
        <NoData />
      ) : (
        <div className="space-y-3 px-2 sm:px-1">
          <div className="-mx-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <SegmentedControl
              label={t`Granularity`}
              name="granularity"
              options={GRANULARITIES}
              value={granularity}
              onChange={setGranularity}
            />
            <Button look="quiet" className="text-sm" disabled={!series.data} onClick={save}>
              <Icon name="download" className="size-4" /> {t`Download CSV`}
            </Button>
          </div>
          {series.error !== null && (
            <ErrorNotice
              error={series.error}
              action={<Button onClick={() => void series.refetch()}>{t`Try again`}</Button>}
            />
          )}
          {series.data ? (
            <div className={series.isPlaceholderData ? 'opacity-60' : ''}>
              <MetricChart
                metric={metric}
                granularity={granularity}
                points={pointsOf(metric, series.data, before.data, granularity, timeZone)}
              />
            </div>
          ) : (
            series.error === null && <div className="skeleton h-[252px] rounded-xl" />
          )}
        </div>
      )}
      <Comparison tiles={tiles} spans={spans} timeZone={timeZone} isComparable={isComparable} />
    </section>
  );
}

function useSeries(
  key: QueryKey,
  period: Period,
  granularity: AnalyticsGranularity,
  load: Properties['load'],
  enabled = true,
) {
  return useQuery({
    queryKey: [...key, { ...period, granularity }],
    queryFn: () => load(period, granularity),
    enabled,
    ...KEEP_PREVIOUS,
  });
}

const previousPeriod = ({ previousFrom: from, previousTo: to }: Spans): Period => ({ range: 'CUSTOM', from, to });

interface ComparisonProperties extends Pick<Properties, 'tiles' | 'spans' | 'timeZone'> {
  readonly isComparable: boolean;
}

/** What the changes compare with, and how much of the period has data. */
function Comparison({ tiles, spans, timeZone, isComparable }: ComparisonProperties) {
  const previous = spanName(spans.previousFrom, spans.previousTo, timeZone);
  const coverage = tiles.find(({ kpi }) => kpi !== null)?.kpi?.coverage.share ?? 1;
  return (
    <p className="px-2 text-sm text-muted sm:px-1">
      {isComparable
        ? t`Compared with ${previous}, the dashed line.`
        : t`There is no data of ${previous} to compare with.`}{' '}
      {coverage < 0.995 &&
        t`There is data for ${percent(coverage)} of this period: the rest is still to come, or before measuring began.`}
    </p>
  );
}

interface ChartProperties {
  readonly metric: MetricName;
  readonly granularity: AnalyticsGranularity;
  readonly points: readonly ChartPoint[];
}

function MetricChart({ metric, granularity, points }: ChartProperties) {
  const { label, whole, format, formatShort, describe } = METRICS[metric];
  const describePoint = ({ value, before }: ChartPoint): string => {
    const current = describe(value);
    return before === undefined ? current : t`${current}, ${format(before)} before`;
  };
  return (
    <Chart
      label={label}
      points={points}
      kind="area"
      whole={whole}
      formatTick={formatShort}
      describe={describePoint}
      columns={[COLUMNS[granularity], label]}
    />
  );
}

/** The points of a metric, each beside the one at the same place of the period before. */
function pointsOf(
  metric: MetricName,
  set: SeriesSet,
  before: SeriesSet | undefined,
  granularity: AnalyticsGranularity,
  timeZone: string,
): ChartPoint[] {
  const earlier = seriesOf(metric, before);
  return seriesOf(metric, set).map(({ at, value }, index) => ({
    key: at,
    name: pointName(at, granularity, timeZone, true),
    tick: pointName(at, granularity, timeZone, false),
    value,
    ...(earlier[index] && { before: earlier[index].value }),
  }));
}

function csvOf(
  tiles: readonly Tile[],
  set: SeriesSet | undefined,
  granularity: AnalyticsGranularity,
  timeZone: string,
): string {
  const columns = tiles.map(({ metric }) => ({ metric, points: seriesOf(metric, set) }));
  const days = columns[0]?.points.map(({ at }) => dayOf(new Date(at), timeZone)) ?? [];
  return toCsv(
    [COLUMNS[granularity], ...columns.map(({ metric }) => CSV_LABELS[metric] ?? METRICS[metric].label)],
    days.map((day, index) => [day, ...columns.map(({ points }) => points[index]?.value ?? 0)]),
  );
}

/** Columns whose unit is not in their label. */
const CSV_LABELS: Partial<Record<MetricName, string>> = {
  WATCH_MINUTES: t`Watch time (minutes)`,
  AVERAGE_VIEW: t`Average view (minutes)`,
};
