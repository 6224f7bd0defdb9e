import { type ViewerScope, viewerRow } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import { roleMay, SCOPED } from '../../channels/index.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { LIFECYCLE } from '../contents/lifecycle.ts';

/** The lists of a content in their order: ids of categories and genres, and keywords. */
export interface ContentLists {
  readonly categories: readonly string[];
  readonly genres: readonly string[];
  readonly keywords: readonly string[];
}

// Two statements: subqueries of the first would not see what another transaction wrote while this one waited.
const LOCK = sql(
  'lock_content_lists',
  `select c.id from contents c, ${viewerRow('$3')} where c.id = $1 and c.kind = $2 and c.deleted_at is null
     and ${roleMay(SCOPED, 'c.channel_id', LIFECYCLE.update.permission)} for update of c`,
);
const READ = sql(
  'content_lists',
  `select c.keywords,
     array(select l.category_id from content_categories l where l.content_id = c.id order by l.position) as categories,
     array(select l.genre_id from content_genres l where l.content_id = c.id order by l.position) as genres
   from contents c where c.id = $1`,
);

/** The lists of a content, which is locked; null where the viewer may not update it. */
export async function listsToChange(
  tx: Executor,
  { id, kind }: ContentTarget,
  viewer: ViewerScope,
): Promise<ContentLists | null> {
  if (!(await tx.first(LOCK, [id, kind, viewer]))) return null;
  return tx.first<ContentLists>(READ, [id]);
}
