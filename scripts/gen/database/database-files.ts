import pg from 'pg';
import { createTestDatabase } from '../../../server/src/platform/db/testing.ts';
import { counterTriggers } from './counter-triggers.ts';
import { queueTriggers } from './queue-triggers.ts';
import { revisionTriggers } from './revision-triggers.ts';
import { schemaText } from './schema-text.ts';
import { searchTriggers } from './search-triggers.ts';
import { writeEffectsPage } from './write-effects.ts';

/**
 * Generated files of the database: the triggers of counters, search documents, the queue of statistics and revisions,
 * the schema, and the page of what a write causes.
 */
export async function databaseFiles(): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const triggers = [
    { path: 'server/migrations/repeatable/counters.sql', text: counterTriggers() },
    { path: 'server/migrations/repeatable/search-documents.sql', text: searchTriggers() },
    { path: 'server/migrations/repeatable/stats-queue.sql', text: queueTriggers() },
    { path: 'server/migrations/repeatable/revisions.sql', text: revisionTriggers() },
  ];
  return withDatabase(async (client) => {
    // The database was created from the committed files, which may be older.
    await client.query('set check_function_bodies = off');
    for (const { text } of triggers) await client.query(text);
    return [
      ...triggers,
      {
        path: 'server/migrations/schema.sql',
        text: `-- Generated from the migrations by npm run gen.\n\n${await schemaText(client)}`,
      },
      { path: 'docs/database-writes.md', text: await writeEffectsPage(client) },
    ];
  });
}

async function withDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const database = await createTestDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
    await database.close();
  }
}
