import { AppError, ERROR_CATALOGUE } from '../../../kernel/errors.ts';
import { type ContentId, newId, type VideoAssetId } from '../../../kernel/ids.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import type { ImageDecoder } from '../../../media/index.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { appendEvent } from '../../../platform/events/event-log.store.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { ReceivingStore } from '../../../platform/storage/receiving-store.ts';
import {
  deleteObject,
  forgetPosterRequest,
  type ImagePurpose,
  insertVideoAsset,
  keepOrDiscard,
  type NewVideoAsset,
  renderImage,
} from '../../assets/index.ts';
import { failAwaitingProcessing, startProcessing } from '../../transcode/index.ts';
import type { ArrivingUploads, FinishedUpload } from './arriving-uploads.ts';
import { partialsOf } from './concatenation/partial-uploads.store.ts';
import type { UploadDrafts } from './create-upload.ts';
import { endedError } from './find-upload.ts';
import {
  findIngestion,
  type Ingestion,
  lockIngestion,
  markEnded,
  markFinished,
  noteReceived,
} from './ingestions.store.ts';
import { takenOver, type UploadLocker } from './locks/upload-lock.ts';

export type FinishUploadPlatform = Pick<Platform, 'clock' | 'db' | 'jobs' | 'log' | 'store'>;

export interface FinishUploadTools {
  readonly platform: FinishUploadPlatform;
  readonly receiving: ReceivingStore;
  readonly imageDecoder: ImageDecoder;
  readonly drafts: Pick<UploadDrafts, 'discard'>;
  /** Default: uploads are not played while they arrive. */
  readonly arriving?: ArrivingUploads | undefined;
}

/**
 * Finishes an upload that has all its bytes and that the caller holds: a video becomes a video asset (and is queued
 * when the upload was opened so), an image is processed before the response. Idempotent. An upload whose file is
 * unusable ends as FAILED. A partial upload stays open until it is joined to another one.
 * @throws AppError TRANSCODE_FAILED for a file that is no usable image, the earlier error for an upload that had
 *   failed.
 */
export async function finishUpload(tools: FinishUploadTools, id: string): Promise<void> {
  const upload = await findIngestion(tools.platform.db, id);
  if (!upload) throw new AppError('RESOURCE_NOT_FOUND');
  if (upload.state === 'FINISHED') return;
  if (upload.state !== 'OPEN') throw endedError(upload);
  const { sizeBytes } = upload;
  if (sizeBytes === null) throw new Error(`The size of upload ${id} is not known yet.`);
  if (upload.isPartial) return noteReceived(tools.platform.db, id, sizeBytes, null);
  if (sizeBytes === 0) return finishEmpty(tools, upload);
  await tools.receiving.complete(upload.objectKey, sizeBytes);
  if (upload.mediaKind === 'VIDEO') await finishVideo(tools, { ...upload, sizeBytes });
  else await finishImage(tools, upload);
}

/**
 * Finishes an upload whose last byte arrived in an earlier request, or in one that no longer holds the upload.
 * @throws AppError SERVICE_UNAVAILABLE when a PUT is replacing the bytes.
 */
export async function finishReceived(
  tools: FinishUploadTools & { readonly locker: UploadLocker },
  id: string,
): Promise<void> {
  await tools.locker.hold(id, new AbortController().signal, async () => {
    const upload = await findIngestion(tools.platform.db, id);
    const received = upload?.state === 'OPEN' ? await tools.receiving.receivedBytes(upload.objectKey) : null;
    if (upload && received !== null && (upload.sizeBytes === null || received < upload.sizeBytes)) throw takenOver();
    await finishUpload(tools, id);
  });
}

/** An upload of no bytes is complete once it is opened, and its processing fails as that of any unusable file. */
async function finishEmpty({ platform }: FinishUploadTools, upload: Ingestion): Promise<void> {
  await platform.db.transaction(async (tx) => {
    if (!(await stillOpen(tx, upload.id))) return;
    await markFinished(tx, upload.id, new Date(platform.clock.now()).toISOString());
    await reportFailed(tx, upload, EMPTY);
    if (upload.autoProcess && upload.contentId) await failAwaitingProcessing(platform, tx, upload.contentId, EMPTY);
  });
}

async function finishVideo({ platform, arriving }: FinishUploadTools, upload: FinishedUpload): Promise<void> {
  const { contentId } = upload;
  if (!contentId) throw new Error(`Upload ${upload.id} is a video without a content.`);
  await platform.db.transaction(async (tx) => {
    if (!(await stillOpen(tx, upload.id))) return;
    const now = new Date(platform.clock.now()).toISOString();
    const played = (await arriving?.adopt(tx, upload)) ?? null;
    const videoAssetId = played ?? newId<'video-asset'>(platform.clock.now());
    if (played === null) await insertVideoAsset(tx, fileOf(upload, { id: videoAssetId, contentId }), now);
    await markFinished(tx, upload.id, now);
    await reportFinished(tx, upload, { videoAssetId });
    if (upload.autoProcess) await startProcessing(platform, tx, { contentId, videoAssetId });
  });
  arriving?.ended(upload.id);
}

function fileOf(
  { id: ingestionId, channelId, hint, filename, objectKey: sourceKey, sizeBytes }: FinishedUpload,
  { id, contentId }: { readonly id: VideoAssetId; readonly contentId: ContentId },
): NewVideoAsset {
  return { id, channelId, contentId, ingestionId, hint, filename, sourceKey, sizeBytes };
}

async function finishImage(tools: FinishUploadTools, upload: Ingestion): Promise<void> {
  const { platform } = tools;
  const rendered = await platform.store
    // The column holds what readUpload wrote: an ImagePurpose.
    .withLocalFile(upload.objectKey, (path) => renderImage(tools, { path, purpose: upload.hint as ImagePurpose }))
    .catch(async (error: unknown) => {
      if (error instanceof AppError && !ERROR_CATALOGUE[error.code].retryable) await failUpload(tools, upload, error);
      throw error;
    });
  const kept = await keepOrDiscard(platform, rendered, async (tx) => {
    if (!(await stillOpen(tx, upload.id))) return null;
    const { channelId, contentId, playlistId, alt } = upload;
    await markFinished(tx, upload.id, new Date(platform.clock.now()).toISOString());
    await reportFinished(tx, upload, { imageAssetId: rendered.id });
    if (contentId && rendered.purpose === 'POSTER') await forgetPosterRequest(tx, contentId);
    return { channelId, contentId, playlistId, videoAssetId: null, alt };
  });
  if (kept) await deleteObject(platform, upload.objectKey);
}

/** Another request may have finished or failed the upload concurrently: returns false, or throws its error. */
async function stillOpen(tx: Transaction, id: string): Promise<boolean> {
  const locked = await lockIngestion(tx, id);
  if (!locked) throw new AppError('RESOURCE_NOT_FOUND');
  if (locked.state === 'FAILED' || locked.state === 'EXPIRED') throw endedError(locked);
  return locked.state === 'OPEN';
}

async function reportFinished(
  tx: Transaction,
  upload: Ingestion,
  created: Readonly<Record<string, string>>,
): Promise<void> {
  const { id, channelId, contentId, assetName } = upload;
  await appendEvent(tx, {
    type: 'upload.finished',
    channelId,
    subjectId: id,
    payload: { contentId, assetName, ...created },
  });
}

/** How an upload ends without a file. */
interface UploadEnd {
  readonly state: 'FAILED' | 'EXPIRED';
  readonly code: string;
  readonly text: Text;
}

/** Ends an upload as FAILED with `error` and removes its bytes. Does nothing when it has already ended. */
export async function failUpload(tools: FinishUploadTools, upload: Ingestion, error: AppError): Promise<void> {
  await endUpload(tools, upload, { state: 'FAILED', code: error.code, text: error.text });
}

/**
 * Ends an upload that was never completed, the processing that waited for it, and a draft that was made for it. The
 * bytes are removed first, those of its parts too: an upload that is still open afterwards can start over.
 */
export async function endUpload(tools: FinishUploadTools, upload: Ingestion, end: UploadEnd): Promise<void> {
  if (upload.isPartial) return endPartial(tools, upload, end);
  const { platform, drafts, arriving } = tools;
  await removeBytes(tools, upload.objectKey);
  if (upload.uploadConcat !== null)
    for (const { objectKey } of await partialsOf(platform.db, upload.id)) await removeBytes(tools, objectKey);
  await platform.db.transaction(async (tx) => {
    if (!(await markEnded(tx, upload.id, end, new Date(platform.clock.now()).toISOString()))) return;
    await reportFailed(tx, upload, end);
    await arriving?.discard(tx, upload);
    // Failing its processing changes the content.
    if (upload.drafted && upload.contentId) await drafts.discard(tx, upload.contentId);
    if (upload.autoProcess && upload.contentId) await failAwaitingProcessing(platform, tx, upload.contentId, end);
  });
  arriving?.ended(upload.id);
}

const EMPTY = { code: 'UPLOAD_FAILED', text: t`The file is empty.` } as const;

async function reportFailed(
  tx: Transaction,
  { id, channelId, contentId, assetName }: Ingestion,
  { code, text }: Pick<UploadEnd, 'code' | 'text'>,
): Promise<void> {
  await appendEvent(tx, {
    type: 'upload.failed',
    channelId,
    subjectId: id,
    payload: { contentId, assetName, code, message: String(text) },
  });
}

/**
 * Ends a partial upload, which has no event. Its bytes are removed last: another request may be joining it, and then it
 * has not ended.
 */
async function endPartial(tools: FinishUploadTools, upload: Ingestion, end: UploadEnd): Promise<void> {
  const { db, clock } = tools.platform;
  if (await markEnded(db, upload.id, end, new Date(clock.now()).toISOString()))
    await removeBytes(tools, upload.objectKey);
}

/** Removes the bytes of an upload that has none that are used. */
export async function removeBytes(
  { receiving, platform }: Pick<FinishUploadTools, 'receiving' | 'platform'>,
  objectKey: string,
): Promise<void> {
  await receiving.discard(objectKey);
  await platform.store.delete(objectKey);
}

const REFUSED_AT_ONCE = {
  state: 'FAILED',
  code: 'UPLOAD_FAILED',
  text: t`The bytes sent when the upload was opened were refused.`,
} as const;

/** Fails an upload whose creation request was refused, unless it has already ended. */
export async function abandonUpload(tools: FinishUploadTools, id: string): Promise<void> {
  const upload = await findIngestion(tools.platform.db, id);
  if (upload?.state === 'OPEN') await endUpload(tools, upload, REFUSED_AT_ONCE);
}
