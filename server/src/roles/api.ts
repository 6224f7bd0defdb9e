import { createHttpServer, type HttpServerOptions } from '../http/server.ts';
import type { RunningRole } from './role.ts';

/** Requests in progress have this long when the platform stops. */
const DRAIN_MS = 10_000;

export interface RunningApi extends RunningRole {
  /** Where this instance listens, for clients on this machine. */
  readonly address: string;
}

/** Starts the HTTP edge over what the domains offer. */
export async function startApi(options: HttpServerOptions): Promise<RunningApi> {
  const server = createHttpServer(options);
  const { HOST, PORT } = options.platform.config;
  const port = await server.listen(PORT, HOST);
  return { address: `http://localhost:${port}`, stop: () => server.close({ graceMs: DRAIN_MS }) };
}
