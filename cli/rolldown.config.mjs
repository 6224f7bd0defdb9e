import { defineConfig } from 'rolldown';

/** One file that runs on Node alone. Commander is part of it, so its licence is too. */
const NOTICE = '/*! Contains Commander.js. MIT License. Copyright (c) 2011 TJ Holowaychuk <tj@vision-media.ca> */';

export default defineConfig({
  input: 'cli/src/main.ts',
  platform: 'node',
  output: { file: 'cli/dist/main.js', format: 'esm', postBanner: NOTICE, cleanDir: true },
});
