import { defineConfig } from 'rolldown';

/** Two files that run on Node alone: the start, and the program. Commander is part of it, so its licence is too. */
const NOTICE = '/*! Contains Commander.js. MIT License. Copyright (c) 2011 TJ Holowaychuk <tj@vision-media.ca> */';

export default defineConfig({
  input: 'cli/src/main.ts',
  platform: 'node',
  output: { dir: 'cli/dist', chunkFileNames: '[name].js', format: 'esm', postBanner: NOTICE, cleanDir: true },
});
