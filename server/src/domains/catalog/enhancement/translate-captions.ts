import type { ResolverContext } from '../../../gql/index.ts';
import type { JobId } from '../../../kernel/ids.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { estimateTranslation, readTranslation, startTranslation } from '../../enhance/index.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { findContent, lockContent } from '../contents/contents.store.ts';
import type { Actor, CatalogServices } from '../services.ts';
import { requireVideo } from './require-video.ts';

interface TranslateInput {
  readonly from: string;
  readonly to: string;
  readonly again?: Maybe<boolean>;
}

/**
 * Has captions of a content translated. Idempotent unless it is to be done `again`.
 * @throws AppError for the content, and INVALID_INPUT with the reason where that is not possible or not set up.
 */
export function translateCaptions(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  input: TranslateInput,
): Promise<JobId> {
  return tools.db.transaction(async (tx) => {
    const { id } = requireVideo(await lockContent(tx, content, actor.scope), content);
    const languages = readTranslation(tools.captioning, input);
    return startTranslation(tools, tx, { contentId: id, ...languages, again: input.again === true });
  });
}

/** What a translation of captions of a content would take. @throws AppError as `translateCaptions`. */
export async function estimateCaptionsTranslation(
  context: ResolverContext,
  content: ContentTarget,
  input: TranslateInput,
) {
  const { db, captioning } = context.services.catalog;
  const { id } = requireVideo(await findContent(db, content, context.scope), content);
  return estimateTranslation(context, id, readTranslation(captioning, input));
}
