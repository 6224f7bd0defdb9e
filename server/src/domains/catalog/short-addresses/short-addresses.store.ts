import type { ContentKind } from '../../../kernel/content-kinds.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';

const FIND = sql('content_of_short_code', 'select id, kind from contents where short_code = $1 and deleted_at is null');

/** The content with this code, whoever may see it; null when there is none. */
export function contentOfShortCode(db: Executor, code: string): Promise<{ id: string; kind: ContentKind } | null> {
  return db.first<{ id: string; kind: ContentKind }>(FIND, [code]);
}
