/**
 * `npm run release-schema`: part of a release of the platform. Later changes are compared with what the current version
 * of the API has now. `-- --publish` also publishes the latest version: its contract does not change any more.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { printedSchema } from '../server/src/gql/printed-schema.ts';
import { SchemaVersions } from '../server/src/gql/schema-versions.ts';
import { ApiVersions, apiVersions } from '../server/src/kernel/api-versions.ts';
import { platformSchema } from '../server/src/schema.ts';
import { findBreakingChanges } from './checks/schema-rules.ts';
import { contractPath, RELEASED } from './versions/contracts.ts';
import { withPublication } from './versions/publication.ts';

const TABLE = 'server/src/kernel/api-versions.ts';

const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } });
const broken = await findBreakingChanges();
if (broken !== null) {
  console.error(broken);
  process.exit(1);
}
let versions = apiVersions;
if (values.publish) {
  const today = new Date().toISOString().slice(0, 10);
  await writeFile(TABLE, withPublication(await readFile(TABLE, 'utf8'), apiVersions.latest, today));
  const all = apiVersions.all.map((version) => ({ ...version, publishedOn: version.publishedOn ?? today }));
  versions = new ApiVersions(all);
  await writeFile(
    contractPath(versions.latest),
    printedSchema(new SchemaVersions(platformSchema(), versions).of(versions.latest)),
  );
  console.log(`${TABLE}: ${versions.latest} is published`);
}
await writeFile(RELEASED, printedSchema(new SchemaVersions(platformSchema(), versions).current));
console.log(`${RELEASED}\nRun npm run gen for the changelog.`);
process.exit(0);
