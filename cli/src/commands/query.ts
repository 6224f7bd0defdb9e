import { Command } from '@commander-js/extra-typings';
import { operationKind } from '../../../client/src/index.ts';
import { contextOf } from '../context.ts';
import { AlreadyReported, CliError, exitCodeOf } from '../errors.ts';
import { readTextFile } from '../files.ts';
import { collect, examples } from '../options.ts';
import { readStdin } from '../prompt.ts';

/** Sends any GraphQL document. */
export const query = new Command('query')
  .summary('Run a GraphQL document')
  .description(
    'Run a GraphQL document and print the JSON response: data, and errors if there are any; the exit ' +
      'code is that of the first error. A subscription prints one line of JSON per message until Ctrl-C. A ' +
      'value of --var is parsed as JSON if it is JSON, and is text otherwise.',
  )
  .argument('<FILE>', 'File with the document, or - for standard input')
  .option('-v, --var <NAME=VALUE>', 'A variable (may be repeated)', collect)
  .option('--variables <FILE>', 'File with the variables as one JSON object; --var overrides it')
  .option('--operation <NAME>', 'The operation to run, in a document with several')
  .addHelpText(
    'after',
    examples(
      "echo '{ me { username } }' | reelgraph query -",
      'reelgraph query content.graphql --var id=did:reelgraph:content/feature/0198c5a0-…',
    ),
  )
  .action(async (file, { var: pairs = [], variables: variablesFile, operation: operationName }, command) => {
    const context = contextOf(command);
    const { out, err, signal, isJson } = context;
    const text = file === '-' ? await readStdin() : await readTextFile(file);
    const variables = await readQueryVariables(variablesFile, pairs);
    const client = await context.client();
    if (operationKind(text, operationName) === 'subscription') {
      for await (const { data } of client.subscribe(text, variables, { signal, operationName }))
        out.line(JSON.stringify(data));
      signal.throwIfAborted();
      return;
    }
    const { data, errors } = await client.answer(text, variables, { signal, operationName });
    out.line(
      JSON.stringify(errors.length > 0 ? { data, errors } : { data }, null, out.isInteractive || isJson ? 2 : 0),
    );
    const [first] = errors;
    if (!first) return;
    if (!isJson && first.suggestedFix) err.line(`${err.style('cyan', 'try:')} ${first.suggestedFix}`);
    throw new AlreadyReported(exitCodeOf(first.code));
  });

/** The variables of --variables and --var. */
export async function readQueryVariables(
  file: string | undefined,
  pairs: readonly string[],
): Promise<Record<string, unknown>> {
  return { ...(await readVariables(file)), ...Object.fromEntries(pairs.map(readVariable)) };
}

async function readVariables(file: string | undefined): Promise<Record<string, unknown>> {
  return file === undefined ? {} : parseObject(await readTextFile(file), file);
}

function readVariable(pair: string): [string, unknown] {
  const equals = pair.indexOf('=');
  if (equals < 1) throw new CliError(`--var ${pair} is invalid.`, 'Use the form NAME=VALUE.');
  const value = pair.slice(equals + 1);
  try {
    return [pair.slice(0, equals), JSON.parse(value)];
  } catch {
    return [pair.slice(0, equals), value];
  }
}

function parseObject(text: string, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // reported below
  }
  throw new CliError(`${file} does not contain a JSON object.`, 'Write the variables as {"name": "value"}.');
}
