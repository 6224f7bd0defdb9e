import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpServer, type HttpServerOptions } from '../http/server.ts';
import type { Runner } from '../media/index.ts';
import { hostInUrl } from '../platform/config/listen-hosts.ts';
import { platformReadiness } from '../platform/health/platform-checks.ts';
import type { Platform } from '../platform/platform.ts';
import { runningWorkers } from '../platform/running-workers.ts';
import { sandboxHealth } from './media-runner.ts';
import { queueGauges } from './queue-health.ts';
import type { RunningRole } from './role.ts';
import { storageGauges } from './storage-health.ts';

/** Grace period of requests when the platform stops. */
const GRACE_MS = 10_000;

export interface RunningApi extends RunningRole {
  /** Address of this instance for clients on this machine. */
  readonly address: string;
}

export interface ApiOptions extends Omit<HttpServerOptions, 'sandbox' | 'workers'> {
  readonly runner: Pick<Runner, 'sandbox' | 'isUsable'>;
  readonly platform: HttpServerOptions['platform'] & Pick<Platform, 'jobs' | 'space'>;
  /** Has requests answered that wait for something, such as the end of an encode. */
  readonly endWaits?: () => void;
}

/** Starts the HTTP server with the routes of the domains; it also observes the job queue. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { jobs, space } = options.platform;
  const sandbox = () => sandboxHealth(options.runner);
  const server = createHttpServer({
    ...options,
    readiness: options.readiness ?? platformReadiness(options.platform),
    sandbox,
    workers: () => runningWorkers(options.platform.db),
    gauges: [...queueGauges(jobs), ...storageGauges({ space }), ...(options.gauges ?? [])],
  });
  const { listenHosts, PORT, DRAIN_SECONDS } = options.platform.config;
  const [first = '127.0.0.1', ...others] = listenHosts;
  const port = await server.listen(PORT, first, ...others);
  return {
    address: `http://${reachableHost(first)}:${port}`,
    async stop() {
      server.announceEnd();
      await sleep(DRAIN_SECONDS * 1_000);
      options.endWaits?.();
      await server.close({ graceMs: GRACE_MS });
    },
  };
}

/** The host for clients on this machine of a server that listens on `host`. */
function reachableHost(host: string): string {
  if (['::', '0.0.0.0', '::1', '127.0.0.1'].includes(host)) return 'localhost';
  return hostInUrl(host);
}
