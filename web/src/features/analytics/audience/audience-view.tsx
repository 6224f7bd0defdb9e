import { useQuery } from '@tanstack/react-query';
import { AnalyticsAudience } from '../../../gql/generated/operations.gen.ts';
import { t } from '../../../lib/i18n.ts';
import { KEEP_PREVIOUS, operationQuery } from '../../../lib/query.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { NoData } from '../metrics/no-data.tsx';
import type { Period } from '../period/period.ts';
import { FollowersPanel } from './followers-panel.tsx';
import { Audience } from './share-bars.tsx';
import { TrafficPanel } from './traffic-panel.tsx';

interface Properties {
  readonly channel: string;
  readonly period: Period;
  readonly timeZone: string;
}

/** Who watches a channel, and where they came from. */
export function AudienceView({ channel, period, timeZone }: Properties) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...operationQuery(AnalyticsAudience, { channel, ...period }),
    ...KEEP_PREVIOUS,
  });
  const analytics = data?.channel?.analytics;
  if (error !== null)
    return <ErrorNotice error={error} action={<Button onClick={() => void refetch()}>{t`Try again`}</Button>} />;
  if (!analytics) return <div role="status" aria-label={t`Loading`} className="skeleton h-96 rounded-2xl" />;
  const { trafficSources, audience, subscribers } = analytics;
  const isEmpty = trafficSources.length === 0 && subscribers.gained + subscribers.lost === 0;
  return (
    <div className={`space-y-6 ${isPlaceholderData ? 'opacity-60' : ''}`}>
      {isEmpty && <NoData />}
      <TrafficPanel sources={trafficSources} />
      <Audience audience={audience} />
      <FollowersPanel followers={subscribers} timeZone={timeZone} />
    </div>
  );
}
