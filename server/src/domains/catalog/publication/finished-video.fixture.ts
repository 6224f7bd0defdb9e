import { newId } from '../../../kernel/ids.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { type TestCatalog, uuidOf } from '../testing.ts';

/** Writes the rows that the last byte of an upload writes. */
export async function finishUpload(api: TestCatalog, contentDid: string): Promise<void> {
  const upload = await api.row<{ id: string }>(
    `update ingestions set state = 'FINISHED', received_bytes = size_bytes, finished_at = now()
     where content_id = $1 and state = 'OPEN' returning id`,
    [uuidOf(contentDid)],
  );
  await api.rows(
    `insert into video_assets (id, channel_id, content_id, ingestion_id, hint, filename, source_key, size_bytes)
     select $1, channel_id, content_id, id, hint, filename, object_key, size_bytes from ingestions where id = $2`,
    [newId(), upload.id],
  );
}

/** Writes the rows that processing writes when it is done. */
export async function finishProcessing(api: TestCatalog, channelId: string, contentDid: string): Promise<void> {
  const content = uuidOf(contentDid);
  await api.platform.db.transaction(async (tx) => {
    await tx.executeSql(
      "update transcode_jobs set status = 'COMPLETE', progress = 100, deployed = true where content_id = $1",
      [content],
    );
    await tx.executeSql("update contents set status = 'READY' where id = $1", [content]);
    await appendEvent(tx, { type: 'asset.ready', channelId, subjectId: content });
  });
}
