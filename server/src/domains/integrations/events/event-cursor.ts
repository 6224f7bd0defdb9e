import { CursorCodec } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

/** Days that deliveries are kept, and the default of EVENT_LOG_DAYS. */
export const RETENTION_DAYS = 30;
const DAY_MS = 86_400_000;

/** How far back the log goes. */
interface LogRetention {
  readonly nowMs: number;
  /** Days that events are kept. */
  readonly logDays: number;
}

/** A position in the log: the order is (xact, id); the instant is its age. Text as PostgreSQL writes it. */
export interface LogPosition {
  /** xid8 of the transaction that wrote the event. */
  readonly xact: string;
  readonly id: string;
  readonly createdAt: string;
}

/** Columns that order the log, the cursor's values in their order. */
export const logOrder = (event: string): string[] => [`${event}.xact`, `${event}.id`, `${event}.created_at`];

/** The same cursors as those of the list `events`, so that queries and subscriptions continue one another. */
const codec = new CursorCodec('Query.events', 3);

/** The opaque text of a position. */
export function encodeCursor({ xact, id, createdAt }: LogPosition): string {
  return codec.encode([xact, id, createdAt]);
}

/**
 * The position of a cursor. Throws INVALID_INPUT with `field` for anything else, and for positions before the start of
 * the log.
 */
export function readCursor(cursor: string, reach: LogRetention, field: string): LogPosition {
  const values = codec.decode(cursor);
  if (!values) {
    throw new AppError('INVALID_INPUT', t`${field} is not a cursor of the event log.`, {
      field,
      suggestedFix: t`Send the cursor or the id of the last event exactly as it was received.`,
    });
  }
  requireRecent(values, reach, field);
  const [xact = '', id = '', createdAt = ''] = values;
  return { xact, id, createdAt };
}

/** Throws INVALID_INPUT with `field` when events after a cursor may have been deleted. */
export function requireRecent(values: readonly string[], { nowMs, logDays }: LogRetention, field: string): void {
  // PostgreSQL's format is 2026-11-20 20:33:31.123456+00; other texts are no cursors.
  const createdMs = Date.parse(`${values[2]?.replace(' ', 'T').replace(/\+00$/, '')}Z`);
  if (Number.isFinite(createdMs) && createdMs > nowMs - logDays * DAY_MS) return;
  throw new AppError(
    'INVALID_INPUT',
    t`This cursor is older than ${logDays} days; events after it may have been deleted.`,
    {
      field,
      suggestedFix: t`Read the current state of your data, then continue without ${field}.`,
    },
  );
}
