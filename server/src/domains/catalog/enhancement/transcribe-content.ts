import type { ResolverContext } from '../../../gql/index.ts';
import type { JobId } from '../../../kernel/ids.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { estimateTranscription, readTranscription, startTranscription } from '../../enhance/index.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { findContent, lockContent } from '../contents/contents.store.ts';
import type { Actor, CatalogServices } from '../services.ts';
import { requireVideo } from './require-video.ts';

interface TranscribeInput {
  readonly language?: Maybe<string>;
  readonly again?: Maybe<boolean>;
}

/**
 * Has captions made from the speech of the newest video of a content. Idempotent unless it is to be done `again`.
 * @throws AppError for the content, and INVALID_INPUT with the reason where that is not possible or not set up.
 */
export function transcribeContent(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  input: Maybe<TranscribeInput>,
): Promise<JobId> {
  return tools.db.transaction(async (tx) => {
    const { id } = requireVideo(await lockContent(tx, content, actor.scope), content);
    const language = readTranscription(tools.captioning, input?.language);
    return startTranscription(tools, tx, { contentId: id, language, again: input?.again === true, field: 'id' });
  });
}

/** What captions from the speech of a content would take. @throws AppError as `transcribeContent`. */
export async function estimateContentTranscription(context: ResolverContext, content: ContentTarget) {
  const { db, captioning } = context.services.catalog;
  const { id } = requireVideo(await findContent(db, content, context.scope), content);
  readTranscription(captioning, null);
  return estimateTranscription(context, id, 'id');
}
