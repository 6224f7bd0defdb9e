import { readNew } from '../../../gql/index.ts';
import type { ContentId } from '../../../kernel/ids.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { VIDEO_FIELDS, type VideoInput } from '../contents/content-fields.ts';
import { insertContent } from '../contents/contents.store.ts';
import { publishNow } from './publication.store.ts';

/** A stream that begins. */
export interface NewStream extends VideoInput {
  readonly id: ContentId;
  readonly channelId: string;
}

/** Creates and publishes a stream in the caller's transaction, which makes its video. The caller checks the channel. */
export async function publishStream(tx: Transaction, stream: NewStream, nowMs: number): Promise<void> {
  const { id, channelId } = stream;
  const values = readNew(VIDEO_FIELDS, stream);
  await insertContent(
    tx,
    { id, channel: channelId, kind: 'STREAM', values, releaseAt: null, publishWhenReady: false },
    nowMs,
  );
  await appendEvent(tx, { type: 'content.created', channelId, subjectId: id });
  await publishNow(tx, id, nowMs);
  await appendEvent(tx, { type: 'content.published', channelId, subjectId: id });
}
