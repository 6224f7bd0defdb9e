import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { Engine } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Person, type TestCatalog, uuidOf } from '../../catalog/testing.ts';
import { exportData, failDataExport } from './export-data.handler.ts';

export const EXPORT = 'mutation ($input: ExportDataInput!) { exportData(input: $input) { export { id status } } }';
export const READ = `query ($id: DID!) { dataExport(id: $id) {
  id status query variables objectCount sizeBytes url error errorCode createdAt startedAt finishedAt expiresAt
} }`;

/** Parts of an export that tests replace. */
interface Replaced {
  readonly platform?: Partial<Pick<TestCatalog['platform'], 'db' | 'store' | 'clock'>>;
  readonly engine?: Engine;
  readonly partBytes?: number;
}

export async function order(api: TestCatalog, who: Person, query: string, variables?: object): Promise<string> {
  return (await api.ok(who, EXPORT, { input: { query, variables } })).exportData.export.id;
}

/** Runs the job once, as a worker does. */
export async function attempt(api: TestCatalog, id: string, replaced: Replaced = {}): Promise<void> {
  const platform = { ...api.platform, ...replaced.platform };
  const { engine = api.domains.engine, partBytes } = replaced;
  const tools = { platform, engine, ...(partBytes === undefined ? {} : { partBytes }) };
  await exportData(tools, uuidOf(id), { signal: new AbortController().signal, attempt: 1 });
}

/** Runs the job, and ends the export when it fails for good. */
export async function work(api: TestCatalog, id: string, replaced: Replaced = {}): Promise<void> {
  await attempt(api, id, replaced).catch((error: unknown) => {
    assert.ok(error instanceof AppError, String(error));
    return failDataExport(api.platform, uuidOf(id), error);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: lines vary with the queries; assertions check them
export type Line = any;

/** The lines that are stored. */
export async function linesOf(api: TestCatalog, id: string): Promise<Line[]> {
  const parts = await api.rows<{ key: string }>(
    'select object_key as key from data_export_parts where export_id = $1 order by number',
    [uuidOf(id)],
  );
  let text = '';
  for (const { key } of parts) {
    const found = (await api.platform.store.read(key)) ?? assert.fail(`${key} is stored`);
    text += gunzipSync(await buffer(found.stream)).toString();
  }
  assert.ok(text === '' || text.endsWith('\n'), 'the last line is whole');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** Writes a comment or a reply; returns its DID. */
export async function insertComment(
  api: TestCatalog,
  author: Person,
  content: string,
  { body = 'Text', parent = null }: { readonly body?: string; readonly parent?: string | null } = {},
): Promise<string> {
  api.clock.advance(1);
  const { id } = await api.row<{ id: string }>(
    `insert into comments (id, content_id, channel_id, account_id, parent_id, root_id, depth, body, created_at)
     select gen_random_uuid(), c.id, c.channel_id, $2, p.id, coalesce(p.root_id, p.id), coalesce(p.depth + 1, 0), $4, $5
     from contents c left join comments p on p.id = $3 where c.id = $1 returning id`,
    [uuidOf(content), author.accountId, parent && uuidOf(parent), body, new Date(api.clock.now()).toISOString()],
  );
  return `did:reelgraph:comment/${id}`;
}
