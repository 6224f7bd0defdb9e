import { Argument, Command, Option } from '@commander-js/extra-typings';
import type { Event } from '../../../../clients/typescript/src/index.ts';
import { type CommandContext, contextOf } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { eventOption, eventTypeOf, matchesEvent, patternOf, requireEvents } from '../../event-patterns.ts';
import { moment } from '../../format.ts';
import { channelOption, examples } from '../../options.ts';
import { type Attempt, forwardEvent } from '../../webhooks/forward-event.ts';
import { listeningSecret } from '../../webhooks/listening-secret.ts';
import { readWebhook } from './webhook-fields.ts';

/** Forwards events to a program that is being developed. */
export const webhookListen = new Command('listen')
  .summary('Forward events to an address on this machine, as webhooks send them')
  .description(
    'Forward events to an address on this machine, as webhooks send them, until Ctrl-C: for the development of a ' +
      'receiver that the platform cannot reach. Events come from the event log, in order and without gaps, and no ' +
      'webhook is created. Messages are signed with a secret of this machine, which --print-secret prints, and are ' +
      'not repeated when the receiver fails.',
  )
  .addArgument(new Argument('[ADDRESS]', 'Address of the receiver, such as localhost:8080/hooks'))
  .addOption(eventOption('may be repeated; default: all'))
  .addOption(channelOption)
  .addOption(
    new Option('-w, --webhook <WEBHOOK>', 'Take channel, events and secret of this webhook').conflicts([
      'event',
      'channel',
    ]),
  )
  .option('--after <CURSOR>', 'Begin with the event after this one, instead of with the next one')
  .option('--print-secret', 'Print the secret and exit')
  .addHelpText(
    'after',
    examples(
      'reelgraph webhook listen localhost:8080/hooks',
      "reelgraph webhook listen localhost:8080/hooks --event 'comment.*' --event content.published",
      'WEBHOOK_SECRET=$(reelgraph webhook listen --print-secret) node server.js',
    ),
  )
  .action(async (address, { event, channel, webhook: like, after, printSecret = false }, command) => {
    const context = contextOf(command);
    if (event) requireEvents(event);
    const webhook = like === undefined ? null : await readWebhook(context, like);
    const secret = webhook?.secret ?? (await listeningSecret(context.env));
    if (printSecret) return context.result({ secret }, (out) => out.line(secret));
    if (address === undefined)
      throw new CliError('The address of the receiver is missing.', 'Name it, such as localhost:8080/hooks.');
    const receiver = receiverAddress(address);
    const client = await context.client();
    const patterns = webhook?.events.map(patternOf) ?? event ?? ['*'];
    const exact = patterns.every((pattern) => !pattern.endsWith('*'));
    const filter = {
      channel: webhook?.channel.id ?? (await context.channelId(client, channel)),
      ...(exact ? { types: patterns.map(eventTypeOf) } : {}),
    };
    context.note(`Forwarding ${patterns.join(', ')} to ${receiver} until Ctrl-C. The secret is ${secret}`);
    const onDisconnect = () => context.note('The connection was lost; reconnecting.');
    for await (const one of client.eventsAfter(filter, { signal: context.signal, after, onDisconnect })) {
      if (!matchesEvent(patterns, patternOf(one.type))) continue;
      const attempt = await forwardEvent(one, { receiver, secret, signal: context.signal });
      context.signal.throwIfAborted();
      print(context, one, attempt);
    }
    context.signal.throwIfAborted();
  });

/** `8080`, `localhost:8080/hooks` or an address. Throws CliError for anything else. */
function receiverAddress(text: string): string {
  const full = /^:?\d+(\/|$)/.test(text) ? `localhost:${text.replace(/^:/, '')}` : text;
  const address = /^https?:\/\//i.test(full) ? full : `http://${full}`;
  if (URL.canParse(address)) return new URL(address).href;
  throw new CliError(`${text} is not a valid address.`, 'Use the form localhost:8080/hooks.');
}

function print({ isJson, out }: CommandContext, event: Event, attempt: Attempt): void {
  if (isJson) {
    out.line(JSON.stringify({ event, ...attempt }));
    return;
  }
  const { responseStatus, durationMs, error } = attempt;
  const isOk = error === null;
  const response = isOk ? `${responseStatus} in ${durationMs} ms` : error;
  const type = patternOf(event.type).padEnd(24);
  out.line(`${out.style('dim', moment(event.createdAt))}  ${out.style('cyan', type)}  ${event.subject}`);
  out.line(`  ${out.style(isOk ? 'green' : 'red', isOk ? '✔' : '✖')} ${response}`);
}
