import type { CommandContext } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { CONTENT_CHANGE, lockContent, showStream, withdrawContent } from '../../catalog/index.ts';
import { requireAccount } from '../../channels/index.ts';
import { closeChat, openChat } from '../chat/chats.store.ts';
import { inputWithRoom, readScheduledAt } from './read-schedule.ts';
import { isAwaitingStart, markCanceled, reschedule, type Schedule, scheduleOfStream } from './schedule.store.ts';

export interface RescheduleStreamArgs {
  readonly id: string;
  readonly input: {
    readonly scheduledAt: string;
    /** Default: as before. */
    readonly liveInput?: Maybe<string>;
  };
}

/**
 * Gives a broadcast that has not begun another time. One that was missed or canceled is published again. Returns the id
 * of the stream.
 */
export async function rescheduleStream(
  context: CommandContext,
  { id: did, input }: RescheduleStreamArgs,
): Promise<string> {
  const { nowMs } = context;
  const given = input.liveInput == null ? null : context.parseDid(input.liveInput, ['liveInput'], 'input.liveInput').id;
  return onStream(context, did, async (tx, id, channelId) => {
    const schedule = await scheduleOfStream(tx, id);
    if (!schedule || schedule.hasVideo) throw await notScheduled(tx, id);
    const scheduledAt = readScheduledAt(input.scheduledAt, nowMs);
    const inputId = given ?? inputOf(schedule);
    if (isSame(schedule, inputId, scheduledAt)) return;
    await inputWithRoom(tx, inputId, { channelId, contentId: id });
    if (!(await reschedule(tx, { contentId: id, inputId, scheduledAt }))) throw await notScheduled(tx, id);
    if (schedule.state !== 'SCHEDULED') await showStream(tx, { id, channelId }, nowMs);
    await openChat(tx, id, inputId, context.nowIso);
    await appendEvent(tx, { type: 'stream.scheduled', channelId, subjectId: id, payload: { scheduledAt } });
  });
}

/** Cancels a scheduled broadcast: its stream becomes a draft. Returns the id of the stream. */
export function cancelStream(context: CommandContext, { id: did }: { readonly id: string }): Promise<string> {
  return onStream(context, did, async (tx, id, channelId) => {
    if (!(await markCanceled(tx, id))) throw await notScheduled(tx, id);
    await withdrawContent(tx, id, context.nowMs);
    await closeChat(tx, id, context.nowIso);
    const payload = { state: 'CANCELED' };
    await appendEvent(tx, { type: 'stream.canceled', channelId, subjectId: id, payload });
  });
}

/** Runs a change of a stream that the viewer may change, in a transaction that has locked it; returns its id. */
async function onStream(
  context: CommandContext,
  did: string,
  change: (tx: Transaction, id: ContentId, channelId: string) => Promise<void>,
): Promise<string> {
  const viewer = requireAccount(context);
  const id = context.parseDid(did, ['stream'], 'id').id as ContentId; // a stream is a content
  await context.services.live.db.transaction(async (tx) => {
    const stream = await lockContent(tx, { id, kind: 'STREAM' }, viewer.scope);
    authorize(CONTENT_CHANGE, stream, 'id');
    await change(tx, id, stream.channelId);
  });
  return id;
}

/** Whether a broadcast is scheduled so already. */
function isSame(schedule: Schedule, inputId: string, scheduledAt: string): boolean {
  const { state, inputId: before, scheduledAt: at } = schedule;
  return state === 'SCHEDULED' && before === inputId && Date.parse(at) === Date.parse(scheduledAt);
}

function inputOf({ inputId }: Schedule): string {
  if (inputId !== null) return inputId;
  throw new AppError('FIELD_REQUIRED', t`The live input of this stream is deleted.`, {
    field: 'input.liveInput',
    suggestedFix: t`Send another one; liveInputs(channel) lists them.`,
  });
}

async function notScheduled(tx: Transaction, id: ContentId): Promise<AppError> {
  if (await isAwaitingStart(tx, id))
    return new AppError('INVALID_INPUT', t`An encoder is connected for this broadcast.`, {
      field: 'id',
      suggestedFix: t`Stop the encoder first, or start the broadcast (startBroadcast).`,
    });
  return new AppError('INVALID_INPUT', t`No broadcast of this stream is scheduled.`, {
    field: 'id',
    suggestedFix: t`Read Stream.broadcast.state; scheduleStream schedules a new broadcast.`,
  });
}
