import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { SimulcastTarget } from '../../../clients/typescript/src/index.ts';
import { confirm, yesOption } from '../confirm.ts';
import { type CommandContext, contextOf } from '../context.ts';
import { CliError, EXIT } from '../errors.ts';
import { examples } from '../options.ts';
import { prompt, readStdin } from '../prompt.ts';
import type { Terminal } from '../terminal.ts';

const INPUT_ID = 'did:reelgraph:live-input/0198c5a0-…';
const TARGET_ID = 'did:reelgraph:simulcast-target/0198c5a0-…';
const TARGET = 'id name url isEnabled state error';
const LIST = `query CliSimulcastTargets($id: DID!) {
  node(id: $id) { ... on LiveInput { simulcastTargets { edges { node { ${TARGET} } } } } }
}`;
const ONE = `query CliSimulcastTarget($id: DID!) { node(id: $id) { ... on SimulcastTarget { ${TARGET} } } }`;
const FROM_TERMINAL = 'It is asked for, and not shown; without a terminal it is read from standard input.';

type ListedTarget = Pick<SimulcastTarget, 'id' | 'name' | 'url' | 'isEnabled' | 'state' | 'error'>;

const list = new Command('targets')
  .description('List the simulcast targets of a live input: other servers at which its broadcasts are published')
  .argument('<INPUT>', 'Identifier of a live input')
  .addHelpText('after', examples(`reelgraph live targets ${INPUT_ID}`))
  .action(async (id, _options, command) => {
    type List = { readonly edges: readonly { readonly node: ListedTarget }[] };
    type Data = { readonly node: { readonly simulcastTargets?: List } | null };
    const context = contextOf(command);
    const { node } = await (await context.client()).request<Data>(LIST, { id }, { signal: context.signal });
    if (!node?.simulcastTargets)
      throw new CliError(`${id} is not a live input of yours.`, 'Name one of `reelgraph live list`.', EXIT.notFound);
    const simulcastTargets = node.simulcastTargets.edges.map((edge) => edge.node);
    context.result({ simulcastTargets }, (out) =>
      out.list(simulcastTargets.map((target) => [target.id, stateOf(out, target), `${target.name} ${target.url}`])),
    );
    if (simulcastTargets.length === 0) context.note('No simulcast targets. Add one with `reelgraph live add-target`.');
  });

const add = new Command('add-target')
  .summary('Publish the broadcasts of a live input at another server, too')
  .description(`Publish the broadcasts of a live input at another server, too, with a stream key. ${FROM_TERMINAL}`)
  .argument('<INPUT>', 'Identifier of a live input')
  .argument('<NAME>', 'Its name, such as that of the other service')
  .argument('<ADDRESS>', 'Where to publish: rtmp or rtmps, without the stream key')
  .addHelpText(
    'after',
    examples(
      `reelgraph live add-target ${INPUT_ID} YouTube rtmps://a.rtmps.youtube.com/live2`,
      `reelgraph live add-target ${INPUT_ID} Twitch rtmp://live.twitch.tv/app < key.txt`,
    ),
  )
  .action(async (liveInput, name, url, _options, command) => {
    const context = contextOf(command);
    const input = { liveInput, name, url, streamKey: await readKey(context) };
    const { simulcastTarget } = await (await context.client()).createSimulcastTarget(
      { input },
      { signal: context.signal },
    );
    context.done(simulcastTarget, 'added', simulcastTarget.id);
  });

const update = new Command('update-target')
  .summary('Change a simulcast target, or switch it on or off')
  .description(
    'Change a simulcast target, or switch it on or off, also while its live input is live. With --key it gets ' +
      `another stream key. ${FROM_TERMINAL}`,
  )
  .argument('<TARGET>', 'Identifier of a simulcast target')
  .option('--name <NAME>', 'Its name')
  .option('-a, --address <ADDRESS>', 'Where to publish')
  .option('--key', 'Replace the stream key')
  .addOption(new Option('--enable', 'Publish there').conflicts('disable'))
  .option('--disable', 'Do not publish there')
  .addHelpText('after', examples(`reelgraph live update-target ${TARGET_ID} --disable`))
  .action(async (id, { name, address: url, key, enable, disable }, command) => {
    const isEnabled = enable ? true : disable ? false : undefined;
    if (!key && [name, url, isEnabled].every((value) => value === undefined))
      throw new CliError('Nothing to change was named.', 'Add --help to see what can be changed.');
    const context = contextOf(command);
    const streamKey = key ? await readKey(context) : undefined;
    const { simulcastTarget } = await (await context.client()).updateSimulcastTarget(
      { id, input: { name, url, streamKey, isEnabled } },
      { signal: context.signal },
    );
    context.done(simulcastTarget, 'updated', simulcastTarget.id);
  });

const remove = new Command('delete-target')
  .description('Delete a simulcast target; what is published there ends')
  .argument('<TARGET>', 'Identifier of a simulcast target')
  .addOption(yesOption)
  .addHelpText('after', examples(`reelgraph live delete-target ${TARGET_ID}`))
  .action(async (id, { yes }, command) => {
    type Data = { readonly node: Partial<ListedTarget> | null };
    const context = contextOf(command);
    const client = await context.client();
    const { node } = await client.request<Data>(ONE, { id }, { signal: context.signal });
    if (node?.name === undefined)
      throw new CliError(
        `${id} is not a simulcast target of yours.`,
        'Name one of `reelgraph live targets`.',
        EXIT.notFound,
      );
    await confirm(context, yes, `Delete the simulcast target ${node.name} for good?`);
    const deleted = await client.deleteSimulcastTarget({ id }, { signal: context.signal });
    context.done(deleted, 'deleted', id);
  });

/** Not an argument, which other users of the machine could read. */
async function readKey({ signal }: CommandContext): Promise<string> {
  const key = process.stdin.isTTY ? await prompt('Stream key (not shown): ', true, signal) : await readStdin();
  if (key.trim() === '') throw new CliError('The stream key is empty.', 'Copy it from the other service.');
  return key.trim();
}

function stateOf(out: Terminal, { state, isEnabled, error }: ListedTarget): string {
  if (!isEnabled) return 'off';
  const name = state.toLowerCase();
  const text = error === null ? name : `${name}: ${error}`;
  if (state === 'LIVE') return out.style('green', text);
  return state === 'RETRYING' ? out.style('yellow', text) : text;
}

/** Other servers at which the broadcasts of a live input are published. */
export const targetCommands: readonly CommandUnknownOpts[] = [list, add, update, remove];
