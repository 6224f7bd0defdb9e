import { Command } from '@commander-js/extra-typings';
import { operationKind } from '../../../clients/typescript/src/index.ts';
import { contextOf } from '../context.ts';
import { AlreadyReported, exitCodeOf } from '../errors.ts';
import { type Field, type FieldKind, readDocument, readVariables } from '../graphql-input.ts';
import { examples } from '../options.ts';
import { RawResponse } from '../raw-response.ts';

/** Sends any GraphQL document. */
export const query = new Command('query')
  .summary('Run a GraphQL document')
  .description(
    'Run a GraphQL document and print the JSON response: data, and errors if there are any; the exit ' +
      'code is that of the first error. A subscription prints one line of JSON per message until Ctrl-C. A ' +
      'value of --var is parsed as JSON if it is JSON, and is text otherwise; one of --field is parsed if it is ' +
      'true, false, null or an integer, and read from a file if it begins with @.',
  )
  .argument('[FILE]', 'File with the document, or the document itself (default, and for -: standard input)')
  .option('-v, --var <NAME=VALUE>', 'A variable (may be repeated)', fields('json'))
  .option('-F, --field <NAME=VALUE>', 'A variable, as `gh api` reads it (may be repeated)', fields('typed'))
  .option('-f, --raw-field <NAME=VALUE>', 'A variable that is text (may be repeated)', fields('text'))
  .option('--variables <FILE>', 'File with the variables as one JSON object, or the object; the others override it')
  .option('--operation <NAME>', 'The operation to run, in a document with several')
  .option(
    '-r, --raw',
    'Print the response as the platform sent it, with extensions; a subscription as its event stream',
  )
  .addHelpText(
    'after',
    examples(
      "reelgraph query '{ me { username } }'",
      'reelgraph query content.graphql --var id=did:reelgraph:content/feature/0198c5a0-…',
      'reelgraph query search.graphql -F first=5 -f query=2024 --raw',
      "echo '{ rateLimit { remaining } }' | reelgraph query --raw | jq .extensions.cost",
    ),
  )
  .action(async (source, options, command) => {
    const { var: json = [], field = [], rawField = [], variables: given, operation: operationName, raw } = options;
    const context = contextOf(command);
    const { out, err, signal, isJson } = context;
    const text = await readDocument(source);
    const variables = await readVariables(given, [...json, ...field, ...rawField]);
    const response = raw ? new RawResponse(out) : null;
    const client = await context.client(response?.fetch);
    if (operationKind(text, operationName) === 'subscription') {
      for await (const { data } of client.subscribe(text, variables, { signal, operationName }))
        if (!response) out.line(JSON.stringify(data));
      signal.throwIfAborted();
      return;
    }
    const { data, errors } = await client
      .answer(text, variables, { signal, operationName })
      .finally(() => response?.end());
    if (!response) {
      const document = errors.length > 0 ? { data, errors } : { data };
      out.line(JSON.stringify(document, null, out.isInteractive || isJson ? 2 : 0));
    }
    const [first] = errors;
    if (!first) return;
    if (!isJson && first.suggestedFix) err.line(`${err.style('cyan', 'try:')} ${first.suggestedFix}`);
    throw new AlreadyReported(exitCodeOf(first.code));
  });

/** Collects the values of an option that sets variables. */
function fields(kind: FieldKind): (pair: string, earlier?: readonly Field[]) => readonly Field[] {
  return (pair, earlier = []) => [...earlier, { kind, pair }];
}
