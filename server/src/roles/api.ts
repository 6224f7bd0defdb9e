import { createHttpServer, type HttpServerOptions } from '../http/server.ts';
import type { Runner } from '../media/index.ts';
import type { Platform } from '../platform/platform.ts';
import { sandboxHealth } from './media-runner.ts';
import { queueGauges, queueReadiness } from './queue-health.ts';
import type { RunningRole } from './role.ts';

/** Requests in progress have this long when the platform stops. */
const DRAIN_MS = 10_000;

export interface RunningApi extends RunningRole {
  /** Where this instance listens, for clients on this machine. */
  readonly address: string;
}

export interface ApiOptions extends Omit<HttpServerOptions, 'sandbox'> {
  readonly runner: Pick<Runner, 'sandbox' | 'isUsable'>;
  readonly platform: HttpServerOptions['platform'] & Pick<Platform, 'jobs'>;
}

/** Starts the HTTP edge over what the domains offer; it watches the job queue too. */
export async function startApi(options: ApiOptions): Promise<RunningApi> {
  const { jobs } = options.platform;
  const readiness = [queueReadiness(jobs), ...(options.readiness ?? [])];
  const sandbox = () => sandboxHealth(options.runner);
  const server = createHttpServer({ ...options, readiness, sandbox, gauges: [...queueGauges(jobs), ...(options.gauges ?? [])] });
  const { HOST, PORT } = options.platform.config;
  const port = await server.listen(PORT, HOST);
  return { address: `http://localhost:${port}`, stop: () => server.close({ graceMs: DRAIN_MS }) };
}
