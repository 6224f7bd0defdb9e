import { operationKind } from '../../../client/src/index.ts';
import { readInput } from '../ask.ts';
import type { Call } from '../call.ts';
import type { Command } from '../command.ts';
import { CliError, exitCodeOf, Told } from '../failures.ts';
import { readTextFile } from '../files.ts';

/** Sends a document of one's own. */
export const query: Command = {
  name: 'query',
  about: 'Run a GraphQL document of your own',
  details:
    'Answers with the JSON of the platform: data, and errors where there are some; then the exit code tells the first one. A subscription prints one line of JSON for each message until Ctrl-C. A value of --var is read as JSON where it is JSON, and as text otherwise.',
  operands: [{ name: 'FILE', about: 'File with the document, or - for the standard input', isFile: true }],
  options: [
    { name: 'var', short: 'v', value: 'NAME=VALUE', repeated: true, about: 'A variable' },
    { name: 'variables', value: 'FILE', about: 'File with the variables as one JSON object; --var goes before it' },
    { name: 'operation', value: 'NAME', about: 'Which operation of a document that holds several' },
  ],
  examples: [
    "echo '{ me { username } }' | reelgraph query -",
    'reelgraph query content.graphql --var id=did:reelgraph:content/feature/0198c5a0-…',
  ],
  async run(call) {
    const text = call.values.first === '-' ? await readInput() : await readTextFile(call.values.first);
    const variables = await readVariables(call);
    const client = await call.client();
    const options = { signal: call.signal, operationName: call.values.text('operation') };
    if (operationKind(text, options.operationName) === 'subscription') {
      for await (const { data } of client.subscribe(text, variables, options)) call.out.line(JSON.stringify(data));
      call.signal.throwIfAborted();
      return;
    }
    const { data, errors } = await client.answer(text, variables, options);
    call.out.line(JSON.stringify(errors.length > 0 ? { data, errors } : { data }, null, call.out.isLive || call.isJson ? 2 : 0));
    const [first] = errors;
    if (!first) return;
    if (!call.isJson && first.suggestedFix) call.err.line(`${call.err.style('cyan', 'try:')} ${first.suggestedFix}`);
    throw new Told(exitCodeOf(first.code));
  },
};

async function readVariables(call: Call): Promise<Record<string, unknown>> {
  const file = call.values.text('variables');
  const ofFile = file === undefined ? {} : readObject(await readTextFile(file), file);
  return { ...ofFile, ...Object.fromEntries(call.values.texts('var').map(readVariable)) };
}

function readVariable(given: string): [string, unknown] {
  const equals = given.indexOf('=');
  if (equals < 1) throw new CliError(`--var is not ${given}.`, 'Give it as NAME=VALUE.');
  const value = given.slice(equals + 1);
  try {
    return [given.slice(0, equals), JSON.parse(value)];
  } catch {
    return [given.slice(0, equals), value];
  }
}

function readObject(text: string, file: string): Record<string, unknown> {
  try {
    const found: unknown = JSON.parse(text);
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) return { ...found };
  } catch {
    // told below
  }
  throw new CliError(`${file} holds no JSON object.`, 'Write the variables as {"name": "value"}.');
}
