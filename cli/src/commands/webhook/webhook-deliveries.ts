import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Connection, WebhookDelivery } from '../../../../clients/typescript/src/index.ts';
import { contextOf } from '../../context.ts';
import { changeEach } from '../../each.ts';
import { AlreadyReported, EXIT } from '../../errors.ts';
import { patternOf } from '../../event-patterns.ts';
import { count, moment } from '../../format.ts';
import { noteRest, readList } from '../../lists.ts';
import { examples, limitOption } from '../../options.ts';
import { notFound } from './webhook-fields.ts';

const DELIVERIES = `query CliDeliveries($id: DID!, $first: Int, $after: String) {
  node(id: $id) { ... on Webhook { deliveries(first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { cursor node {
      id event status responseStatus durationMs error attempts createdAt nextAttemptAt cursor
    } }
  } } }
}`;
const COLORS = { DELIVERED: 'green', FAILED: 'red', PENDING: 'yellow' } as const;

const test = new Command('test')
  .description('Send a test message, and show how the receiver responds')
  .argument('<WEBHOOK>', 'Identifier of a webhook')
  .addHelpText('after', examples('reelgraph webhook test did:reelgraph:webhook/0198c5a0-…'))
  .action(async (id, _options, command) => {
    const context = contextOf(command);
    const { delivery } = await (await context.client()).testWebhook({ id }, { signal: context.signal });
    context.result(delivery, (out) => {
      const sign = delivery.status === 'DELIVERED' ? out.style('green', '✔') : out.style('red', '✖');
      out.line(`${sign} ${delivery.status.toLowerCase()}: ${responseOf(delivery)}`);
    });
    if (delivery.status === 'FAILED') throw new AlreadyReported(EXIT.failed);
  });

/** `200 in 12 ms`, and why an attempt failed. */
function responseOf({ responseStatus, durationMs, error, attempts }: WebhookDelivery): string {
  const response = responseStatus === null ? '' : `${responseStatus} in ${durationMs} ms`;
  const again = attempts > 1 ? `after ${count(attempts, 'attempt')}` : '';
  return [response, error?.replace(/\.$/, ''), again].filter(Boolean).join('; ');
}

const deliveries = new Command('deliveries')
  .description('List the messages of the last 30 days, newest first, with the responses')
  .argument('<WEBHOOK>', 'Identifier of a webhook')
  .addOption(limitOption)
  .addHelpText('after', examples('reelgraph webhook deliveries did:reelgraph:webhook/0198c5a0-… --limit 50'))
  .action(async (id, { limit }, command) => {
    type Data = { readonly node: { readonly deliveries?: Connection<WebhookDelivery> } | null };
    const context = contextOf(command);
    const client = await context.client();
    const pages = client.paginate<Connection<WebhookDelivery>, Data>(
      DELIVERIES,
      { id },
      ({ node }) => {
        if (node?.deliveries) return node.deliveries;
        throw notFound(id);
      },
      { limit, signal: context.signal },
    );
    const found = await readList(pages);
    context.result({ totalCount: found.totalCount, deliveries: found.nodes }, (out) =>
      out.list(
        found.nodes.map((delivery) => [
          delivery.id,
          moment(delivery.createdAt),
          out.style(COLORS[delivery.status], delivery.status),
          patternOf(delivery.event),
          textOf(delivery),
        ]),
      ),
    );
    noteRest(context, found, 'No messages.');
  });

function textOf(delivery: WebhookDelivery): string {
  const next = delivery.nextAttemptAt === null ? '' : `next attempt ${moment(delivery.nextAttemptAt)}`;
  return [responseOf(delivery), next].filter(Boolean).join('; ');
}

const redeliver = new Command('redeliver')
  .description('Send messages again')
  .argument('<DELIVERY...>', 'Identifiers of deliveries, as listed by `webhook deliveries`')
  .addHelpText('after', examples('reelgraph webhook redeliver did:reelgraph:webhook-delivery/0198c5a0-…'))
  .action(async (ids, _options, command) => {
    const context = contextOf(command);
    const client = await context.client();
    const send = async (delivery: string) =>
      (await client.redeliverWebhook({ id: delivery }, { signal: context.signal })).delivery;
    await changeEach(context, 'deliveries', ids, send, 'scheduled');
  });

const replay = new Command('replay')
  .summary('Send all events after a position in the event log')
  .description('Send all events after a position in the event log, also those that were sent before.')
  .argument('<WEBHOOK>', 'Identifier of a webhook')
  .requiredOption('--after <CURSOR>', 'The last event you have processed: `cursor` of `events --json`')
  .addHelpText('after', examples('reelgraph webhook replay did:reelgraph:webhook/0198c5a0-… --after eyJ4YWN0…'))
  .action(async (id, { after }, command) => {
    const context = contextOf(command);
    const client = await context.client();
    let [scheduled, endCursor, hasMore] = [0, after, true];
    while (hasMore) {
      const payload = await client.replayWebhook({ id, input: { after: endCursor } }, { signal: context.signal });
      scheduled += payload.scheduled;
      ({ endCursor, hasMore } = payload);
    }
    context.done({ id, scheduled, endCursor }, 'scheduled', count(scheduled, 'message'));
    if (scheduled === 0) context.note('Events that still wait to be delivered are not sent twice.');
  });

/** What webhooks send, and what came back. */
export const webhookDeliveries: readonly CommandUnknownOpts[] = [test, deliveries, redeliver, replay];
