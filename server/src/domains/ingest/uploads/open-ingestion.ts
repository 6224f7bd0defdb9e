import type { Viewer } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type ChannelId, type ContentId, type IngestionId, newId } from '../../../kernel/ids.ts';
import { grouped, t } from '../../../kernel/languages/message.ts';
import { limitHeaders, type ServiceLimit } from '../../../kernel/service-limits.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { StorageSpace } from '../../../platform/storage/storage-space.ts';
import { checkStorageQuota, requireSpace, type UploadedMedia } from '../../assets/index.ts';
import { lockOwnerOf, type OwnerAccount } from '../../channels/index.ts';
import { type Concatenation, usedAlready } from './concatenation/find-partials.ts';
import { attachPartials, takePartials } from './concatenation/partial-uploads.store.ts';
import { curlCommand } from './curl-command.ts';
import { nextStep } from './deferred-size.ts';
import {
  countOpenIngestions,
  type IngestionTarget,
  insertIngestion,
  ownChannelOf,
  UPLOAD_LIFE_MS,
} from './ingestions.store.ts';
import { uploadEndpoint } from './upload-address.ts';
import { EXTENSION, readAlt, readFilename, readFiletype, readUploadSize, uploadLimit } from './upload-input.ts';

/** How long an upload may be idle between two requests. */
export const UPLOAD_REST_MS = 24 * 3600 * 1000;

/**
 * How many uploads to the channels of one owner may be open at the same time; concurrent requests may exceed it by a
 * few.
 */
export const MAX_OPEN_UPLOADS = 1_000;

export interface OpenIngestionTools {
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  /** Of the store the upload will be in. */
  readonly space: StorageSpace;
}

export interface IngestionRequest {
  /** Of the upload; default: a new one. */
  readonly id?: IngestionId;
  /** Who uploads. The limits are those of the channel owner's plan. */
  readonly uploader: Pick<Viewer, 'scope'>;
  readonly target: IngestionTarget;
  readonly media: UploadedMedia;
  readonly filename: string;
  /** Null when it is not known yet: space is then reserved in steps. */
  readonly sizeBytes: number | null;
  readonly filetype?: string;
  /** Whether the file may be empty, which the protocol of the request allows. */
  readonly mayBeEmpty?: boolean;
  /** The header Upload-Metadata of a tus client. */
  readonly uploadMetadata?: string;
  /** VIDEO: start processing when the last byte is in, without waiting for submitContentForProcessing. */
  readonly autoProcess?: boolean;
  /** Whether the content was created for this upload, and goes again when it ends without a file. */
  readonly drafted?: boolean;
  /** The partial uploads that it joins; `sizeBytes` is what they have together. */
  readonly concatenation?: Concatenation;
  /** Argument names of the caller; defaults `id`, `input.size`, `input.image.alt`. */
  readonly fields?: {
    readonly target?: string;
    readonly size?: string;
    readonly alt?: string;
  };
}

/** An upload that waits for its bytes. */
export interface OpenedIngestion {
  readonly id: IngestionId;
  readonly channelId: ChannelId;
  readonly contentId: ContentId | null;
  readonly playlistId: string | null;
  /** Null when it is not known yet. */
  readonly sizeBytes: number | null;
  /** The address authorizes itself: a tus 1.0.0 upload already created, which also accepts the whole file by PUT. */
  readonly endpoint: string;
  readonly assetName: string;
  readonly curlCommand: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** How many more uploads to channels of the owner may be open. */
  readonly uploadsLeft: ServiceLimit;
}

/**
 * Opens an upload in the caller's transaction.
 * @throws AppError RESOURCE_NOT_FOUND for a target that is not the uploader's; FIELD_REQUIRED or INVALID_INPUT for a
 *   bad name or a size that exceeds the owner's plan or quota, and for a video for anything but a content;
 *   RESOURCE_ALREADY_EXISTS where another upload has just taken one of the parts;
 *   QUOTA_EXCEEDED when too many uploads to channels of the owner are open; SERVICE_UNAVAILABLE when the store has
 *   no free space beside other reservations.
 */
export async function openIngestion(
  tools: OpenIngestionTools,
  tx: Transaction,
  request: IngestionRequest,
): Promise<OpenedIngestion> {
  const { uploader, target, media, concatenation, fields = {} } = request;
  const filename = readFilename(request.filename, 'input.filename');
  const alt = media.kind === 'IMAGE' ? readAlt(media.alt, fields.alt ?? 'input.image.alt') : '';
  const targetField = fields.target ?? 'id';
  if (media.kind === 'VIDEO' && !('contentId' in target || 'partialIn' in target)) {
    throw new AppError('INVALID_INPUT', t`Videos are uploaded to a content, not to a channel or a playlist.`, {
      field: targetField,
      suggestedFix: t`Create a content first (createContent, or publishVideo for everything in one call) and upload the
        video to it.`,
    });
  }
  const channelId = await ownChannelOf(tx, target, uploader.scope);
  const nowMs = tools.clock.now();
  const owner = channelId && (await lockOwner(tx, channelId, concatenation, nowMs));
  if (!channelId || !owner) throw new AppError('RESOURCE_NOT_FOUND', undefined, { field: targetField });
  const sizeField = fields.size ?? 'input.size';
  const reservedBytes = bytesToReserve(request, owner, sizeField);
  const uploadsLeft = await requireAnotherUpload(tx, owner.accountId);
  // The bytes of parts are stored already, and each is deleted once it was copied.
  await requireSpace(tools.space, tx, concatenation?.largestBytes ?? reservedBytes, sizeField);
  const id = request.id ?? newId<'ingestion'>(nowMs);
  const ingestion = {
    id,
    channelId,
    // The target's id has just been read from the table.
    contentId: 'contentId' in target ? (target.contentId as ContentId) : null,
    playlistId: 'playlistId' in target ? target.playlistId : null,
    sizeBytes: request.sizeBytes,
    assetName: id + extensionOf(filename),
    expiresAt: new Date(nowMs + (concatenation ? UPLOAD_LIFE_MS : UPLOAD_REST_MS)).toISOString(),
  };
  await insertIngestion(tx, {
    ...ingestion,
    reservedBytes,
    mediaKind: media.kind,
    hint: media.hint,
    alt,
    filename,
    filetype: readFiletype(request.filetype),
    uploadMetadata: request.uploadMetadata ?? null,
    autoProcess: request.autoProcess ?? false,
    drafted: request.drafted ?? false,
    isPartial: 'partialIn' in target,
    uploadConcat: concatenation?.header ?? null,
    objectKey: `uploads/${id}`,
    createdAt: new Date(nowMs).toISOString(),
  });
  if (concatenation) await attachPartials(tx, concatenation.partials, id);
  const endpoint = uploadEndpoint(tools.baseUrl, tools.secrets, id);
  return { ...ingestion, endpoint, curlCommand: curlCommand(filename, endpoint), uploadsLeft };
}

/** The owner of the channel, for whom parts that are to be joined no longer count. Null without the channel. */
async function lockOwner(
  tx: Transaction,
  channelId: string,
  concatenation: Concatenation | undefined,
  nowMs: number,
): Promise<OwnerAccount | null> {
  const owner = await lockOwnerOf(tx, channelId, nowMs);
  if (!concatenation) return owner;
  const { partials } = concatenation;
  if ((await takePartials(tx, partials, new Date(nowMs).toISOString())) < partials.length)
    throw usedAlready(t`Another request has used a part of this file at the same time.`);
  return lockOwnerOf(tx, channelId, nowMs);
}

/** The size of the file, or the first step where that is not known. */
function bytesToReserve(
  { sizeBytes, media, mayBeEmpty }: IngestionRequest,
  owner: OwnerAccount,
  field: string,
): number {
  if (sizeBytes === null) return nextStep(owner, { kind: media.kind, reservedBytes: 0 }, field);
  if (sizeBytes === 0 && mayBeEmpty) return 0;
  readUploadSize(sizeBytes, uploadLimit(media, owner.limits), field);
  const full = checkStorageQuota(owner, sizeBytes, field);
  if (full) throw full;
  return sizeBytes;
}

/** What is left with another upload. */
async function requireAnotherUpload(tx: Transaction, accountId: string): Promise<ServiceLimit> {
  const limit = { name: 'open-uploads', quota: MAX_OPEN_UPLOADS };
  const count = await countOpenIngestions(tx, accountId, MAX_OPEN_UPLOADS);
  if (count < MAX_OPEN_UPLOADS) return { ...limit, remaining: MAX_OPEN_UPLOADS - count - 1 };
  throw new AppError(
    'QUOTA_EXCEEDED',
    t`${grouped(MAX_OPEN_UPLOADS)} uploads to channels of this owner are already open.`,
    {
      suggestedFix: t`Finish uploads that are open, or cancel those that are not needed with DELETE to their endpoints;
        an upload without progress for 24 hours expires.`,
      headers: { ...limitHeaders([{ ...limit, remaining: 0 }]) },
    },
  );
}

function extensionOf(filename: string): string {
  return EXTENSION.exec(filename)?.[0].toLowerCase() ?? '';
}
