import { Command } from '@commander-js/extra-typings';
import { contextOf } from '../context.ts';
import { CliError, EXIT } from '../errors.ts';
import { examples } from '../options.ts';
import type { Terminal } from '../terminal.ts';

const ID = 'did:reelgraph:content/stream/0198c5a0-…';
const CHAT = 'query CliChat($id: DID!) { stream(id: $id) { chat { url } } }';

interface Message {
  readonly id: string;
  readonly author: string;
  readonly isByMember: boolean;
  readonly body: string;
  readonly createdAt: string;
}

/** What the address of a chat answers; see the guide "Go live". */
interface Update {
  readonly version: number;
  readonly isOpen: boolean;
  readonly messages: readonly Message[];
}

export const chat = new Command('chat')
  .summary('Show or follow the chat of a stream')
  .description(
    'Show the last messages in the chat of a stream, at most 100, oldest first. --follow then shows new ones until ' +
      'the broadcast ends, or Ctrl-C. With --json each message is one line.',
  )
  .argument('<STREAM>', 'Identifier of a stream')
  .option('-f, --follow', 'Follow new messages')
  .addHelpText('after', examples(`reelgraph live chat ${ID} --follow`))
  .action(async (id, { follow = false }, command) => {
    type Data = { readonly stream: { readonly chat: { readonly url: string | null } | null } };
    const context = contextOf(command);
    const { out, signal, isJson } = context;
    const { stream } = await (await context.client()).request<Data>(CHAT, { id }, { signal });
    const url = stream.chat?.url;
    if (!url) throw new CliError(`${id} has no chat.`, 'Name a stream that was broadcast.', EXIT.notFound);
    let update = await load(url, signal);
    const shown = new Set<string>();
    for (;;) {
      for (const message of update.messages) {
        if (!shown.has(message.id)) out.line(isJson ? JSON.stringify(message) : lineOf(out, message));
        shown.add(message.id);
      }
      if (!follow || !update.isOpen) return;
      update = await load(`${url}?after=${update.version}`, signal);
    }
  });

async function load(url: string, signal: AbortSignal): Promise<Update> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw new CliError(`The chat cannot be read: status ${response.status}.`, 'Run the command again.');
  return (await response.json()) as Update;
}

export const say = new Command('say')
  .description('Write a message in the chat of a stream that is live')
  .argument('<STREAM>', 'Identifier of a stream')
  .argument('<TEXT>', 'One line of text')
  .addHelpText('after', examples(`reelgraph live say ${ID} "We start in five minutes"`))
  .action(async (stream, body, _options, command) => {
    const context = contextOf(command);
    const { signal } = context;
    const { chatMessage } = await (await context.client()).createChatMessage({ input: { stream, body } }, { signal });
    context.done(chatMessage, chatMessage.status === 'HELD' ? 'held for review' : 'sent', chatMessage.id);
  });

function lineOf(out: Terminal, { author, body, isByMember, createdAt }: Message): string {
  return `${createdAt.slice(11, 19)}  ${isByMember ? out.style('green', author) : author}  ${body}`;
}
