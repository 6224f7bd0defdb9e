import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Route } from '../../server/src/platform/routing.ts';

const PAGE = `<!doctype html><body><video width="320" height="180" crossorigin></video>
  <script src="/shaka.js"></script>
  <script src="/probe.js"></script>
  <script type="module">
    import Hls from '/hls.js';
    import dashjs from '/dash.js';
    Object.assign(globalThis, { Hls, dashjs });
  </script>
  <script type="module" src="/page.js"></script>`;

/** What `probe` of a page is; it is a script of any page. */
export const VIDEO_PROBE = join(import.meta.dirname, 'video-probe.mjs');

const routeTo = (path: string, type: string, load: () => Promise<string | Buffer>): Route => ({
  method: 'GET',
  path,
  handle: async (_, response) => void response.writeHead(200, { 'Content-Type': type }).end(await load()),
});
const script = (path: string, file: string): Route => routeTo(path, 'text/javascript', () => readFile(file));

/** The page `/page` of a site, with the players that integrators use: `lab` opens an address in one of them. */
export const playersPage = (): Route[] => [
  routeTo('/page', 'text/html', async () => PAGE),
  script('/page.js', join(import.meta.dirname, 'players-page.mjs')),
  script('/probe.js', VIDEO_PROBE),
  script('/hls.js', join(import.meta.dirname, '../../node_modules/hls.js/dist/hls.mjs')),
  script('/shaka.js', fileURLToPath(import.meta.resolve('shaka-player'))),
  script('/dash.js', fileURLToPath(import.meta.resolve('dashjs'))),
];
