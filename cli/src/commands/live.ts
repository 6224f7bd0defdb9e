import { Argument, Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Connection, LiveInput } from '../../../clients/typescript/src/index.ts';
import { confirm, yesOption } from '../confirm.ts';
import { type CommandContext, contextOf } from '../context.ts';
import { CliError, EXIT } from '../errors.ts';
import { noteRest, readList } from '../lists.ts';
import { channelOption, examples, limitOption } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { chat, say } from './live-chat.ts';
import { scheduleCommands } from './live-schedule.ts';
import { targetCommands } from './live-targets.ts';

const VISIBILITIES = ['PUBLIC', 'UNLISTED', 'PRIVATE'] as const;
const LATENCIES = ['LOW', 'NORMAL'] as const;
const STARTS = ['AUTOMATIC', 'MANUAL'] as const;
const CHAT_MODES = ['EVERYONE', 'FOLLOWERS', 'MEMBERS', 'NOBODY'] as const;
const RECORDINGS = ['ALL', 'ROLLING', 'NONE'] as const;

const ID = 'did:reelgraph:live-input/0198c5a0-…';
/** Everything but the stream key and the passphrase. */
const INPUT = `id name state latency recording start visibility reconnectWindowMs srt preview chatMode chatSlowModeMs
  ingest { rtmp rtmps srt whip } createdAt channel { id handle } currentStream { id shortUrl }`;
const LIST = `query CliLiveInputs($channel: DID, $first: Int, $after: String) {
  liveInputs(channel: $channel, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ${INPUT} } }
  }
}`;
const ONE = `query CliLiveInput($id: DID!) { node(id: $id) { ... on LiveInput { ${INPUT} streamKey srtPassphrase } } }`;

type ListedInput = Pick<
  LiveInput,
  | 'id'
  | 'name'
  | 'state'
  | 'latency'
  | 'recording'
  | 'start'
  | 'preview'
  | 'chatMode'
  | 'chatSlowModeMs'
  | 'visibility'
  | 'reconnectWindowMs'
  | 'srt'
  | 'ingest'
  | 'createdAt'
> & {
  readonly channel: { readonly id: string; readonly handle: string };
  readonly currentStream: { readonly id: string; readonly shortUrl: string } | null;
};
type ShownInput = ListedInput & Pick<LiveInput, 'streamKey' | 'srtPassphrase'>;

const list = new Command('list')
  .description('List the live inputs of a channel')
  .addOption(channelOption)
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph live list'))
  .action(async ({ channel: named, limit }, command) => {
    type Data = { readonly liveInputs: Connection<ListedInput> | null };
    const context = contextOf(command);
    const client = await context.client();
    const channel = await context.channelIdOrOwn(client, named);
    const page = { limit, signal: context.signal };
    const found = await readList(
      client.paginate<Connection<ListedInput>, Data>(LIST, { channel }, ({ liveInputs }) => liveInputs, page),
    );
    context.result({ totalCount: found.totalCount, liveInputs: found.nodes }, (out) =>
      out.list(found.nodes.map((input) => [input.id, stateOf(out, input), input.name])),
    );
    noteRest(context, found, 'No live inputs. Create one with `reelgraph live create`.');
  });

const show = new Command('show')
  .description('Show a live input')
  .argument('<INPUT>', 'Identifier of a live input')
  .option('--key', 'Also show the stream key and the passphrase for SRT: whoever has one can broadcast')
  .addHelpText('after', examples(`reelgraph live show ${ID}`))
  .action(async (id, { key: isShown = false }, command) => {
    const context = contextOf(command);
    const { streamKey, srtPassphrase, ...input } = await readInput(context, id);
    context.result(isShown ? { ...input, streamKey, srtPassphrase } : input, (out) =>
      out.properties([
        ['name', out.style('bold', input.name)],
        ['id', input.id],
        ['channel', `@${input.channel.handle}`],
        ['state', stateOf(out, input)],
        ['stream', input.currentStream?.shortUrl ?? null],
        ['server', input.ingest.rtmp],
        ['encrypted server', input.ingest.rtmps],
        ['stream key', isShown ? streamKey : null],
        ['SRT server', input.ingest.srt],
        ['WHIP address', input.ingest.whip],
        ['SRT passphrase', isShown ? srtPassphrase : null],
        ['visibility', input.visibility.toLowerCase()],
        ['latency', input.latency.toLowerCase()],
        ['recording', input.recording.toLowerCase()],
        ['start', input.start.toLowerCase()],
        ['preview', input.preview],
        ['chat', input.chatMode.toLowerCase()],
        ['slow mode of the chat', `${input.chatSlowModeMs / 1_000} s`],
        ['reconnect window', `${input.reconnectWindowMs / 1_000} s`],
      ]),
    );
  });

const create = new Command('create')
  .summary('Create a live input, to which an encoder publishes')
  .description('Create a live input, to which an encoder publishes. Prints its address and its stream key.')
  .argument('<NAME>', 'Its name, which is the title of the streams that it makes')
  .addOption(channelOption)
  .addOption(new Option('--visibility <VISIBILITY>', 'Who may watch; private by default').choices(VISIBILITIES))
  .addOption(new Option('--latency <LATENCY>', 'How far viewers are behind; low by default').choices(LATENCIES))
  .addOption(new Option('--recording <RECORDING>', 'What is kept; all by default').choices(RECORDINGS))
  .addOption(new Option('--start <START>', 'How broadcasts begin; automatic by default').choices(STARTS))
  .addOption(new Option('--chat <MODE>', 'Who can write in chats; everyone by default').choices(CHAT_MODES))
  .option('--srt', 'Also receive SRT')
  .addHelpText('after', examples('reelgraph live create "Studio camera" --visibility unlisted'))
  .action(
    async (name, { channel: named, visibility, latency, recording, start: begins, chat: chatMode, srt }, command) => {
      const context = contextOf(command);
      const client = await context.client();
      const channel = await context.channelId(client, named);
      const input = { channel, name, visibility, latency, recording, start: begins, chatMode, srt };
      const { liveInput } = await client.createLiveInput({ input }, { signal: context.signal });
      context.result(liveInput, (out) => {
        out.line(`${out.style('green', '✔')} created ${liveInput.id}`);
        const { rtmp, rtmps } = liveInput.ingest;
        out.line(`server: ${rtmps ?? rtmp ?? 'this server does not receive RTMP'}`);
        out.line(`stream key: ${liveInput.streamKey}`);
        if (liveInput.srt) {
          out.line(`SRT server: ${liveInput.ingest.srt ?? 'this server does not receive SRT'}`);
          out.line(`SRT passphrase: ${liveInput.srtPassphrase}`);
        }
      });
    },
  );

const setSrt = new Command('set-srt')
  .description('Switch on or off whether a live input also receives SRT')
  .argument('<INPUT>', 'Identifier of a live input')
  .addArgument(new Argument('<STATE>', 'Whether it does').choices(['on', 'off'] as const))
  .addHelpText('after', examples(`reelgraph live set-srt ${ID} on`))
  .action(async (id, state, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const { liveInput } = await client.updateLiveInput(
      { id, input: { srt: state === 'on' } },
      { signal: context.signal },
    );
    context.result(liveInput, (out) =>
      out.properties([
        ['SRT', liveInput.srt ? 'on' : 'off'],
        ['SRT server', liveInput.ingest.srt],
        ['SRT passphrase', liveInput.srtPassphrase],
      ]),
    );
  });

const rotate = new Command('rotate-key')
  .description(
    'Give a live input another stream key and passphrase; encoders that connect with the old one are refused',
  )
  .argument('<INPUT>', 'Identifier of a live input')
  .addHelpText('after', examples(`reelgraph live rotate-key ${ID}`))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const { liveInput } = await (await context.client()).rotateLiveInputKey({ id }, { signal: context.signal });
    context.result(liveInput, (out) => {
      out.line(liveInput.streamKey);
      if (liveInput.srtPassphrase !== null) out.line(`SRT passphrase: ${liveInput.srtPassphrase}`);
    });
  });

const start = new Command('start')
  .description('Go live: viewers see what the encoder of a live input sends, and it is recorded')
  .argument('<INPUT>', 'Identifier of a live input')
  .addHelpText('after', examples(`reelgraph live start ${ID}`))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const { liveInput } = await (await context.client()).startBroadcast({ id }, { signal: context.signal });
    context.done(liveInput, 'started', id);
  });

const end = new Command('end')
  .description('End the broadcast of a stream; its encoder is refused for a minute')
  .argument('<STREAM>', 'Identifier of a stream')
  .addHelpText('after', examples('reelgraph live end did:reelgraph:content/stream/0198c5a0-…'))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const { stream } = await (await context.client()).endBroadcast({ id }, { signal: context.signal });
    context.done(stream, 'ended', stream.id);
  });

const remove = new Command('delete')
  .description('Delete a live input; the streams that it has made stay')
  .argument('<INPUT>', 'Identifier of a live input')
  .addOption(yesOption)
  .addHelpText('after', examples(`reelgraph live delete ${ID}`))
  .action(async (id, { yes }, command) => {
    const context = contextOf(command);
    const { name } = await readInput(context, id);
    await confirm(context, yes, `Delete the live input ${name} for good?`);
    const deleted = await (await context.client()).deleteLiveInput({ id }, { signal: context.signal });
    context.done(deleted, 'deleted', id);
  });

async function readInput(context: CommandContext, id: string): Promise<ShownInput> {
  if (!id.includes(':live-input/')) throw notFound(id);
  type Data = { readonly node: ShownInput | Record<string, never> | null };
  const { node } = await (await context.client()).request<Data>(ONE, { id }, { signal: context.signal });
  if (node?.name !== undefined) return node as ShownInput; // other types have no fields
  throw notFound(id);
}

function notFound(id: string): CliError {
  return new CliError(`${id} is not a live input of yours.`, 'Name one of `reelgraph live list`.', EXIT.notFound);
}

function stateOf(out: Terminal, { state }: ListedInput): string {
  const name = state.toLowerCase();
  if (state === 'LIVE') return out.style('green', name);
  return state === 'RECONNECTING' ? out.style('yellow', name) : name;
}

/** Live inputs of a channel, the broadcasts that they receive, and where else these are published. */
export const liveCommands: readonly CommandUnknownOpts[] = [
  ...[list, show, create, setSrt, rotate, ...scheduleCommands, start, end, chat, say, ...targetCommands, remove],
];
