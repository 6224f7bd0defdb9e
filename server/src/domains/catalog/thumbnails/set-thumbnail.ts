import type { RequestEnv } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import { authorize } from '../../../kernel/policy.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import { choosePoster, type PosterChoice } from '../../assets/index.ts';
import { CONTENT_ACTIONS, judgeHasVideo } from '../contents/content.policy.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { lockContent } from '../contents/contents.store.ts';
import type { Actor, CatalogServices } from '../services.ts';

export interface ThumbnailInput {
  readonly imageId?: Maybe<string>;
  readonly timeSeconds?: Maybe<number>;
}

const FIELDS = { content: 'id', image: 'input.imageId', time: 'input.timeSeconds' } as const;

/** Which picture is meant. Throws unless exactly one is given. */
export function readThumbnail(env: Pick<RequestEnv, 'parseDid'>, { imageId, timeSeconds }: ThumbnailInput): PosterChoice {
  const suggestedFix = 'Send imageId for an image of the content, or timeSeconds for a frame of its video.';
  if (imageId != null && timeSeconds != null) {
    throw new AppError('INVALID_INPUT', 'A poster is an image or a frame, not both.', { field: FIELDS.time, suggestedFix });
  }
  if (imageId != null) return { imageAssetId: env.parseDid(imageId, ['imageAsset'], FIELDS.image).id };
  if (timeSeconds == null) throw new AppError('FIELD_REQUIRED', 'It is not said which picture.', { field: FIELDS.image, suggestedFix });
  if (timeSeconds < 0) {
    throw new AppError('INVALID_INPUT', 'A video has no time before 0.', { field: FIELDS.time, suggestedFix: 'Send a time from 0 on.' });
  }
  return { timeMs: Math.round(timeSeconds * 1000) };
}

/**
 * Chooses the poster of an own content. Throws for the content, for an image that is not its own, and for a frame that its video does not have.
 */
export function setThumbnail(tools: CatalogServices, actor: Actor, content: ContentTarget, choice: PosterChoice): Promise<void> {
  return tools.db.transaction(async (tx) => {
    const found = await lockContent(tx, content, actor.accountId);
    authorize(CONTENT_ACTIONS.addImage, found, FIELDS.content);
    const none = 'timeMs' in choice ? judgeHasVideo(content.kind, FIELDS.content) : null;
    if (none) throw none;
    await choosePoster(tools, tx, content.id, choice, FIELDS);
    if ('imageAssetId' in choice) await appendEvent(tx, { type: 'content.updated', channelId: found.channelId, subjectId: content.id });
  });
}
