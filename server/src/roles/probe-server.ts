import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isPreflight, openingOf } from '../http/cors.ts';
import { failureOf, restErrorBody } from '../http/errors.ts';
import { probes } from '../http/health/health.routes.ts';
import { Exchange } from '../http/request-context.ts';
import { createRouter, type Match } from '../http/router.ts';
import type { Runner } from '../media/index.ts';
import type { Readiness } from '../platform/health/health.ts';
import type { Platform } from '../platform/platform.ts';
import type { Route } from '../platform/routing.ts';
import { sendJson } from '../platform/send-json.ts';
import { sandboxHealth } from './media-runner.ts';
import type { RunningRole } from './role.ts';

export interface ProbeServerOptions {
  readonly platform: Pick<Platform, 'config' | 'log'>;
  readonly runner: Pick<Runner, 'sandbox' | 'isUsable'>;
  readonly version: string;
  readonly port: number;
  readonly readiness: () => Promise<Readiness>;
  /** What else it answers. */
  readonly routes?: readonly Route[];
}

/**
 * The HTTP server of a process without an API: `/healthz` and `/readyz` for probes that read only the status, and a few
 * routes. Listens where the API would.
 */
export async function startProbeServer({
  platform,
  runner,
  version,
  port,
  readiness,
  routes = [],
}: ProbeServerOptions): Promise<RunningRole & { readonly port: number }> {
  const { config, log } = platform;
  const stopping = new AbortController();
  const known = probes({
    ...{ version, readiness, metricsAccess: config.METRICS },
    sandbox: () => sandboxHealth(runner),
    isDraining: () => stopping.signal.aborted,
  });
  const router = createRouter([
    ...[...known].map(([path, handle]): Route => ({ method: 'GET', path, handle })),
    ...routes,
  ]);
  const context = { baseUrl: config.BASE_URL, trustProxy: config.TRUST_PROXY === 'on', closing: stopping.signal };
  const server = createServer((request, response) => {
    const exchange = new Exchange(request, context);
    answer(router(request.method ?? '', exchange.path), request, response, exchange).catch((thrown: unknown) => {
      const { error, status, headers, unexpected } = failureOf(thrown, request, exchange.requestId);
      if (unexpected) log.error({ error: thrown, path: exchange.path }, 'request failed');
      if (response.headersSent) response.destroy();
      else sendJson(response, status, restErrorBody(error, config.BASE_URL, exchange.requestId), headers);
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(port, config.listenHosts[0] ?? '127.0.0.1', listening);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async stop() {
      stopping.abort();
      await new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
    },
  };
}

async function answer(
  match: Match,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): Promise<void> {
  const opening = openingOf(exchange.path);
  for (const [name, value] of Object.entries(opening?.headers ?? {})) if (value) response.setHeader(name, value);
  if (opening && isPreflight(request)) return void response.writeHead(204, opening.preflight).end();
  if (match.kind !== 'found') {
    const allow = match.kind === 'method-not-allowed' ? { allow: match.allow.join(', ') } : {};
    return void response.writeHead(match.kind === 'method-not-allowed' ? 405 : 404, allow).end();
  }
  exchange.params = match.params;
  await match.route.handle(request, response, exchange);
}
