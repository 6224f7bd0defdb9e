import { localized } from '../../kernel/languages/catalogs.ts';
import { type StoredText, t } from '../../kernel/languages/message.ts';
import type { Readiness, SandboxHealth, WorkerHealth } from '../../platform/health/health.ts';
import type { Route } from '../../platform/routing.ts';
import { sendJson } from '../../platform/send-json.ts';
import { sendText } from '../codings/send-text.ts';
import { HttpError } from '../errors.ts';
import { pageFileRoutes } from '../web/page-files.ts';
import { type Metrics, mayReadMetrics } from './metrics.ts';

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
  return [healthRoute(options), readinessRoute(options), metricsRoute(options), ...pageFileRoutes()];
}

/** Liveness: the process runs and its event loop responds; without dependencies. */
function healthRoute({ version }: EdgeOptions): Route {
  return {
    method: 'GET',
    path: '/healthz',
    handle: (_request, response) =>
      sendJson(response, 200, { status: 'ok', version, uptimeSeconds: Math.round(process.uptime()) }),
  };
}

/**
 * Readiness: 503 while a dependency is unavailable or the server is stopping. An incomplete sandbox stops media
 * processing, not requests. Details and workers are shown to clients that may read the metrics.
 */
function readinessRoute({ readiness, sandbox, workers, isDraining, version, metricsAccess }: EdgeOptions): Route {
  return {
    method: 'GET',
    path: '/readyz',
    handle: async (request, response) => {
      const { status, checks } = await readiness();
      const stopping = isDraining();
      const ready = status === 'ready' && !stopping;
      const health = sandbox?.();
      const isPrivate = mayReadMetrics(request, metricsAccess);
      const details = health && isPrivate ? inEnglish(health.details) : {};
      // The checks have just queried the database.
      const running = isPrivate && status === 'ready' ? await workers?.() : undefined;
      const body = {
        ...{ status: stopping ? 'stopping' : status, version, checks },
        ...(health ? { sandbox: { state: health.state, ...details } } : {}),
        ...(running ? { workers: running.map((worker) => ({ ...worker, sandbox: inEnglish(worker.sandbox) })) } : {}),
      };
      sendJson(response, ready ? 200 : 503, body, ready ? {} : { 'retry-after': '2' });
    },
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
