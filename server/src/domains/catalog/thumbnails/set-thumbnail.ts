import type { RequestEnv } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { choosePoster, type PosterChoice } from '../../ingest/index.ts';
import { CONTENT_ACTIONS, checkHasVideo } from '../contents/content.policy.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { lockContent } from '../contents/contents.store.ts';
import type { Actor, CatalogServices } from '../services.ts';

export interface ThumbnailInput {
  readonly imageId?: Maybe<string>;
  readonly timeMs?: Maybe<number>;
}

const FIELDS = { content: 'id', image: 'input.imageId', time: 'input.timeMs' } as const;

/** The chosen image. Throws unless exactly one is given. */
export function readThumbnail(env: Pick<RequestEnv, 'parseDid'>, { imageId, timeMs }: ThumbnailInput): PosterChoice {
  const suggestedFix = t`Send imageId for an image of the content, or timeMs for a frame of its video.`;
  if (imageId != null && timeMs != null) {
    throw new AppError('INVALID_INPUT', t`Both imageId and timeMs are given.`, {
      field: FIELDS.time,
      suggestedFix,
    });
  }
  if (imageId != null) return { imageAssetId: env.parseDid(imageId, ['imageAsset'], FIELDS.image).id };
  if (timeMs == null)
    throw new AppError('FIELD_REQUIRED', t`Neither imageId nor timeMs is given.`, {
      field: FIELDS.image,
      suggestedFix,
    });
  if (timeMs < 0) {
    throw new AppError('INVALID_INPUT', t`timeMs must not be negative.`, {
      field: FIELDS.time,
      suggestedFix: t`Send a time of 0 or more.`,
    });
  }
  return { timeMs };
}

/**
 * Sets the poster of the account's content. Throws for the content, for an image of another content, and for a time
 * outside of its video.
 */
export function setThumbnail(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  choice: PosterChoice,
): Promise<void> {
  return tools.db.transaction(async (tx) => {
    const found = await lockContent(tx, content, actor.scope);
    authorize(CONTENT_ACTIONS.addImage, found, FIELDS.content);
    const none = 'timeMs' in choice ? checkHasVideo(content.kind, FIELDS.content) : null;
    if (none) throw none;
    const isChanged = await choosePoster(tools, tx, content.id, choice, FIELDS);
    if (isChanged && 'imageAssetId' in choice)
      await appendEvent(tx, { type: 'content.updated', channelId: found.channelId, subjectId: content.id });
  });
}
