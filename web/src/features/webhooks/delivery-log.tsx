import { useEffect, useState } from 'react';
import { type DeliveryPartsFragment, RedeliverWebhook, WebhookLog } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { ago } from '../../lib/format.ts';
import { latency } from '../../lib/numbers.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';

interface Page {
  readonly deliveries: readonly DeliveryPartsFragment[];
  readonly more: string | null;
  readonly total: number;
}

const LOOK_EVERY_MS = 2_000;

/** What was sent to a webhook, newest first; looked at again while something is on its way. `tests` counts tests sent meanwhile. */
export function DeliveryLog({ webhook, tests }: { webhook: string; tests: number }) {
  const { log, error, more, again } = useDeliveries(webhook, tests);
  const action = useAction();
  if (error !== null) return <ErrorNotice error={error} action={<Button onClick={again}>Try again</Button>} />;
  if (!log) return <div role="status" aria-label="Loading" className="skeleton mt-3 h-24 rounded-xl" />;
  if (log.deliveries.length === 0) {
    return <p className="mt-3 text-muted">No deliveries yet. Send a test event, or wait for a selected event.</p>;
  }
  return (
    <div className="mt-3 space-y-3">
      <ul className="divide-y divide-line rounded-lg border border-line">
        {log.deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} onRedelivered={again} />
        ))}
      </ul>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {log.more !== null && (
        <Button busy={action.busy !== null} onClick={() => action.run('more', more)}>
          Show older ({log.total} total)
        </Button>
      )}
    </div>
  );
}

function useDeliveries(webhook: string, tests: number) {
  const [log, setLog] = useState<Page | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const pending = log?.deliveries.some(({ status }) => status === 'PENDING') ?? false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: tests and attempts ask anew
  useEffect(() => {
    let current = true;
    const look = (): void => {
      pageOf(webhook, null).then(
        (page) => {
          if (!current) return;
          setLog((known) => newer(known, page));
          setError(null);
        },
        (failure: unknown) => current && setError(failure),
      );
    };
    look();
    const timer = pending ? setInterval(look, LOOK_EVERY_MS) : undefined;
    return () => {
      current = false;
      clearInterval(timer);
    };
  }, [webhook, tests, attempt, pending]);
  const more = async (): Promise<void> => {
    const page = await pageOf(webhook, log?.more ?? null);
    setLog((known) => (known ? { ...page, deliveries: [...known.deliveries, ...page.deliveries] } : page));
  };
  return { log, error, more, again: () => setAttempt((made) => made + 1) };
}

async function pageOf(id: string, after: string | null): Promise<Page> {
  const { node } = await api(WebhookLog, { id, after });
  const list = node?.deliveries;
  if (!list) return { deliveries: [], more: null, total: 0 };
  const { hasNextPage, endCursor } = list.pageInfo;
  return { deliveries: list.edges.map((edge) => edge.node), more: hasNextPage ? endCursor : null, total: list.totalCount };
}

/** The first page as it is now, before those that were loaded behind it. */
function newer(known: Page | null, first: Page): Page {
  if (!known) return first;
  const fresh = new Set(first.deliveries.map(({ id }) => id));
  const behind = known.deliveries.filter(({ id }) => !fresh.has(id));
  return behind.length === 0 ? first : { ...first, deliveries: [...first.deliveries, ...behind], more: known.more };
}

const STATES = { PENDING: 'Pending', DELIVERED: 'Delivered', FAILED: 'Failed' } as const;
const COLOURS = { PENDING: 'text-accent-text', DELIVERED: 'text-sea', FAILED: 'text-danger' } as const;

function DeliveryRow({ delivery, onRedelivered }: { delivery: DeliveryPartsFragment; onRedelivered: () => void }) {
  const action = useAction();
  const { event, status, attempts, responseStatus, durationMs, error, nextAttemptAt, createdAt } = delivery;
  const [sent, setSent] = useState(false);
  const label = delivery.status === 'PENDING' ? 'Retry now' : 'Redeliver';
  const redeliver = async (): Promise<void> => {
    await api(RedeliverWebhook, { delivery: delivery.id });
    setSent(true);
    onRedelivered();
  };
  const facts = [
    ago(createdAt, Date.now()),
    attempts > 0 && `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
    responseStatus !== null && `HTTP ${responseStatus}`,
    durationMs !== null && latency(durationMs),
    status === 'PENDING' && attempts > 0 && nextAttemptAt !== null && nextAttempt(nextAttemptAt),
  ].filter((fact) => fact !== false);
  return (
    <li aria-label={`${event}, ${STATES[status]}`} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
      <div className="min-w-0 grow basis-60">
        <p className="flex flex-wrap gap-x-3">
          <code className="font-mono font-semibold">{event}</code>
          <span className={`font-medium ${COLOURS[status]}`}>{STATES[status]}</span>
        </p>
        <p className="text-muted">{facts.join(' · ')}</p>
        {error !== null && <p className="text-danger [overflow-wrap:anywhere]">{error}</p>}
        {action.error !== null && <ErrorNotice error={action.error} />}
      </div>
      <Button
        look="quiet"
        className="max-sm:-ml-2.5"
        aria-label={`${label}: ${event}, ${ago(createdAt, Date.now())}`}
        busy={action.busy !== null}
        onClick={() => action.run('redeliver', redeliver)}
      >
        {label}
      </Button>
      <p role="status" className="sr-only">
        {sent && `Redelivery of ${event}: ${STATES[status]}.`}
      </p>
    </li>
  );
}

/** When it is tried again; a time that has passed is one that a worker will come to. */
function nextAttempt(at: string): string {
  const now = Date.now();
  return Date.parse(at) <= now ? 'next attempt due' : `next attempt ${ago(at, now).replace('just now', 'within a minute')}`;
}
