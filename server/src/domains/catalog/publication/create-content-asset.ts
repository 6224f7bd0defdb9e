import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import {
  IMAGE_PRESENTATIONS,
  type ImagePresentation,
  type UploadedMedia,
  type VideoPresentation,
} from '../../assets/index.ts';
import { type OpenedIngestion, openIngestion, requireSize } from '../../ingest/index.ts';
import type { ContentTarget } from '../contents/content-commands.store.ts';
import { requireContentTakes } from '../contents/require-content-takes.ts';
import type { Actor, CatalogServices } from '../services.ts';

export interface ContentAssetInput {
  readonly filename: string;
  readonly size?: Maybe<number>;
  readonly video?: Maybe<{ readonly hint: VideoPresentation }>;
  readonly image?: Maybe<{ readonly hint: ImagePresentation; readonly alt?: Maybe<string> }>;
}

/**
 * Opens the upload of a video or an image for the account's content. A video waits for submitContentForProcessing.
 * @throws AppError for the content, its state, anything but exactly one of video and image, and the errors of
 *   `openIngestion`.
 */
export function createContentAsset(
  tools: CatalogServices,
  actor: Actor,
  content: ContentTarget,
  input: ContentAssetInput,
): Promise<OpenedIngestion> {
  const media = readMedia(input);
  const sizeBytes = requireSize(input.size);
  return tools.db.transaction(async (tx) => {
    await requireContentTakes(tx, { content, viewer: actor.scope, mediaKind: media.kind, field: 'id' });
    const { filename } = input;
    return openIngestion(tools.ingestion, tx, {
      uploader: actor,
      target: { contentId: content.id },
      media,
      filename,
      sizeBytes,
    });
  });
}

function readMedia({ video, image }: ContentAssetInput): UploadedMedia {
  const suggestedFix = t`Send video { hint } for a video, or image { hint } for an image.`;
  if (video && image)
    throw new AppError('INVALID_INPUT', t`Both video and image are given.`, { field: 'input.image', suggestedFix });
  if (video) return { kind: 'VIDEO', hint: video.hint };
  if (image)
    return { kind: 'IMAGE', hint: IMAGE_PRESENTATIONS[image.hint], ...(image.alt == null ? {} : { alt: image.alt }) };
  throw new AppError('FIELD_REQUIRED', t`Neither video nor image is given.`, { field: 'input.video', suggestedFix });
}
