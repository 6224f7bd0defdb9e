import { readNew } from '../../../gql/index.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { type ContentLayout, VIDEO_FIELDS, type VideoInput } from '../contents/content-fields.ts';
import { insertContent } from '../contents/contents.store.ts';
import { lockKeptStream, publishNow, restartStream } from './publication.store.ts';

/** A stream that begins. */
export interface NewStream extends VideoInput {
  readonly id: ContentId;
  readonly channelId: string;
}

/**
 * Creates and publishes a stream in the caller's transaction, which makes its video or schedules its broadcast. The
 * caller checks the channel.
 */
export async function publishStream(tx: Transaction, stream: NewStream, nowMs: number): Promise<void> {
  const { id, channelId } = stream;
  const values = readNew(VIDEO_FIELDS, stream);
  await insertContent(
    tx,
    { id, channel: channelId, kind: 'STREAM', values, releaseAt: null, publishWhenReady: false },
    nowMs,
  );
  await appendEvent(tx, { type: 'content.created', channelId, subjectId: id });
  await showStream(tx, stream, nowMs);
}

/** Publishes a stream that has no video yet, whatever its state. The caller checks the channel. */
export async function showStream(
  tx: Transaction,
  { id, channelId }: Pick<NewStream, 'id' | 'channelId'>,
  nowMs: number,
): Promise<void> {
  await publishNow(tx, id, nowMs);
  await appendEvent(tx, { type: 'content.published', channelId, subjectId: id });
}

/**
 * A stream that was published before its video begins now, in the caller's transaction, which makes the video: lists
 * show it as new. One that its channel has unpublished stays so. False where it is deleted or taken down.
 */
export async function beginStream(
  tx: Transaction,
  id: ContentId,
  layout: ContentLayout,
  nowMs: number,
): Promise<boolean> {
  if (!(await lockKeptStream(tx, id))) return false;
  await restartStream(tx, id, layout, nowMs);
  return true;
}
