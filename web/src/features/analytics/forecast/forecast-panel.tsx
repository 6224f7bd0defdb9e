import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AnalyticsForecast } from '../../../gql/generated/operations.gen.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { shortCount } from '../../../lib/numbers.ts';
import { KEEP_PREVIOUS, operationQuery } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { Chart } from '../chart/chart.tsx';
import {
  agesBefore,
  describeForecast,
  describePoint,
  type Forecast,
  forecastPoints,
  MEASURES,
  type Measure,
} from './forecast.ts';

type Span = '7' | '30' | '90';
const spanOf = (days: number): string => plural(days, { one: '# day', other: '# days' });
const SPANS: Readonly<Record<Span, string>> = { 7: spanOf(7), 30: spanOf(30), 90: spanOf(90) };

/** How the views of a content are forecast to grow, and how they did. */
export function ForecastPanel({ content }: { content: string }) {
  const [span, setSpan] = useState<Span>('30');
  const [measure, setMeasure] = useState<Measure>('TOTAL');
  const [age, setAge] = useState('LATEST');
  const afterDays = age === 'LATEST' || Number(age) >= Number(span) ? null : Number(age);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...operationQuery(AnalyticsForecast, { content, days: Number(span), afterDays }),
    ...KEEP_PREVIOUS,
  });
  const forecast = data?.content?.forecast;
  const ages = forecast ? agesBefore(Number(span), forecast.completeDays) : {};
  return (
    <Panel title={t`Forecast`} hint={forecast?.status === 'READY' ? describeForecast(forecast) : undefined}>
      <div className="-mx-1 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <SegmentedControl
          label={t`Days since the publication`}
          name="forecast-days"
          options={SPANS}
          value={span}
          onChange={setSpan}
        />
        <SegmentedControl
          label={t`Views in total or per day`}
          name="forecast-measure"
          options={MEASURES}
          value={measure}
          onChange={setMeasure}
        />
      </div>
      {Object.keys(ages).length > 2 && (
        <SegmentedControl
          label={t`When the forecast was made`}
          name="forecast-age"
          options={ages}
          value={afterDays === null ? 'LATEST' : age}
          onChange={setAge}
        />
      )}
      {error !== null && (
        <ErrorNotice error={error} action={<Button onClick={() => void refetch()}>{t`Try again`}</Button>} />
      )}
      {forecast ? (
        <div className={isPlaceholderData ? 'opacity-60' : ''}>
          <ForecastChart forecast={forecast} measure={measure} />
        </div>
      ) : (
        error === null && !data && <div className="skeleton h-[252px] rounded-xl" />
      )}
    </Panel>
  );
}

function ForecastChart({ forecast, measure }: { forecast: Forecast; measure: Measure }) {
  if (forecast.status === 'INSUFFICIENT_HISTORY') return <p className="text-muted">{forecast.reason}</p>;
  return (
    <Chart
      label={measure === 'TOTAL' ? t`Views in total and their forecast` : t`Views per day and their forecast`}
      points={forecastPoints(forecast, measure)}
      kind="area"
      whole
      formatTick={shortCount}
      describe={describePoint}
      columns={[t`Day`, t`Views and forecast`]}
    />
  );
}
