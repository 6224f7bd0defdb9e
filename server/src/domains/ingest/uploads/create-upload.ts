import type { IncomingMessage } from 'node:http';
import { requireDid } from '../../../gql/did.ts';
import { objectsIn, type Viewer, type ViewerScope } from '../../../gql/index.ts';
import { CONTENT_DID_KINDS, type ContentKind, contentKindOf } from '../../../kernel/content-kinds.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type ContentId, type IngestionId, newId } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { ServiceLimit } from '../../../kernel/service-limits.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import {
  IMAGE_PURPOSES,
  type ImagePurpose,
  type UploadedMedia,
  VIDEO_CONTENT_TYPES,
  VIDEO_HINTS,
  type VideoHint,
} from '../../assets/index.ts';
import { MAX_TITLE, requireTokenChannels } from '../../channels/index.ts';
import { openProcessing } from '../../transcode/index.ts';
import { findPartials } from './concatenation/find-partials.ts';
import { UPLOAD_CONCAT, type UploadConcat } from './concatenation/upload-concat.ts';
import type { AuthenticateUploader, Uploader } from './find-upload.ts';
import { ownChannelOf } from './ingestions.store.ts';
import {
  type IngestionRequest,
  type OpenedIngestion,
  type OpenIngestionTools,
  openIngestion,
} from './open-ingestion.ts';
import { uploadEndpoint } from './upload-address.ts';
import { EXTENSION, sanitizeFilename } from './upload-input.ts';

/**
 * Locks a content and throws unless the viewer may add a file of this kind in its current state. Implemented by the
 * catalog, as for its own mutations.
 */
export type RequireContentTakes = (
  tx: Transaction,
  about: {
    readonly content: { readonly id: string; readonly kind: ContentKind };
    readonly viewer: ViewerScope;
    readonly mediaKind: UploadedMedia['kind'];
    /** Argument name of the content's identifier. */
    readonly field: string;
  },
) => Promise<void>;

/** A draft for a video whose upload names no content. */
export interface UploadDraft {
  readonly viewer: ViewerScope;
  readonly channelId: string;
  readonly kind: 'FEATURE' | 'SHORT';
  readonly title: string;
  /** Argument names of the caller. */
  readonly fields: { readonly channel: string; readonly title: string };
}

/** The drafts of uploads that name no content. Implemented by the catalog. */
export interface UploadDrafts {
  /** @throws AppError for the title, and unless the viewer may create contents in the channel. */
  create(tx: Transaction, draft: UploadDraft): Promise<ContentId>;
  /** Removes a draft whose upload has ended without a file, unless it was changed since or has other files. */
  discard(tx: Transaction, contentId: string): Promise<void>;
}

/** Who may have a draft made and processed, and their own channel. Throws as AuthenticateUploader. */
export type AuthenticateCreator = (request: IncomingMessage) => Promise<Pick<Viewer, 'scope' | 'channelId'>>;

export interface CreateUploadTools extends OpenIngestionTools {
  readonly db: Database;
  readonly namespace: string;
  readonly authenticate: AuthenticateUploader;
  readonly authenticateCreator: AuthenticateCreator;
  readonly requireContentTakes: RequireContentTakes;
  readonly drafts: UploadDrafts;
}

/** What a creation request of tus says beside its metadata. */
export interface UploadCreation {
  /** Null when its length is deferred, and for a final upload. */
  readonly sizeBytes: number | null;
  readonly metadata: Readonly<Record<string, string | null>>;
  readonly concat: UploadConcat | null;
}

/** An upload that a creation request has opened. */
export interface CreatedUpload {
  readonly id: IngestionId;
  readonly endpoint: string;
  /** Null for one that an earlier request had opened. */
  readonly uploadsLeft: ServiceLimit | null;
}

const META = 'Upload-Metadata';

type Metadata = Readonly<Record<string, string | null>>;

/**
 * Opens the upload that a tus creation request describes. Its metadata: `contentId` or `channelId` (identifiers),
 * `filename` or `name`, `filetype` or `type`, `hint` (a VideoContentType or an ImagePurpose), `alt` (images). A video
 * without `contentId` gets a draft, in the channel of `channelId` or the account's own, with the `title` or else the
 * name of the file; it is processed when its last byte is in. A file without a name has the id of its upload as one.
 * A partial upload only has a channel: that of these, or the account's own. A final one joins partial uploads.
 * @throws AppError UNAUTHENTICATED or UNAUTHORIZED, and the errors of openIngestion and findPartials, with fields named
 *   after the metadata.
 */
export async function createUpload(
  tools: CreateUploadTools,
  request: IncomingMessage,
  { sizeBytes, metadata, concat }: UploadCreation,
): Promise<CreatedUpload> {
  const uploader = await tools.authenticate(request);
  const target = readTarget(tools.namespace, metadata);
  await requireTokenChannels(tools.db, uploader, objectsIn(tools.namespace, metadata, META));
  const uploadMetadata = request.headers['upload-metadata'];
  const sentMetadata = typeof uploadMetadata === 'string' ? uploadMetadata : null;
  const id = newId<'ingestion'>(tools.clock.now());
  const filename = sanitizeFilename(metadata.filename ?? metadata.name ?? '') ?? id;
  const filetype = metadata.filetype ?? metadata.type;
  const field = `${META}.${'contentId' in target ? 'contentId' : 'channelId'}`;
  const described = {
    ...{ id, uploader, filename },
    ...(filetype ? { filetype } : {}),
    ...(sentMetadata === null ? {} : { uploadMetadata: sentMetadata }),
    fields: { target: field, size: concat?.kind === 'FINAL' ? UPLOAD_CONCAT : 'Upload-Length', alt: `${META}.alt` },
  };
  if (concat?.kind === 'PARTIAL') return openPartial(tools, { ...described, sizeBytes }, uploader, target);
  const joined = concat && (await findPartials(tools, uploader, concat, sentMetadata));
  if (joined && 'joinedTo' in joined) {
    const { joinedTo } = joined;
    return { id: joinedTo, endpoint: uploadEndpoint(tools.baseUrl, tools.secrets, joinedTo), uploadsLeft: null };
  }
  const media = readMedia(metadata);
  const size = joined ? { sizeBytes: joined.sizeBytes, concatenation: joined } : { sizeBytes };
  const upload = { ...described, ...size, media, mayBeEmpty: true };
  if (!('contentId' in target) && media.kind === 'VIDEO') {
    const creator = await tools.authenticateCreator(request);
    const draft = {
      viewer: creator.scope,
      channelId: target.channelId ?? creator.channelId,
      kind: media.hint === 'SHORT' ? ('SHORT' as const) : ('FEATURE' as const),
      title: metadata.title || titleOf(filename),
      fields: { channel: field, title: `${META}.title` },
    };
    return tools.db.transaction(async (tx) => {
      const contentId = await tools.drafts.create(tx, draft);
      const opened = await openIngestion(tools, tx, {
        ...upload,
        target: { contentId },
        autoProcess: true,
        drafted: true,
      });
      await openProcessing(tools, tx, { contentId, channelId: draft.channelId });
      return opened;
    });
  }
  return tools.db.transaction(async (tx) => {
    if ('contentId' in target) {
      const content = { id: target.contentId, kind: target.kind };
      await tools.requireContentTakes(tx, { content, viewer: uploader.scope, mediaKind: media.kind, field });
      return openIngestion(tools, tx, { ...upload, target });
    }
    if (target.channelId === null) throw noTarget();
    return openIngestion(tools, tx, { ...upload, target: { channelId: target.channelId } });
  });
}

/** Opens a partial upload, in the channel that its metadata leads to or one that the uploader may use. */
async function openPartial(
  tools: CreateUploadTools,
  upload: Omit<IngestionRequest, 'target' | 'media'>,
  { scope, channelId, token }: Uploader,
  target: NamedTarget,
): Promise<OpenedIngestion> {
  const isOwnAllowed = !token?.channels || token.channels.includes(channelId);
  const own = isOwnAllowed ? channelId : (token?.channels?.[0] ?? channelId);
  return tools.db.transaction(async (tx) => {
    const named =
      'contentId' in target ? await ownChannelOf(tx, { contentId: target.contentId }, scope) : target.channelId;
    if ('contentId' in target && named === null)
      throw new AppError('RESOURCE_NOT_FOUND', undefined, { field: `${META}.contentId` });
    // It becomes what the final upload says.
    const media = { kind: 'VIDEO', hint: 'NONE' } as const;
    return openIngestion(tools, tx, { ...upload, media, target: { partialIn: named ?? own } });
  });
}

type NamedTarget = { contentId: string; kind: ContentKind } | { channelId: string | null };

function readTarget(namespace: string, { contentId, channelId }: Metadata): NamedTarget {
  if (contentId && channelId) throw noTarget();
  if (contentId) {
    const { id, kind } = requireDid(namespace, contentId, CONTENT_DID_KINDS, `${META}.contentId`);
    return { contentId: id, kind: contentKindOf(kind) };
  }
  return { channelId: channelId ? requireDid(namespace, channelId, ['channel'], `${META}.channelId`).id : null };
}

function noTarget(): AppError {
  return new AppError('FIELD_REQUIRED', t`The upload does not name its target.`, {
    field: `${META}.contentId`,
    suggestedFix: t`Add contentId (for videos and images of a content) or channelId (for images of a channel, and for
      videos that get a draft in it) to Upload-Metadata, and not both.`,
  });
}

/** The name of a file without its extension, as a title. */
function titleOf(filename: string): string {
  const words = filename.replace(EXTENSION, '').replaceAll('_', ' ').trim();
  return [...(words || filename)].slice(0, MAX_TITLE).join('');
}

/** By the hint, or else by the declared type: images are thumbnails, all others are videos. */
function readMedia({ hint, filetype, type, alt }: Metadata): UploadedMedia {
  const name = hint ?? ((filetype ?? type)?.startsWith('image/') ? 'THUMBNAIL' : 'LANDSCAPE_VIDEO');
  const words = { ...(alt ? { alt } : {}) };
  if (isOneOf<VideoHint>(VIDEO_HINTS, name)) return { kind: 'VIDEO', hint: name };
  if (isOneOf<ImagePurpose>(IMAGE_PURPOSES, name)) return { kind: 'IMAGE', hint: name, ...words };
  throw new AppError('INVALID_INPUT', t`The hint ${JSON.stringify(name.slice(0, 40))} is not known.`, {
    field: `${META}.hint`,
    suggestedFix: t`Send one of ${VIDEO_CONTENT_TYPES.join(', ')} or a VideoPresentationHint for a video, or
      ${IMAGE_PURPOSES.join(', ')} for an image.`,
  });
}

function isOneOf<Name extends string>(names: readonly Name[], text: string): text is Name {
  return (names as readonly string[]).includes(text); // widened to compare with any text
}
