/** `npm run build:python`: builds the wheel of the Python client in clients/python/dist, without a network. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildWheel } from './python-wheel.ts';

const FOLDER = join(import.meta.dirname, '../clients/python/dist');

await rm(FOLDER, { recursive: true, force: true });
await buildWheel(FOLDER);
for (const name of await readdir(FOLDER)) console.log(join('clients/python/dist', name));
