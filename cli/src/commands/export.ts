import { rename } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import type { Client } from '../../../clients/typescript/src/index.ts';
import { type CommandContext, contextOf } from '../context.ts';
import { CliError } from '../errors.ts';
import { download } from '../exports/download.ts';
import { readDocument, readVariables } from '../graphql-input.ts';
import { collect, examples } from '../options.ts';

const POLL_MS = 1_000;

type DataExport = Awaited<ReturnType<Client['dataExport']>>;

/** Exports a list as a file of JSON lines. */
export const exportCommand = new Command('export')
  .summary('Export a whole list as JSON lines')
  .description(
    'Export a list without page limits: runs a query with one connection on the server, waits, and downloads one ' +
      'object a line. Interrupted downloads continue: the command says how.',
  )
  .argument('[QUERY]', 'The query, a file with it, or - for standard input')
  .option('-v, --var <NAME=VALUE>', 'A variable (may be repeated)', collect)
  .option('--variables <FILE>', 'File with the variables as one JSON object; --var overrides it')
  .option('--resume <ID>', 'Wait for and download an export that was requested before, instead of a new one')
  .option('-o, --out <FILE>', 'Write to this file, instead of export.jsonl', 'export.jsonl')
  .addHelpText(
    'after',
    examples(
      "reelgraph export '{ contents { edges { node { id card { title } } } } }' -o contents.jsonl",
      'reelgraph export contents.graphql --var sort=NEWEST',
    ),
  )
  .action(async (query, { var: pairs = [], variables, resume, out: file }, command) => {
    const fields = pairs.map((pair) => ({ kind: 'json' as const, pair }));
    const context = contextOf(command);
    const client = await context.client();
    const id = resume ?? (await request(context, client, query, await readVariables(variables, fields)));
    try {
      const complete = await waitFor(context, client, id);
      const partial = `${file}.${id.slice(-12)}.part`;
      await download(partial, {
        totalBytes: complete.sizeBytes,
        // Each has an expiry of its own.
        address: async () => (await client.dataExport({ id }, { signal: context.signal })).url,
        signal: context.signal,
        onProgress: (bytes) => showProgress(context, `downloaded ${percent(bytes, complete.sizeBytes)} %`),
      });
      await rename(partial, file);
      const { objectCount, sizeBytes } = complete;
      context.result({ id, file, objectCount, sizeBytes }, (out) =>
        out.line(`${file}: ${objectCount} lines, ${sizeBytes} bytes`),
      );
    } catch (error) {
      context.note(`Continue with: reelgraph export --resume ${id} --out ${file}`);
      throw error;
    }
  });

async function request(
  { signal }: Pick<CommandContext, 'signal'>,
  client: Client,
  query: string | undefined,
  variables: Readonly<Record<string, unknown>>,
): Promise<string> {
  if (query === undefined)
    throw new CliError('There is nothing to export.', 'Name a file with a query, or --resume ID.');
  const input = { query: await readDocument(query), variables };
  return (await client.exportData({ input }, { signal })).export.id;
}

async function waitFor(context: CommandContext, client: Client, id: string): Promise<DataExport> {
  for (;;) {
    const found = await client.dataExport({ id }, { signal: context.signal });
    if (found.status === 'COMPLETE') return found;
    if (found.status !== 'QUEUED' && found.status !== 'RUNNING')
      throw new CliError(found.error ?? `The export is ${found.status}.`, 'Request it again.');
    showProgress(context, found.status === 'QUEUED' ? 'waiting' : `exported ${found.objectCount} objects`);
    await sleep(POLL_MS, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted());
  }
}

function percent(bytes: number, total: number): number {
  return total === 0 ? 100 : Math.floor((100 * bytes) / total);
}

/** One line that is redrawn, on a terminal. */
function showProgress({ err, isQuiet, isJson }: CommandContext, text: string): void {
  if (!isQuiet && !isJson && err.isInteractive) err.write(`\r\u001b[K${text}`);
}
