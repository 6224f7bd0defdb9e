import { createServer } from 'node:net';
import type { Config } from './config.ts';

/** Replaces port 0 with a free one, so that addresses are known before the server listens. */
export async function settleAddress(config: Config): Promise<Config> {
  if (config.PORT !== 0) return config;
  const port = await freePort();
  const isDefault = config.BASE_URL === 'http://localhost:0';
  return { ...config, PORT: port, BASE_URL: isDefault ? `http://localhost:${port}` : config.BASE_URL };
}

/** A port of the loopback interface that nothing listens on at present. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? done(address.port) : fail(new Error('No free port.')),
      );
    });
  });
}
