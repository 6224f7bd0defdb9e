import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Three pages: the app, the player alone for other sites, and the API explorer, which alone carries GraphiQL. And
 * player.js, a classic script for other sites, which keeps its names to itself. API_ORIGIN points `vite` at a running
 * platform.
 */
const platform = process.env.API_ORIGIN ?? 'http://localhost:4000';
const page = (name: string): string => resolve(import.meta.dirname, name);

/** Files below this are sent as they are. */
const LEAST_BYTES = 1_024;

/** Brotli copies at the highest level, which would take too long for a request; the server prefers them. */
const brotliCopies = (): Plugin => ({
  name: 'brotli-copies',
  writeBundle({ dir }, bundle) {
    for (const name of Object.keys(bundle)) {
      const path = resolve(dir ?? '', name);
      if (!/\.(?:js|css)$/.test(name) || statSync(path).size < LEAST_BYTES) continue;
      const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
      writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path), { params }));
    }
  },
});

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), brotliCopies()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or styles
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      input: {
        index: page('index.html'),
        embed: page('embed.html'),
        graphiql: page('graphiql.html'),
        player: page('../player/src/script.ts'),
      },
      output: {
        entryFileNames: ({ name }) => (name === 'player' ? 'player.js' : 'assets/[name]-[hash].js'),
        banner: ({ fileName }) => (fileName === 'player.js' ? '(() => {' : ''),
        footer: ({ fileName }) => (fileName === 'player.js' ? '})();' : ''),
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: Object.fromEntries(['/graphql', '/api', '/media', '/uploads', '/docs'].map((path) => [path, platform])),
  },
});
