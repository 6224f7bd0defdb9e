/** `npm run release-schema`: makes the present schema the contract that later changes are held against. */
import { copyFile } from 'node:fs/promises';
import { RELEASED } from './checks/schema-rules.ts';

await copyFile('schema.graphql', RELEASED);
console.log(RELEASED);
