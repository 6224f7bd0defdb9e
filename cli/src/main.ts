#!/usr/bin/env node
import module from 'node:module';
import { join } from 'node:path';
import { stateFolder } from './folders.ts';
import { VERSION } from './version.ts';

/**
 * Starts the program, which is a file of its own: the version is known without it, and Node 22.8 and newer keep its
 * compiled code between runs, in a folder that only this user can write to.
 */
if (process.argv.length === 3 && process.argv[2] === '--version') process.stdout.write(`${VERSION}\n`);
else {
  module.enableCompileCache?.(join(stateFolder(process.env), 'compiled'));
  void import('./run.ts'); // without await: it shares modules with this one
}
