import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { encodeCursor, readCursor } from '../events/event-cursor.ts';
import { aboutOf } from '../events/event-subject.ts';
import { eventData } from './event-data.ts';
import { lockEnabled, type PastEvent, pastEvents, replayEvents } from './replay.store.ts';
import { notThere, ownWebhook } from './webhook-commands.ts';
import { MAX_REPLAYED } from './webhook-limits.ts';
import { GIVE_UP_MS } from './webhook-retries.ts';

export interface ReplayWebhookArgs {
  readonly id: string;
  readonly input: { readonly after: string };
}

/** What was replayed. */
export type ReplayedWebhook = Readonly<{ webhook: string; scheduled: number; endCursor: string; hasMore: boolean }>;

/**
 * Sends the events after a cursor to a webhook that subscribes to them, again or for the first time: one batch in the
 * order of the log. An event has one delivery per webhook, so a repeated call sends nothing twice that still waits.
 * @throws AppError INVALID_INPUT for a disabled webhook, a cursor that is none, or one older than the log.
 */
export async function replayWebhook(
  context: CommandContext,
  { id, input: { after } }: ReplayWebhookArgs,
): Promise<ReplayedWebhook> {
  const { db, logDays } = context.services.integrations;
  const webhook = await ownWebhook(context, id, 'id');
  const start = readCursor(after, { nowMs: context.nowMs, logDays }, 'input.after');
  return db.transaction(async (tx) => {
    requireEnabled(await lockEnabled(tx, webhook.id));
    const found = await pastEvents(tx, webhook.id, start, MAX_REPLAYED + 1);
    const events = found.slice(0, MAX_REPLAYED);
    const expires = new Date(context.nowMs + GIVE_UP_MS).toISOString();
    const deliveries = events.map((event) => deliveryOf(context, event));
    const last = events.at(-1);
    return {
      webhook: webhook.id,
      scheduled: await replayEvents(tx, webhook.id, deliveries, context.nowIso, expires),
      endCursor: last ? encodeCursor(last) : after,
      hasMore: found.length > events.length,
    };
  });
}

function deliveryOf(context: CommandContext, event: PastEvent) {
  return {
    deliveryId: newId<'webhook-delivery'>(context.nowMs),
    eventId: event.id,
    type: event.type,
    aboutId: aboutOf(event),
    data: eventData(event, context),
    occurredAt: event.createdAt,
  };
}

function requireEnabled(isEnabled: boolean | null): void {
  if (isEnabled === null) throw notThere('id');
  if (isEnabled) return;
  throw new AppError('INVALID_INPUT', t`This webhook is disabled: nothing is sent to it.`, {
    field: 'id',
    suggestedFix: t`Enable it with updateWebhook(input: { isEnabled: true }), then replay.`,
  });
}
