import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { probes } from '../http/health/health.routes.ts';
import type { Runner } from '../media/index.ts';
import type { Readiness } from '../platform/health/health.ts';
import type { Platform } from '../platform/platform.ts';
import { sandboxHealth } from './media-runner.ts';
import type { RunningRole } from './role.ts';

type Handle = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void> | void;

export interface ProbeServerOptions {
  readonly platform: Pick<Platform, 'config' | 'log'>;
  readonly runner: Pick<Runner, 'sandbox' | 'isUsable'>;
  readonly version: string;
  readonly port: number;
  readonly readiness: () => Promise<Readiness>;
  /** What else it answers, by the beginning of the path. */
  readonly below?: Readonly<Record<string, Handle>>;
}

/**
 * The HTTP server of a process without an API: `/healthz` and `/readyz` for probes that read only the status. Listens
 * where the API would.
 */
export async function startProbeServer({
  platform,
  runner,
  version,
  port,
  readiness,
  below = {},
}: ProbeServerOptions): Promise<RunningRole & { readonly port: number }> {
  let isStopping = false;
  const known = probes({
    ...{ version, readiness, metricsAccess: platform.config.METRICS },
    sandbox: () => sandboxHealth(runner),
    isDraining: () => isStopping,
  });
  const handlerOf = (path: string): Handle | undefined =>
    known.get(path) ?? Object.entries(below).find(([beginning]) => path.startsWith(beginning))?.[1];
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', 'http://localhost');
    const handle = url && handlerOf(url.pathname);
    if (!handle || (request.method !== 'GET' && request.method !== 'HEAD')) return void response.writeHead(404).end();
    Promise.resolve(handle(request, response, url)).catch((error: unknown) => {
      platform.log.error({ error, path: url.pathname }, 'request failed');
      response.destroy();
    });
  });
  await new Promise<void>((listening, failed) => {
    server.once('error', failed).listen(port, platform.config.listenHosts[0] ?? '127.0.0.1', listening);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async stop() {
      isStopping = true;
      await new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
    },
  };
}
