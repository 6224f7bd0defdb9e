import type { IncomingMessage } from 'node:http';
import { requireDid } from '../../../gql/did.ts';
import { CONTENT_DID_KINDS, type ContentKind, contentKindOf } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import type { AuthenticateUploader } from './find-upload.ts';
import {
  IMAGE_PURPOSES,
  type ImagePurpose,
  type UploadedMedia,
  VIDEO_CONTENT_TYPES,
  VIDEO_HINTS,
  type VideoHint,
} from './media-hints.ts';
import { type OpenedIngestion, type OpenIngestionTools, openIngestion } from './open-ingestion.ts';

/**
 * Locks a content and throws unless the account may add a file of this kind in its current state. Implemented by the
 * catalog, as for its own mutations.
 */
export type RequireContentTakes = (
  tx: Transaction,
  about: {
    readonly content: { readonly id: string; readonly kind: ContentKind };
    readonly accountId: string;
    readonly mediaKind: UploadedMedia['kind'];
    /** Argument name of the content's identifier. */
    readonly field: string;
  },
) => Promise<void>;

export interface CreateUploadTools extends OpenIngestionTools {
  readonly db: Database;
  readonly namespace: string;
  readonly authenticate: AuthenticateUploader;
  readonly requireContentTakes: RequireContentTakes;
}

const META = 'Upload-Metadata';

/**
 * Opens the upload that a tus creation request describes. Its metadata: `contentId` or `channelId` (identifiers),
 * `filename`, `filetype`, `hint` (a VideoContentType or an ImagePurpose), `alt` (images).
 * @throws AppError UNAUTHENTICATED or UNAUTHORIZED, and the errors of openIngestion, with fields named after the
 *   metadata.
 */
export async function createUpload(
  tools: CreateUploadTools,
  request: IncomingMessage,
  sizeBytes: number,
  metadata: Readonly<Record<string, string | null>>,
): Promise<OpenedIngestion> {
  const uploader = await tools.authenticate(request);
  const target = readTarget(tools.namespace, metadata);
  const media = readMedia(metadata);
  const { filename, filetype } = metadata;
  const uploadMetadata = request.headers['upload-metadata'];
  if (!filename)
    throw new AppError('FIELD_REQUIRED', 'The name of the file is missing.', {
      field: `${META}.filename`,
      suggestedFix: 'Add filename to Upload-Metadata.',
    });
  const field = `${META}.${'contentId' in target ? 'contentId' : 'channelId'}`;
  return tools.db.transaction(async (tx) => {
    if ('contentId' in target) {
      const content = { id: target.contentId, kind: target.kind };
      await tools.requireContentTakes(tx, { content, accountId: uploader.accountId, mediaKind: media.kind, field });
    }
    return openIngestion(tools, tx, {
      uploader,
      target,
      media,
      filename,
      sizeBytes,
      ...(filetype ? { filetype } : {}),
      ...(typeof uploadMetadata === 'string' ? { uploadMetadata } : {}),
      fields: { target: field, filename: `${META}.filename`, size: 'Upload-Length', alt: `${META}.alt` },
    });
  });
}

function readTarget(
  namespace: string,
  { contentId, channelId }: Readonly<Record<string, string | null>>,
): { contentId: string; kind: ContentKind } | { channelId: string } {
  if (contentId && !channelId) {
    const { id, kind } = requireDid(namespace, contentId, CONTENT_DID_KINDS, `${META}.contentId`);
    return { contentId: id, kind: contentKindOf(kind) };
  }
  if (channelId && !contentId)
    return { channelId: requireDid(namespace, channelId, ['channel'], `${META}.channelId`).id };
  throw new AppError('FIELD_REQUIRED', 'The upload does not name its target.', {
    field: `${META}.contentId`,
    suggestedFix:
      'Add contentId (for videos and images of a content) or channelId ' +
      '(for images of a channel) to Upload-Metadata, and not both.',
  });
}

/** By the hint, or else by the declared type: images are thumbnails, all others are videos. */
function readMedia({ hint, filetype, alt }: Readonly<Record<string, string | null>>): UploadedMedia {
  const name = hint ?? (filetype?.startsWith('image/') ? 'THUMBNAIL' : 'LANDSCAPE_VIDEO');
  const words = { ...(alt ? { alt } : {}) };
  if (isOneOf<VideoHint>(VIDEO_HINTS, name)) return { kind: 'VIDEO', hint: name };
  if (isOneOf<ImagePurpose>(IMAGE_PURPOSES, name)) return { kind: 'IMAGE', hint: name, ...words };
  throw new AppError('INVALID_INPUT', `The hint ${JSON.stringify(name.slice(0, 40))} is not known.`, {
    field: `${META}.hint`,
    suggestedFix:
      `Send one of ${VIDEO_CONTENT_TYPES.join(', ')} or a VideoPresentationHint for a video, or ` +
      `${IMAGE_PURPOSES.join(', ')} for an image.`,
  });
}

function isOneOf<Name extends string>(names: readonly Name[], text: string): text is Name {
  return (names as readonly string[]).includes(text); // widened to compare with any text
}
