/** `npm run gen`: writes every generated file; `npm test` fails when one is not fresh. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { generatedFiles } from './gen/generated-files.ts';

for (const { path, text } of await generatedFiles()) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  console.log(path);
}
process.exit(0);
