import { AppError } from '../../kernel/errors.ts';
import { authorize } from '../../kernel/policy.ts';
import { type ImagePurpose, type OpenedIngestion, openIngestion, type UploadedMedia, type VideoContentType } from '../assets/index.ts';
import { CONTENT_ACTIONS, judgeHasVideo } from './content.policy.ts';
import type { ContentTarget } from './content-commands.store.ts';
import { lockContent } from './contents.store.ts';
import type { Actor, CatalogServices } from './services.ts';

export interface ContentAssetInput {
  readonly filename: string;
  readonly size: number;
  readonly video?: { readonly hint: VideoContentType } | null | undefined;
  readonly image?: { readonly hint: ImagePurpose; readonly alt?: string | null | undefined } | null | undefined;
}

/**
 * Opens the upload of a video or an image for an own content. A video waits for submitContentForProcessing.
 * @throws AppError for the content, its state, what is not exactly one of video and image, and what `openIngestion` throws.
 */
export function createContentAsset(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  input: ContentAssetInput,
): Promise<OpenedIngestion> {
  const media = readMedia(input);
  return tools.db.transaction(async (tx) => {
    const action = media.kind === 'VIDEO' ? 'addVideo' : 'addImage';
    authorize(CONTENT_ACTIONS[action], await lockContent(tx, content, actor.accountId), 'id');
    const none = media.kind === 'VIDEO' ? judgeHasVideo(content.kind, 'id') : null;
    if (none) throw none;
    const { filename, size: sizeBytes } = input;
    return openIngestion(tools.ingestion, tx, { uploader: actor, target: { contentId: content.id }, media, filename, sizeBytes });
  });
}

function readMedia({ video, image }: ContentAssetInput): UploadedMedia {
  const suggestedFix = 'Send video { hint } for a video, or image { hint } for an image.';
  if (video && image)
    throw new AppError('INVALID_INPUT', 'One upload is a video or an image, not both.', { field: 'input.image', suggestedFix });
  if (video) return { kind: 'VIDEO', hint: video.hint };
  if (image) return { kind: 'IMAGE', hint: image.hint, ...(image.alt == null ? {} : { alt: image.alt }) };
  throw new AppError('FIELD_REQUIRED', 'The upload does not say what it is.', { field: 'input.video', suggestedFix });
}
