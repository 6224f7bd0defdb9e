import { AppError } from '../../../kernel/errors.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { notThere } from '../inputs/live-input-commands.ts';
import { lockScheduleInput, type ScheduleInput } from './schedule.store.ts';
import { MAX_AHEAD_MS, MAX_SCHEDULED } from './schedule-limits.ts';

/** Clocks differ: a time that has passed this recently means now. */
const CLOCK_SKEW_MS = 60_000;
const FIELD = 'input.scheduledAt';

/** When a broadcast is to begin, in ISO 8601. Throws INVALID_INPUT for the past, and for more than a year ahead. */
export function readScheduledAt(value: string, nowMs: number): string {
  const atMs = Date.parse(value);
  if (atMs < nowMs - CLOCK_SKEW_MS)
    throw new AppError('INVALID_INPUT', t`${FIELD} is in the past.`, {
      field: FIELD,
      suggestedFix: t`Send a date in the future; an encoder that connects now needs no schedule.`,
    });
  if (atMs > nowMs + MAX_AHEAD_MS)
    throw new AppError('INVALID_INPUT', t`${FIELD} is more than a year ahead.`, {
      field: FIELD,
      suggestedFix: t`Send a date within the next 366 days.`,
    });
  return new Date(atMs).toISOString();
}

/**
 * Locks the live input of a schedule. RESOURCE_NOT_FOUND where its channel has none with this id, INVALID_INPUT where
 * too many broadcasts of it are scheduled. `contentId`: the stream that is scheduled again.
 */
export async function inputWithRoom(
  tx: Transaction,
  inputId: string,
  { channelId, contentId = null }: { readonly channelId: string; readonly contentId?: ContentId | null },
): Promise<ScheduleInput> {
  const input = await lockScheduleInput(tx, inputId, channelId, contentId);
  if (!input) throw notThere('input.liveInput');
  if (input.scheduled < MAX_SCHEDULED) return input;
  throw new AppError(
    'INVALID_INPUT',
    t`${MAX_SCHEDULED} broadcasts of this live input are scheduled, which is the limit.`,
    { field: 'input.liveInput', suggestedFix: t`Cancel one of them, or use another live input.` },
  );
}
