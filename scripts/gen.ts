/** `npm run gen`: writes every generated file; `npm test` fails when one is not fresh. */

import { generatedFiles } from './gen/generated-files.ts';
import { writeGenerated } from './gen/write-generated.ts';

for (const line of await writeGenerated(await generatedFiles())) console.log(line);
process.exit(0);
