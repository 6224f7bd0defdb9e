import type { CommandContext } from '../../../gql/index.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { type ContentTexts, publishStream } from '../../catalog/index.ts';
import { openChat } from '../chat/chats.store.ts';
import { ownLiveInput } from '../inputs/live-input-commands.ts';
import type { LiveVisibility } from '../inputs/live-input-fields.ts';
import { inputWithRoom, readScheduledAt } from './read-schedule.ts';
import { insertScheduled } from './schedule.store.ts';

export interface ScheduleStreamArgs {
  readonly input: ContentTexts & {
    readonly liveInput: string;
    readonly scheduledAt: string;
    /** Default: that of the live input. */
    readonly visibility?: Maybe<LiveVisibility>;
  };
}

/** Schedules a broadcast: its stream is published, and waits for an encoder. Returns the id of the stream. */
export async function scheduleStream(context: CommandContext, { input }: ScheduleStreamArgs): Promise<string> {
  const { liveInput, scheduledAt: given, visibility, ...texts } = input;
  const { nowMs } = context;
  const { id: inputId, channelId } = await ownLiveInput(context, liveInput, 'input.liveInput');
  const scheduledAt = readScheduledAt(given, nowMs);
  const id = newId<'content'>(nowMs);
  await context.services.live.db.transaction(async (tx) => {
    const locked = await inputWithRoom(tx, inputId, { channelId });
    const stream = { ...texts, id, channelId, visibility: visibility ?? locked.visibility };
    await publishStream(tx, { ...stream, layout: 'LANDSCAPE' }, nowMs);
    await insertScheduled(tx, { id: newId<'broadcast'>(nowMs), inputId, contentId: id, scheduledAt });
    await openChat(tx, id, inputId, context.nowIso);
    await appendEvent(tx, { type: 'stream.scheduled', channelId, subjectId: id, payload: { scheduledAt } });
  });
  return id;
}
