import { readFile } from 'node:fs/promises';
import { databaseSchema } from './database-schema.ts';
import { environmentExample, settingsPage } from './settings-docs.ts';

export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

/** Everything that is generated and committed. */
export async function generatedFiles(): Promise<GeneratedFile[]> {
  return [
    { path: 'docs/settings.md', text: settingsPage() },
    { path: '.env.example', text: environmentExample() },
    { path: 'server/migrations/schema.sql', text: await databaseSchema() },
  ];
}

/** Paths whose committed text is not what would be generated now. */
export async function staleFiles(): Promise<string[]> {
  const stale: string[] = [];
  for (const { path, text } of await generatedFiles()) {
    const present = await readFile(path, 'utf8').catch(() => '');
    if (present !== text) stale.push(path);
  }
  return stale;
}
