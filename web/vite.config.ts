import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { chunkOf } from './chunks.ts';
import { embedPages, proxyTo } from './dev-proxy.ts';
import { messages } from './i18n/plugin.ts';

/**
 * `build.ts` names the pages of a build, and player.js, a classic script for other sites with names of its own.
 * API_ORIGIN points `vite` at a running platform; APP_LANGUAGE is the language of the build.
 */
const platform = process.env.API_ORIGIN ?? 'http://localhost:4000';
const language = process.env.APP_LANGUAGE ?? 'en';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [messages(language), react(), tailwindcss(), embedPages()],
  // The store of the router supports React 17 by a copy of a hook that React has itself.
  resolve: { alias: { 'use-sync-external-store/shim/with-selector': 'use-sync-external-store/with-selector' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or styles
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: [{ name: chunkOf, includeDependenciesRecursively: false }] },
        entryFileNames: ({ name }) => (name === 'script' ? 'player.js' : 'assets/[name]-[hash].js'),
        banner: ({ fileName }) => (fileName === 'player.js' ? '(() => {' : ''),
        footer: ({ fileName }) => (fileName === 'player.js' ? '})();' : ''),
      },
    },
  },
  server: { host: '127.0.0.1', proxy: proxyTo(platform) },
});
