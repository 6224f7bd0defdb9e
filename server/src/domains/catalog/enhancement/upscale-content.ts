import type { ResolverContext } from '../../../gql/index.ts';
import type { JobId } from '../../../kernel/ids.ts';
import { estimateUpscale, removeUpscale, startUpscale, type UpscaleInput } from '../../enhance/index.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { findContent, lockContent } from '../contents/contents.store.ts';
import type { Actor, CatalogServices } from '../services.ts';
import { requireVideo } from './require-video.ts';

/**
 * Has the newest video of a content upscaled. Idempotent unless it is to be done `again`.
 * @throws AppError for the content, and INVALID_INPUT with the reason where it cannot be upscaled.
 */
export function upscaleContent(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  { again, ...input }: UpscaleInput & { readonly again: boolean },
): Promise<JobId> {
  return tools.db.transaction(async (tx) => {
    const { id } = requireVideo(await lockContent(tx, content, actor.scope), content);
    return startUpscale(tools, tx, { contentId: id, input, again, field: 'id' });
  });
}

/**
 * Removes the enhanced quality of a content; nothing changes where there is none.
 * @throws AppError for the content, and INVALID_INPUT while it is being made.
 */
export async function removeContentUpscale(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
): Promise<void> {
  await tools.db.transaction(async (tx) => {
    const { id } = requireVideo(await lockContent(tx, content, actor.scope), content);
    await removeUpscale(tools, tx, { contentId: id, field: 'id' });
  });
}

/** What upscaling a content of the account would take. @throws AppError as `upscaleContent`. */
export async function estimateContentUpscale(context: ResolverContext, content: ContentTarget, input: UpscaleInput) {
  const { id } = requireVideo(await findContent(context.services.catalog.db, content, context.scope), content);
  return estimateUpscale(context, id, input, 'id');
}
