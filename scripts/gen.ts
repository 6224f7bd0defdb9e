/** `npm run gen`: writes every generated file; `npm test` fails when one that is committed is not fresh. */
import { generatedFiles } from './gen/generated-files.ts';
import { writePythonClient } from './gen/python/write-python.ts';
import { writeWebTypes } from './gen/web-files.ts';
import { writeGenerated } from './gen/write-generated.ts';

for (const line of await writeGenerated(await generatedFiles())) console.log(line);
await writePythonClient();
await writeWebTypes();
process.exit(0);
