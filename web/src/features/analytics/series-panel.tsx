import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnalyticsGranularity, SeriesFragment } from '../../gql/generated/operations.gen.ts';
import { KEEP_PREVIOUS } from '../../lib/query.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Chart } from './chart.tsx';
import { METRICS, type MetricName } from './metrics.ts';
import { pointName } from './period.ts';
import { SegmentedControl } from './segmented-control.tsx';

interface Properties<Metric extends MetricName> {
  readonly metrics: readonly Metric[];
  /** Names the series apart from metric and granularity. */
  readonly queryKey: QueryKey;
  readonly usual: AnalyticsGranularity;
  readonly timeZone: string;
  readonly load: (metric: Metric, granularity: AnalyticsGranularity) => Promise<SeriesFragment>;
}

const GRANULARITIES: Readonly<Record<AnalyticsGranularity, string>> = { DAY: 'Days', WEEK: 'Weeks', MONTH: 'Months' };
const COLUMNS: Readonly<Record<AnalyticsGranularity, string>> = { DAY: 'Day', WEEK: 'Week', MONTH: 'Month' };

/** A metric over time, with controls for metric and granularity. */
export function SeriesPanel<Metric extends MetricName>({
  metrics,
  queryKey,
  usual,
  timeZone,
  load,
}: Properties<Metric>) {
  const [metric, setMetric] = useState(metrics[0] as Metric); // there is always one
  const [chosen, setGranularity] = useState<AnalyticsGranularity | null>(null);
  const granularity = chosen ?? usual;
  const series = useQuery({
    queryKey: [...queryKey, { metric, granularity }],
    queryFn: () => load(metric, granularity),
    ...KEEP_PREVIOUS,
  });
  // One for each.
  const options = Object.fromEntries(metrics.map((name) => [name, METRICS[name].label])) as Record<Metric, string>;
  return (
    <Panel title="Over time">
      <div className="-mx-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <SegmentedControl label="Metric" name="metric" options={options} value={metric} onChange={setMetric} />
        <SegmentedControl
          label="Granularity"
          name="granularity"
          options={GRANULARITIES}
          value={granularity}
          onChange={setGranularity}
        />
      </div>
      {series.error !== null && (
        <ErrorNotice error={series.error} action={<Button onClick={() => void series.refetch()}>Try again</Button>} />
      )}
      {series.data ? (
        <div className={series.isPlaceholderData ? 'opacity-60' : ''}>
          <SeriesChart series={series.data} timeZone={timeZone} />
        </div>
      ) : (
        series.error === null && <div className="skeleton h-[252px] rounded-xl" />
      )}
    </Panel>
  );
}

function SeriesChart({ series, timeZone }: { series: SeriesFragment; timeZone: string }) {
  const { label, whole, formatShort, describe } = METRICS[series.metric];
  const points = series.points.map(({ at, value }) => ({
    key: at,
    name: pointName(at, series.granularity, timeZone, true),
    tick: pointName(at, series.granularity, timeZone, false),
    value,
  }));
  return (
    <Chart
      label={label}
      points={points}
      kind="area"
      whole={whole}
      formatTick={formatShort}
      describe={({ value }) => describe(value)}
      columns={[COLUMNS[series.granularity], label]}
    />
  );
}
