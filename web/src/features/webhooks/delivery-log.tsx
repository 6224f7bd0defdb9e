import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type DeliveryPartsFragment,
  RedeliverWebhook,
  ReplayWebhook,
  WebhookLog,
  type WebhookLogResult,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { plural, t } from '../../lib/i18n.ts';
import { count, latency } from '../../lib/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { patternOf } from '../events/event-names.ts';

const POLL_MS = 2_000;

/** The deliveries of a webhook, newest first; refreshed while one is pending. */
export function DeliveryLog({ webhook }: { webhook: string }) {
  const log = useDeliveries(webhook);
  const refresh = (): void => void log.refetch();
  if (log.error !== null && !log.data)
    return <ErrorNotice error={log.error} action={<Button onClick={refresh}>{t`Try again`}</Button>} />;
  if (!log.data) return <div role="status" aria-label={t`Loading`} className="skeleton mt-3 h-24 rounded-xl" />;
  const { deliveries, total } = log.data;
  if (deliveries.length === 0) {
    return <p className="mt-3 text-muted">{t`No deliveries yet. Send a test event, or wait for a selected event.`}</p>;
  }
  return (
    <div className="mt-3 space-y-3">
      <ul className="divide-y divide-line rounded-lg border border-line">
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} webhook={webhook} delivery={delivery} onRedelivered={refresh} />
        ))}
      </ul>
      {log.error !== null && <ErrorNotice error={log.error} />}
      {log.hasNextPage && (
        <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          {t`Show older (${count(total)} total)`}
        </Button>
      )}
    </div>
  );
}

type LogPage = NonNullable<NonNullable<WebhookLogResult['node']>['deliveries']>;

/** Query key of a webhook's deliveries. */
export const deliveriesKey = (webhook: string) => ['WebhookLog', { id: webhook }] as const;

function useDeliveries(webhook: string) {
  return useInfiniteQuery({
    queryKey: deliveriesKey(webhook),
    queryFn: async ({ pageParam: after }: { pageParam: string | null }) =>
      (await api(WebhookLog, { id: webhook, after })).node?.deliveries ?? null,
    initialPageParam: null,
    getNextPageParam: (page) => (page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : null),
    select: ({ pages }) => ({ deliveries: deliveriesOf(pages), total: pages[0]?.totalCount ?? 0 }),
    refetchInterval: ({ state }) =>
      deliveriesOf(state.data?.pages ?? []).some(({ status }) => status === 'PENDING') ? POLL_MS : false,
  });
}

/** Without duplicates: a new delivery moves the others to later pages. */
function deliveriesOf(pages: readonly (LogPage | null)[]): readonly DeliveryPartsFragment[] {
  return [...new Map(pages.flatMap((page) => page?.edges ?? []).map(({ node }) => [node.id, node])).values()];
}

const STATES = { PENDING: t`Pending`, DELIVERED: t`Delivered`, FAILED: t`Failed` } as const;
const COLOURS = { PENDING: 'text-accent-text', DELIVERED: 'text-sea', FAILED: 'text-danger' } as const;

interface RowProperties {
  readonly webhook: string;
  readonly delivery: DeliveryPartsFragment;
  readonly onRedelivered: () => void;
}

function DeliveryRow({ webhook, delivery, onRedelivered }: RowProperties) {
  const action = useAction();
  const { status, attempts, responseStatus, durationMs, error, nextAttemptAt, createdAt, cursor } = delivery;
  const event = patternOf(delivery.event);
  const [said, setSaid] = useState('');
  const label = delivery.status === 'PENDING' ? t`Retry now` : t`Redeliver`;
  const redeliver = async (): Promise<void> => {
    await api(RedeliverWebhook, { delivery: delivery.id });
    setSaid(t`Redelivery of ${event} requested.`);
    onRedelivered();
  };
  const replay = async (after: string): Promise<void> => {
    const scheduled = await replayAll(webhook, after);
    setSaid(plural(scheduled, { one: '# newer event is sent again.', other: '# newer events are sent again.' }));
    onRedelivered();
  };
  const facts = [
    ago(createdAt, Date.now()),
    attempts > 0 && plural(attempts, { one: '# attempt', other: '# attempts' }),
    responseStatus !== null && t`HTTP ${responseStatus}`,
    durationMs !== null && latency(durationMs),
    status === 'PENDING' && attempts > 0 && nextAttemptAt !== null && nextAttempt(nextAttemptAt),
  ].filter((fact) => fact !== false);
  return (
    <li
      aria-label={`${event}, ${STATES[status]}`}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm"
    >
      <div className="min-w-0 grow basis-60">
        <p className="flex flex-wrap gap-x-3">
          <Code className="font-mono font-semibold">{event}</Code>
          <span className={`font-medium ${COLOURS[status]}`}>{STATES[status]}</span>
        </p>
        <p className="text-muted">{facts.join(' · ')}</p>
        {error !== null && (
          <p dir="auto" className="text-danger [overflow-wrap:anywhere]">
            {error}
          </p>
        )}
        {action.error !== null && <ErrorNotice error={action.error} />}
      </div>
      <Button
        look="quiet"
        className="max-sm:-ms-2.5"
        aria-label={`${label}: ${event}, ${ago(createdAt, Date.now())}`}
        busy={action.busy === 'redeliver'}
        onClick={() => action.run('redeliver', redeliver)}
      >
        {label}
      </Button>
      {cursor !== null && (
        <Button
          look="quiet"
          aria-label={t`Replay events after ${event}, ${ago(createdAt, Date.now())}`}
          busy={action.busy === 'replay'}
          onClick={() => action.run('replay', () => replay(cursor))}
        >{t`Replay newer`}</Button>
      )}
      <p role="status" className="w-full text-muted empty:hidden">
        {said}
      </p>
    </li>
  );
}

/** When the delivery is retried; times in the past are due as soon as a worker is free. */
function nextAttempt(at: string): string {
  const now = Date.now();
  const waitMs = Date.parse(at) - now;
  if (waitMs <= 0) return t`next attempt due`;
  return waitMs < 60_000 ? t`next attempt within a minute` : t`next attempt ${ago(at, now)}`;
}

/** Replays everything after a cursor, batch by batch. Returns how many deliveries were scheduled. */
async function replayAll(webhook: string, after: string): Promise<number> {
  const { scheduled, endCursor, hasMore } = (await api(ReplayWebhook, { id: webhook, after })).replayWebhook;
  return hasMore ? scheduled + (await replayAll(webhook, endCursor)) : scheduled;
}
