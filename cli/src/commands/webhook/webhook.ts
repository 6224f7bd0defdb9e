import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Connection } from '../../../../clients/typescript/src/index.ts';
import { confirm, yesOption } from '../../confirm.ts';
import { contextOf } from '../../context.ts';
import { patternOf } from '../../event-patterns.ts';
import { moment } from '../../format.ts';
import { noteRest, readList } from '../../lists.ts';
import { channelOption, examples, limitOption } from '../../options.ts';
import { webhookChanges } from './webhook-changes.ts';
import { webhookDeliveries } from './webhook-deliveries.ts';
import { type ListedWebhook, readWebhook, stateOf, WEBHOOK } from './webhook-fields.ts';
import { webhookListen } from './webhook-listen.ts';

const LIST = `query CliWebhooks($channel: DID, $first: Int, $after: String) {
  webhooks(channel: $channel, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node { ${WEBHOOK} } }
  }
}`;
const list = new Command('list')
  .description('List the webhooks of a channel')
  .addOption(channelOption)
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph webhook list'))
  .action(async ({ channel: named, limit }, command) => {
    type Data = { readonly webhooks: Connection<ListedWebhook> | null };
    const context = contextOf(command);
    const client = await context.client();
    const channel = await context.channelIdOrOwn(client, named);
    const page = { limit, signal: context.signal };
    const found = await readList(
      client.paginate<Connection<ListedWebhook>, Data>(LIST, { channel }, ({ webhooks }) => webhooks, page),
    );
    context.result({ totalCount: found.totalCount, webhooks: found.nodes }, (out) =>
      out.list(
        found.nodes.map((webhook) => [
          webhook.id,
          stateOf(out, webhook),
          [webhook.url, webhook.events.map(patternOf).join(' '), webhook.description].filter(Boolean).join('  '),
        ]),
      ),
    );
    noteRest(context, found, 'No webhooks. Create one with `reelgraph webhook create`.');
  });

const show = new Command('show')
  .description('Show a webhook')
  .argument('<WEBHOOK>', 'Identifier of a webhook')
  .option('--secret', 'Also show the secret that verifies its signatures')
  .addHelpText('after', examples('reelgraph webhook show did:reelgraph:webhook/0198c5a0-…'))
  .action(async (id, { secret: isShown = false }, command) => {
    const context = contextOf(command);
    const { secret, ...webhook } = await readWebhook(context, id);
    context.result(isShown ? { ...webhook, secret } : webhook, (out) =>
      out.properties([
        ['address', out.style('bold', webhook.url)],
        ['id', webhook.id],
        ['channel', `@${webhook.channel.handle}`],
        ['events', webhook.events.map(patternOf).join(', ')],
        ['order', webhook.order === 'PER_CONTENT' ? 'per content' : 'parallel'],
        ['description', webhook.description],
        ['state', stateOf(out, webhook)],
        ['failing since', moment(webhook.failingSince)],
        ['former secret until', moment(webhook.formerSecretUntil)],
        ['created', moment(webhook.createdAt)],
        ['secret', isShown ? secret : null],
      ]),
    );
  });

const remove = new Command('delete')
  .description('Delete a webhook with its log of deliveries')
  .argument('<WEBHOOK>', 'Identifier of a webhook')
  .addOption(yesOption)
  .addHelpText('after', examples('reelgraph webhook delete did:reelgraph:webhook/0198c5a0-…'))
  .action(async (id, { yes }, command) => {
    const context = contextOf(command);
    const { url } = await readWebhook(context, id);
    await confirm(context, yes, `Delete the webhook that sends to ${url} for good?`);
    const deleted = await (await context.client()).deleteWebhook({ id }, { signal: context.signal });
    context.done(deleted, 'deleted', id);
  });

/** Webhooks of a channel. */
export const webhookCommands: readonly CommandUnknownOpts[] = [
  list,
  show,
  ...webhookChanges,
  remove,
  ...webhookDeliveries,
  webhookListen,
];
