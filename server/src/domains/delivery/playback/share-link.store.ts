import type { ContentKind } from '../../../kernel/content-kinds.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { PLAYED_COLUMNS, PLAYED_VIDEO, type PlayedContent } from './playback.store.ts';

/** A link, and what it plays. */
export interface ShareLinkFacts extends PlayedContent {
  readonly id: string;
  readonly channelId: string;
  readonly passwordHash: string | null;
  readonly expiresAt: string | null;
  /** Null when the content is in the trash or taken down. */
  readonly contentId: string | null;
  readonly kind: ContentKind | null;
  readonly summary: string | null;
  readonly channel: string;
  readonly handle: string;
}

const FACTS = sql(
  'share_link_facts',
  `select l.id, l.channel_id as "channelId", l.password_hash as "passwordHash", l.expires_at as "expiresAt",
     c.id as "contentId", c.kind, c.summary, ch.title as channel, ch.handle::text as handle, ${PLAYED_COLUMNS}
   from share_links l join channels ch on ch.id = l.channel_id and not ch.is_hidden
   left join contents c on c.id = l.content_id and c.deleted_at is null and c.taken_down_at is null
   ${PLAYED_VIDEO}
   where l.token_hash = $1`,
);

/** The link with this token, by its SHA-256; null when there is none. */
export function shareLinkFacts(db: Executor, tokenHash: Buffer): Promise<ShareLinkFacts | null> {
  return db.first(FACTS, [tokenHash]);
}

const USE = sql(
  'use_share_link',
  `update share_links set uses = uses + 1, last_used_at = $2
   where id = $1 and (max_uses is null or uses < max_uses) and (expires_at is null or expires_at > $2) returning id`,
);

/** Counts a use; false when the link may not be opened again. */
export async function useShareLink(tx: Executor, id: string, nowIso: string): Promise<boolean> {
  return (await tx.run(USE, [id, nowIso])).length > 0;
}
