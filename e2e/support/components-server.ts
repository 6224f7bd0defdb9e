import { join } from 'node:path';
import { createServer } from 'vite';

/** The page of components from its sources, as `npm run components` shows it. */
export async function startComponents(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const root = join(import.meta.dirname, '../../web');
  const configFile = join(root, 'vite.config.ts');
  const server = await createServer({ root, configFile, logLevel: 'error', server: { port: 0, hmr: false } });
  await server.listen();
  const address = server.httpServer?.address();
  if (typeof address !== 'object' || address === null) throw new Error('The page of components has no address.');
  return { url: `http://127.0.0.1:${address.port}/components.html`, stop: () => server.close() };
}
