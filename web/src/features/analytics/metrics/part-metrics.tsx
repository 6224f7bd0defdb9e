import type { QueryKey } from '@tanstack/react-query';
import type { AnalyticsGranularity, PartOverviewFragment } from '../../../gql/generated/operations.gen.ts';
import type { Period } from '../period/period.ts';
import { quotient, type SeriesSet } from './metrics.ts';
import { MetricsPanel } from './metrics-panel.tsx';

interface Properties {
  readonly subject: string;
  readonly overview: PartOverviewFragment;
  readonly period: Period;
  readonly usual: AnalyticsGranularity;
  readonly timeZone: string;
  readonly queryKey: QueryKey;
  readonly load: (period: Period, granularity: AnalyticsGranularity) => Promise<SeriesSet>;
}

/** The metrics of a video, a series or a playlist. */
export function PartMetrics({ overview, ...rest }: Properties) {
  return (
    <MetricsPanel
      {...rest}
      spans={overview}
      tiles={[
        { metric: 'VIEWS', kpi: overview.views },
        { metric: 'WATCH_MINUTES', kpi: overview.watchMinutes },
        { metric: 'UNIQUE_VIEWERS', kpi: overview.uniqueViewers },
        { metric: 'AVERAGE_VIEW', kpi: quotient(overview.watchMinutes, overview.views) },
        { metric: 'IMPRESSIONS', kpi: overview.impressions },
        { metric: 'CLICK_THROUGH_RATE', kpi: overview.clickThroughRate },
      ]}
    />
  );
}
