import type { IncomingMessage, ServerResponse } from 'node:http';
import { localized } from '../../kernel/languages/catalogs.ts';
import { type StoredText, t } from '../../kernel/languages/message.ts';
import type { Readiness, SandboxHealth, WorkerHealth } from '../../platform/health/health.ts';
import type { Route } from '../../platform/routing.ts';
import { sendJson } from '../../platform/send-json.ts';
import { sendText } from '../codings/send-text.ts';
import { HttpError } from '../errors.ts';
import { type Metrics, mayReadMetrics } from '../metrics.ts';
import { pageFileRoutes } from '../web/page-files.ts';

export interface EdgeOptions {
  readonly baseUrl: string;
  readonly version: string;
  readonly metrics: Metrics;
  readonly metricsAccess: 'private' | 'public';
  readonly readiness: () => Promise<Readiness>;
  readonly sandbox?: () => SandboxHealth;
  /** The workers of all machines. */
  readonly workers?: () => Promise<readonly WorkerHealth[]>;
  readonly isDraining: () => boolean;
}

/** Routes of the HTTP layer itself: health, metrics and the files of error pages. */
export function edgeRoutes(options: EdgeOptions): Route[] {
  const health = [...probes(options)].map(([path, handle]): Route => ({ method: 'GET', path, handle }));
  return [...health, metricsRoute(options), ...pageFileRoutes()];
}

/** What answers a probe: it needs nothing of the request but its headers. */
type Probe = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;
type ReadinessOptions = Omit<EdgeOptions, 'baseUrl' | 'metrics'>;

/** The probes by path, for a process without an API. */
export function probes(options: ReadinessOptions): ReadonlyMap<string, Probe> {
  return new Map([
    ['/healthz', healthProbe(options)],
    ['/readyz', readinessProbe(options)],
  ]);
}

/** Liveness: the process runs and its event loop responds; without dependencies. */
function healthProbe({ version }: ReadinessOptions): Probe {
  return (_request, response) =>
    sendJson(response, 200, { status: 'ok', version, uptimeSeconds: Math.round(process.uptime()) });
}

/**
 * Readiness: 503 while the process cannot serve its role or is stopping, 200 while its operation is degraded. An
 * incomplete sandbox stops media processing, not requests. Details and workers are shown to clients that may read the
 * metrics.
 */
function readinessProbe(options: ReadinessOptions): Probe {
  const { readiness, sandbox, workers, isDraining, version, metricsAccess } = options;
  return async (request, response) => {
    const { status, checks } = await readiness();
    const stopping = isDraining();
    const ready = status !== 'unavailable' && !stopping;
    const health = sandbox?.();
    const isPrivate = mayReadMetrics(request, metricsAccess);
    const details = health && isPrivate ? inEnglish(health.details) : {};
    // The checks have just queried the database.
    const running = isPrivate && status !== 'unavailable' ? await workers?.() : undefined;
    const body = {
      ...{ status: stopping ? 'stopping' : status, version, checks },
      ...(health ? { sandbox: { state: health.state, ...details } } : {}),
      ...(running ? { workers: running.map((worker) => ({ ...worker, sandbox: inEnglish(worker.sandbox) })) } : {}),
    };
    sendJson(response, ready ? 200 : 503, body, ready ? {} : { 'retry-after': '2' });
  };
}

/** For programs. */
const inEnglish = <Details extends { readonly advice: readonly StoredText[] }>(details: Details) => ({
  ...details,
  advice: details.advice.map((text) => localized(text, 'en')),
});

function metricsRoute({ metrics, metricsAccess }: EdgeOptions): Route {
  return {
    method: 'GET',
    path: '/metrics',
    handle: async (request, response) => {
      if (!mayReadMetrics(request, metricsAccess)) {
        throw new HttpError(403, 'UNAUTHORIZED', t`Metrics are available only on the private network.`, {
          suggestedFix: t`Read them from the machine itself or its private network, past the proxy; or set
            METRICS=public.`,
        });
      }
      const { contentType, text } = await metrics.render();
      sendText(request, response, 200, text, { 'content-type': contentType, 'cache-control': 'no-store' });
    },
  };
}
