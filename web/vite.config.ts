import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { initialChunk } from './chunks.ts';
import { messages } from './i18n/plugin.ts';

/**
 * Three pages: the app, the player alone for other sites, and the API explorer, which alone carries GraphiQL. And
 * player.js, a classic script for other sites, which keeps its names to itself. API_ORIGIN points `vite` at a running
 * platform; APP_LANGUAGE is the language of the build, see build.ts.
 */
const platform = process.env.API_ORIGIN ?? 'http://localhost:4000';
const language = process.env.APP_LANGUAGE ?? 'en';
const page = (name: string): string => resolve(import.meta.dirname, name);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [messages(language), react(), tailwindcss()],
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
        ...(language === 'en' ? { graphiql: page('graphiql.html'), player: page('../player/src/script.ts') } : {}),
      },
      output: {
        codeSplitting: { groups: [{ name: initialChunk, includeDependenciesRecursively: false }] },
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
