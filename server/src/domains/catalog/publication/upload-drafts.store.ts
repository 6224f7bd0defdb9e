import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { TRASH_DAYS } from '../trash/trash.policy.ts';

const DISCARD = sql(
  'discard_upload_draft',
  `update contents c set deleted_at = $2::timestamptz - interval '${TRASH_DAYS} days'
   where c.id = $1 and c.updated_at = c.created_at and c.deleted_at is null
     and not exists (select from ingestions i where i.content_id = c.id and i.state in ('OPEN', 'FINISHED'))
     and not exists (select from image_assets i where i.content_id = c.id)
   returning c.channel_id as "channelId"`,
);

/** Removes a draft that was not changed since and has no other file; returns its channel, or null if it stays. */
export async function discardDraft(tx: Executor, id: string, nowMs: number): Promise<string | null> {
  return (await tx.first<{ channelId: string }>(DISCARD, [id, new Date(nowMs).toISOString()]))?.channelId ?? null;
}
