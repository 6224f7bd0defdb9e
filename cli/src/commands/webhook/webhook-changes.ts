import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { WebhookOrder } from '../../../../clients/typescript/src/index.ts';
import { contextOf } from '../../context.ts';
import { CliError } from '../../errors.ts';
import { eventOption, refuseMistyped, topicOf } from '../../event-patterns.ts';
import { channelOption, examples } from '../../options.ts';

const create = new Command('create')
  .summary('Create a webhook')
  .description(
    'Create a webhook: messages about events of a channel are sent to an address. Prints the secret with which your ' +
      'server verifies them.',
  )
  .argument('<ADDRESS>', 'Where to send them: a public https address')
  .addOption(eventOption().makeOptionMandatory())
  .addOption(channelOption)
  .option('-d, --description <TEXT>', 'Its purpose')
  .addOption(orderOption())
  .addHelpText(
    'after',
    examples(
      'reelgraph webhook create https://example.com/hooks --event content.published --event comment.created',
      "reelgraph webhook create https://example.com/hooks --event 'playlist.*'",
    ),
  )
  .action(async (url, { event: events = [], channel: named, description, order }, command) => {
    refuseMistyped(events);
    const context = contextOf(command);
    const client = await context.client();
    const channel = await context.channelId(client, named);
    const { webhook } = await client.createWebhook(
      { input: { channel, url, events: events.map(topicOf), description, order: orderOf(order) } },
      { signal: context.signal },
    );
    context.result(webhook, (out) => {
      out.line(`${out.style('green', '✔')} created ${webhook.id}`);
      out.line(`secret: ${webhook.secret}`);
    });
  });

const update = new Command('update')
  .description('Change a webhook, or enable it again')
  .argument('<WEBHOOK>', 'Identifier of a webhook')
  .option('-a, --address <ADDRESS>', 'Where to send messages')
  .addOption(eventOption('may be repeated; replaces all'))
  .option('-d, --description <TEXT>', 'Its purpose')
  .addOption(orderOption())
  .addOption(new Option('--enable', 'Send messages again; resets its failures').conflicts('disable'))
  .option('--disable', 'Send no more messages')
  .addHelpText(
    'after',
    examples(
      "reelgraph webhook update did:reelgraph:webhook/0198c5a0-… --event 'content.*'",
      'reelgraph webhook update did:reelgraph:webhook/0198c5a0-… --enable',
    ),
  )
  .action(async (id, { address: url, event: events, description, order, enable, disable }, command) => {
    const isEnabled = enable ? true : disable ? false : undefined;
    const input = { url, events: events?.map(topicOf), description, order: orderOf(order), isEnabled };
    if (Object.values(input).every((value) => value === undefined))
      throw new CliError('Nothing to change was named.', 'Add --help to see what can be changed.');
    refuseMistyped(events);
    const context = contextOf(command);
    const { webhook } = await (await context.client()).updateWebhook({ id, input }, { signal: context.signal });
    const { secret: _, ...shown } = webhook;
    context.done(shown, 'updated', webhook.id);
  });

const rotate = new Command('rotate-secret')
  .description('Give a webhook a new secret; for 24 hours, messages carry the signature of the former one too')
  .argument('<WEBHOOK>', 'Identifier of a webhook')
  .addHelpText('after', examples('reelgraph webhook rotate-secret did:reelgraph:webhook/0198c5a0-…'))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const { webhook } = await (await context.client()).rotateWebhookSecret({ id }, { signal: context.signal });
    context.result(webhook, (out) => out.line(webhook.secret));
    context.note('Store it where your server reads its settings.');
  });

/** `--order`: several messages at once, or those about one content one after the other. */
function orderOption() {
  const about = 'parallel, or per-content: one message about a content after the other';
  return new Option('-o, --order <ORDER>', about).choices(['parallel', 'per-content'] as const);
}

function orderOf(order: 'parallel' | 'per-content' | undefined): WebhookOrder | undefined {
  return order && (order === 'parallel' ? 'PARALLEL' : 'PER_CONTENT');
}

/** Commands that write webhooks. */
export const webhookChanges: readonly CommandUnknownOpts[] = [create, update, rotate];
