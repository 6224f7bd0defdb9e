import type { ContentId } from '../../kernel/ids.ts';
import type { Executor } from '../../platform/db/database.ts';
import { sql } from '../../platform/db/statement.ts';
import type { ContentLayout } from './content-input.ts';
import type { ContentFacts } from './content.policy.ts';
import type { ContentStatus } from './lifecycle.ts';

/** A content as the commands that run in a transaction need it. */
export interface LockedContent extends ContentFacts {
  readonly id: ContentId;
  readonly channelId: string;
  readonly status: ContentStatus;
}

const LOCK = sql(
  'lock_content',
  `select c.id, c.channel_id as "channelId", c.status, ch.account_id = $2 as owned,
          c.status = 'PUBLISHED' and c.visibility <> 'PRIVATE' as open
   from contents c join channels ch on ch.id = c.channel_id
   where c.id = $1 and c.kind = $3 and c.deleted_at is null
   for update of c`,
);

/** The content, locked until the transaction ends; null when there is none of that kind. */
export function lockContent(tx: Executor, id: string, kind: string, accountId: string): Promise<LockedContent | null> {
  return tx.first<LockedContent>(LOCK, [id, accountId, kind]);
}

/** What the owner wants to happen to the result of processing. */
export interface ProcessingWishes {
  /** Null leaves the layout as it is. */
  readonly layout: ContentLayout | null;
  /** Null leaves the wish as it is. */
  readonly publishWhenReady: boolean | null;
  /** ISO 8601; null leaves the plan as it is. */
  readonly releaseAt: string | null;
}

const WISH = sql(
  'wish_for_content',
  `update contents set layout = coalesce($2, layout), publish_when_ready = coalesce($3, publish_when_ready),
     release_at = coalesce($4, release_at), updated_at = $5
   where id = $1`,
);

/** Writes what should happen when processing is done. */
export async function wishForContent(tx: Executor, id: string, wishes: ProcessingWishes, nowMs: number): Promise<void> {
  await tx.run(WISH, [id, wishes.layout, wishes.publishWhenReady, wishes.releaseAt, new Date(nowMs).toISOString()]);
}
