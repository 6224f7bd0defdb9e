/** `npm run release-schema`: makes the current schema the contract for later changes. */
import { copyFile } from 'node:fs/promises';
import { RELEASED } from './checks/schema-rules.ts';

await copyFile('schema.graphql', RELEASED);
console.log(RELEASED);
