import type { CommandScope } from '../../gql/index.ts';
import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';
import type { StoredChannelChanges } from './channel-input.ts';

const OWNER = sql('channel_owner', 'select account_id = $2 as owned from channels where id = $1');

/** Whether the channel belongs to the account; null when there is no such channel. */
export async function isChannelOwnedBy(db: Executor, channelId: string, accountId: string): Promise<boolean | null> {
  const row = await db.first<{ owned: boolean }>(OWNER, [channelId, accountId]);
  return row === null ? null : row.owned;
}

/** What updateChannel knows after reading its input. */
export interface ChannelUpdate extends StoredChannelChanges {
  readonly id: string;
}

/** `returns` of updateChannel: null when there is no such channel. */
export const CHANNEL_FACTS = { owned: 'select owned from target' } as const;

/** updateChannel as one statement: changes what is given, a null leaves the column as it is. */
export function updateChannelCtes(s: CommandScope<ChannelUpdate>): Readonly<Record<'target' | 'changed' | 'event', string>> {
  return {
    target: `
    select ch.id, ch.account_id = v.account_id as owned
    from ${s.allowed} v join channels ch on ch.id = ${s.value(({ id }) => id, 'uuid')}`,
    changed: `
    update channels ch set
      name = coalesce(${s.value(({ name }) => name, 'text')}, ch.name),
      title = coalesce(${s.value(({ title }) => title, 'text')}, ch.title),
      summary = coalesce(${s.value(({ summary }) => summary, 'text')}, ch.summary),
      short_summary = coalesce(${s.value(({ shortSummary }) => shortSummary, 'text')}, ch.short_summary),
      keywords = coalesce(${s.value(({ keywords }) => keywords, 'text[]')}, ch.keywords),
      handle = coalesce(${s.value(({ handle }) => handle, 'citext')}, ch.handle),
      updated_at = ${s.now}
    from target t where ch.id = t.id and t.owned
    returning ch.*`,
    event: `insert into events (type, channel_id, subject_id) select 'channel.updated', id, id from changed`,
  };
}
