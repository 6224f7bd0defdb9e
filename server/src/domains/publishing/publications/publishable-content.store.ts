import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { ContentKind } from '../../../kernel/content-kinds.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { ContentStatus } from '../../catalog/index.ts';
import { isMember, isTestChannel, roleMay, SCOPED } from '../../channels/index.ts';

/** A content as seen by who publishes it. */
export interface PublishableContent {
  readonly channelId: string;
  readonly status: ContentStatus;
  readonly member: boolean;
  readonly may: boolean;
  readonly open: boolean;
  /** Whether it is test data, which stays on this platform. */
  readonly isTest: boolean;
}

const SELECT = `select c.channel_id as "channelId", c.status,
  ${isMember(SCOPED, 'c.channel_id', null)} as member,
          ${roleMay(SCOPED, 'c.channel_id', 'content:publish')} as may, c.effective_visibility <> 'PRIVATE' as open,
          ${isTestChannel('c.channel_id')} as "isTest"
   from contents c, ${viewerRow('$2')} where c.id = $1 and c.kind = $3 and c.deleted_at is null`;
const FIND = sql('find_content_to_publish_elsewhere', SELECT);
const LOCK = sql('lock_content_to_publish_elsewhere', `${SELECT} for update of c`);

interface Target {
  readonly id: string;
  readonly kind: ContentKind;
}

/** The content as the viewer sees it; null when there is none of that kind. */
export function findPublishable(
  db: Executor,
  { id, kind }: Target,
  viewer: ViewerScope,
): Promise<PublishableContent | null> {
  return db.first<PublishableContent>(FIND, [id, viewer, kind]);
}

/**
 * As `findPublishable`, locked until the transaction ends: concurrent publications of the same content are serialized.
 */
export function lockPublishable(
  tx: Executor,
  { id, kind }: Target,
  viewer: ViewerScope,
): Promise<PublishableContent | null> {
  return tx.first<PublishableContent>(LOCK, [id, viewer, kind]);
}
