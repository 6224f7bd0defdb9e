import { createServer } from 'node:http';
import { probes } from '../http/health/health.routes.ts';
import type { Runner } from '../media/index.ts';
import { workerReadiness } from '../platform/health/platform-checks.ts';
import type { Platform } from '../platform/platform.ts';
import { sandboxHealth } from './media-runner.ts';
import type { RunningRole } from './role.ts';

export interface WorkerProbesOptions {
  readonly platform: Pick<Platform, 'config' | 'db' | 'store' | 'space' | 'log' | 'jobs'>;
  readonly runner: Pick<Runner, 'sandbox' | 'isUsable'>;
  readonly version: string;
  readonly port: number;
}

/**
 * `/healthz` and `/readyz` of a worker, for probes that read only the status: 503 while it cannot work, also because
 * the sandbox does not meet SANDBOX=require. Listens where the API would.
 */
export async function startWorkerProbes({
  platform,
  runner,
  version,
  port,
}: WorkerProbesOptions): Promise<RunningRole & { readonly port: number }> {
  let isStopping = false;
  const known = probes({
    version,
    readiness: workerReadiness(platform, runner),
    metricsAccess: platform.config.METRICS,
    sandbox: () => sandboxHealth(runner),
    isDraining: () => isStopping,
  });
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    const respond = path === undefined ? undefined : known.get(path);
    if (!respond || (request.method !== 'GET' && request.method !== 'HEAD')) return void response.writeHead(404).end();
    Promise.resolve(respond(request, response)).catch((error: unknown) => {
      platform.log.error({ error, path }, 'probe failed');
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
