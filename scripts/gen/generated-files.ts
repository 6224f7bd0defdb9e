import { readFile } from 'node:fs/promises';
import { nodeTypes } from '@reelgraph/sql-planner';
import { printedSchema } from '../../server/src/gql/printed-schema.ts';
import { SchemaVersions } from '../../server/src/gql/schema-versions.ts';
import { apiVersions } from '../../server/src/kernel/api-versions.ts';
import { platformSchema } from '../../server/src/schema.ts';
import { versionFiles } from '../versions/contracts.ts';
import { appPages } from './app-pages.ts';
import { clientFiles } from './client-files.ts';
import { databaseFiles } from './database/database-files.ts';
import { decisionsIndex } from './decisions.ts';
import { gitAttributes } from './git-attributes.ts';
import { leftoverFiles } from './leftover-files.ts';
import { environmentExample, settingsPage } from './settings-docs.ts';
import { strictSchema } from './strict-schema.ts';
import { webFiles } from './web-files.ts';

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** Everything that is generated and committed. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  const whole = platformSchema();
  // Of the current version, as programs read it at /schema.graphql.
  const schema = printedSchema(new SchemaVersions(whole, apiVersions).current);
  // The programs that are generated throw what is an error.
  const strict = strictSchema(schema);
  const files = [
    { path: 'schema.graphql', text: schema },
    ...(await versionFiles(whole)),
    ...webFiles(strict),
    await appPages(),
    ...clientFiles(strict, nodeTypes(whole)),
    { path: 'docs/settings.md', text: settingsPage() },
    { path: '.env.example', text: environmentExample() },
    await decisionsIndex(),
    ...(await databaseFiles()),
  ];
  return [...files, { path: '.gitattributes', text: gitAttributes(files.map(({ path }) => path)) }];
}

/** Paths whose committed text is stale, and those of files that are no longer generated. */
export async function staleFiles(): Promise<string[]> {
  const stale: string[] = [];
  const files = await generatedFiles();
  for (const { path, text } of files) {
    const present = await readFile(path, 'utf8').catch(() => '');
    if (present !== text) stale.push(path);
  }
  return [...stale, ...(await leftoverFiles(files.map(({ path }) => path)))];
}
