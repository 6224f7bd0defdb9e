import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';
import type { StoredChannelChanges } from './channel-input.ts';

const OWNER = sql('channel_owner', 'select account_id = $2 as owned from channels where id = $1');

/** Whether the channel belongs to the account; null when there is no such channel. */
export async function isChannelOwnedBy(db: Executor, channelId: string, accountId: string): Promise<boolean | null> {
  const row = await db.first<{ owned: boolean }>(OWNER, [channelId, accountId]);
  return row === null ? null : row.owned;
}

const UPDATE = sql(
  'update_channel',
  `with changed as (
     update channels set name = coalesce($2, name), title = coalesce($3, title), summary = coalesce($4, summary),
       short_summary = coalesce($5, short_summary), keywords = coalesce($6, keywords), handle = coalesce($7::citext, handle), updated_at = $8
     where id = $1
     returning id
   )
   insert into events (type, channel_id, subject_id) select 'channel.updated', id, id from changed`,
);

/** Writes the changes. Answers `taken` when another channel has the handle. The caller has checked the owner. */
export async function writeChannel(tx: Executor, channelId: string, changes: StoredChannelChanges, nowMs: number): Promise<'written' | 'taken'> {
  const { name, title, summary, shortSummary, keywords, handle } = changes;
  try {
    await tx.run(UPDATE, [channelId, name, title, summary, shortSummary, keywords, handle, new Date(nowMs).toISOString()]);
    return 'written';
  } catch (error) {
    if (error instanceof Error && 'constraint' in error && error.constraint === 'channels_handle_key') return 'taken';
    throw error;
  }
}
