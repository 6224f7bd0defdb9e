import type { ResolverContext } from '../../../gql/index.ts';
import type { JobId } from '../../../kernel/ids.ts';
import { estimateUpmix, removeUpmix, startUpmix, type UpmixLayout } from '../../enhance/index.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { findContent, lockContent } from '../contents/contents.store.ts';
import type { Actor, CatalogServices } from '../services.ts';
import { requireVideo } from './require-video.ts';

/**
 * Has the newest video of a content upmixed. Idempotent unless it is to be done `again`.
 * @throws AppError for the content, and INVALID_INPUT with the reason where there is nothing to upmix.
 */
export function upmixContent(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  { layout, again }: { readonly layout: UpmixLayout; readonly again: boolean },
): Promise<JobId> {
  return tools.db.transaction(async (tx) => {
    const { id } = requireVideo(await lockContent(tx, content, actor.scope), content);
    return startUpmix(tools, tx, { contentId: id, layout, again, field: 'id' });
  });
}

/**
 * Removes the upmix of a content; nothing changes where there is none.
 * @throws AppError for the content, and INVALID_INPUT while the upmix is being made.
 */
export async function removeContentUpmix(tools: CatalogServices, actor: Actor, content: ContentTarget): Promise<void> {
  await tools.db.transaction(async (tx) => {
    const { id } = requireVideo(await lockContent(tx, content, actor.scope), content);
    await removeUpmix(tools, tx, { contentId: id, field: 'id' });
  });
}

/** What upmixing a content of the account would take. @throws AppError as `upmixContent`. */
export async function estimateContentUpmix(context: ResolverContext, content: ContentTarget, layout: UpmixLayout) {
  const { id } = requireVideo(await findContent(context.services.catalog.db, content, context.scope), content);
  return estimateUpmix(context, id, layout, 'id');
}
