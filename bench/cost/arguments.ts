import pg from 'pg';
import { findArguments } from '../scale/arguments.ts';
import type { CaseArguments } from '../scale/cases.ts';
import type { ScaleDatabase } from '../scale/database.ts';

/** Kinds of contents with their own root fields, besides features. */
export const KINDS = ['episode', 'miniserie', 'season', 'serie', 'short', 'stream'] as const;

/** Identifiers that the documents need. */
export interface CostArguments extends CaseArguments {
  readonly kinds: Readonly<Record<(typeof KINDS)[number], string>>;
  readonly smallChannel: string;
  /** 100 contents of the reader's channel. */
  readonly own: readonly string[];
  readonly categories: readonly string[];
}

export async function findCostArguments(database: ScaleDatabase): Promise<CostArguments> {
  const places = await findArguments(database);
  const client = new pg.Client({ connectionString: database.postgres.url });
  await client.connect();
  // Mutations of an earlier run left rows and index entries that workers would have removed.
  await client.query('vacuum analyze');
  const ids = async (text: string, values: unknown[] = []) =>
    (await client.query<{ id: string }>(text, values)).rows.map(({ id }) => id);
  const did = (kind: string, id: string | undefined) => `did:reelgraph:${kind}/${id}`;
  const kinds: [string, string][] = [];
  for (const kind of KINDS) {
    const [id] = await ids('select id from contents where kind = upper($1) and listed order by id limit 1', [kind]);
    kinds.push([kind, did(`content/${kind}`, id)]);
  }
  const channel = database.channelId;
  const [small] = await ids(
    'select channel_id as id from content_listings where channel_id <> $1 order by content_id limit 1',
    [channel],
  );
  const own = await ids(
    `select id from contents where channel_id = $1 and kind = 'FEATURE' and listed order by id limit 100`,
    [channel],
  );
  const categories = await ids('select id from categories order by id');
  await client.end();
  return {
    ...places,
    kinds: Object.fromEntries(kinds) as CostArguments['kinds'], // one for each of KINDS
    own: own.map((id) => did('content/feature', id)),
    smallChannel: did('channel', small),
    categories: categories.map((id) => did('content/category', id)),
  };
}
