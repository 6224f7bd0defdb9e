import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { ChangedStream } from '../broadcasts/broadcasts.store.ts';

/** Says that a stream waits for its encoder; nothing where none was changed. */
export async function appendReconnecting(tx: Transaction, stream: ChangedStream | null): Promise<void> {
  if (!stream) return;
  const { channelId, contentId } = stream;
  await appendEvent(tx, { type: 'stream.reconnecting', channelId, subjectId: contentId });
}
