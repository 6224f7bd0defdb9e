import {
  CreateContentUpload,
  DeleteContent,
  PublishContent,
  PublishVideo,
  ReplaceVideo,
  type StudioContentFragment,
} from '../../gql/generated/operations.gen.ts';
import { ApiError, api, apiOnce } from '../../lib/api.ts';
import { byteSize, titleFromFilename } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { currentUser } from '../../lib/session.ts';
import { sameOriginUrl } from '../../lib/url.ts';
import { fileFingerprint } from './file-fingerprint.ts';
import { keptFile } from './kept-uploads.ts';
import { refusedFile } from './not-a-video.ts';
import { looksLikeShort } from './recognise-short.ts';
import { enqueue, fileOf, finish, forgetFile, holdFile, persistently, sendKept, stopSending } from './send-queue.ts';
import { uploadError } from './transfer-failure.ts';
import { isReplaceable, type UploadItem } from './upload-item.ts';
import {
  addUpload,
  allUploads,
  changeKeptUpload,
  changeUpload,
  claimUpload,
  keepFileOf,
  removeUpload,
  uploadById,
} from './upload-list.ts';

/** Accepted files, animated images too. Containers that browsers do not know have no media type. */
export const VIDEO_TYPES = 'video/*,audio/*,image/gif,image/webp,image/apng,.mkv,.ts,.mts,.m2ts,.flv,.avi';

/** A selected file; with the handle, the browser can open it again after a reload. */
export interface PickedFile {
  readonly file: File;
  readonly handle: FileSystemFileHandle | null;
}

type Uploader = Pick<UploadItem, 'username' | 'channel'>;

/** Contents are created one after another; files are sent from the queue. */
let creations: Promise<void> = Promise.resolve();

/** Uploads each file as a private draft of its own. Returns the ids of the uploads. */
export function uploadFiles(picked: readonly PickedFile[], uploader: Uploader): readonly string[] {
  return picked.map(({ file, handle }) => {
    const item = newItem(file, { ...uploader, contentId: null, endpoint: null, replaces: false });
    const error = refusedFile(file);
    if (error) {
      addUpload({ ...item, title: file.name, phase: 'failed', error });
      return item.id;
    }
    // Who uploads a single file is asked for its details; several are edited when it suits.
    addUpload({ ...item, editing: picked.length === 1 });
    holdFile(item.id, file);
    void claimUpload(item.id);
    creations = creations.then(() => prepare(item.id, file, handle)).then(() => createContent(item.id, file));
    return item.id;
  });
}

function newItem(file: File, about: Uploader & Pick<UploadItem, 'contentId' | 'endpoint' | 'replaces'>): UploadItem {
  return {
    ...about,
    id: newKey(),
    filename: file.name,
    totalBytes: file.size,
    fingerprint: '',
    title: titleFromFilename(file.name) || file.name,
    kind: 'FEATURE',
    enhance: false,
    creationKey: newKey(),
    phase: 'creating',
    sentBytes: 0,
    bytesPerSecond: null,
    error: null,
    otherFile: null,
    editing: false,
    content: null,
  };
}

/** `crypto.randomUUID` exists on secure origins only. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Looks into the file, and keeps it for after a reload. Folders, which can be dropped too, cannot be read. */
async function prepare(id: string, file: File, handle: FileSystemFileHandle | null): Promise<void> {
  try {
    const [fingerprint, short] = await Promise.all([fileFingerprint(file), looksLikeShort(file)]);
    await changeKeptUpload(id, { fingerprint, kind: short ? 'SHORT' : 'FEATURE' });
    void keepFileOf(id, file, handle);
  } catch {
    fail(id, unreadable(file.name));
  }
}

function unreadable(filename: string): ApiError {
  return new ApiError({
    message: t`${filename} cannot be read.`,
    extensions: { code: 'UPLOAD_FAILED', suggestedFix: t`Select the video file itself: folders cannot be uploaded.` },
  });
}

function fail(id: string, error: unknown): void {
  changeUpload(id, { phase: 'failed', error: error instanceof ApiError ? error : uploadError(null) });
}

/** Creates the content that the file belongs to, then sends the file. A repeated request creates nothing twice. */
export async function createContent(id: string, file: File | null): Promise<void> {
  const item = uploadById(id);
  if (!item || item.phase === 'failed') return;
  const { channel, filename, totalBytes: size, kind, creationKey, content } = item;
  const input = { channel, filename, size, ...detailsOf(item.title, content), ...(kind === 'SHORT' && SHORT) };
  try {
    const { publishVideo } = await persistently(() => apiOnce(PublishVideo, creationKey, { input }), id);
    if (!publishVideo.upload) throw uploadError(null);
    const { endpoint } = publishVideo.upload;
    if (!uploadById(id)) return await discard(publishVideo.content.id, endpoint);
    await changeKeptUpload(id, { contentId: publishVideo.content.id, endpoint, content: publishVideo.content });
    if (file) enqueue(id, file);
    else changeUpload(id, { phase: 'file-needed' });
  } catch (error) {
    fail(id, error);
  }
}

const SHORT = { contentType: 'SHORT' } as const;

/** Nothing becomes public before somebody chooses that. */
function detailsOf(title: string, content: StudioContentFragment | null) {
  if (!content) return { title, visibility: 'PRIVATE', publish: false } as const;
  const { summary, visibility, releaseDate } = content.metadata;
  const { publishWhenReady: publish } = content;
  return { title: content.metadata.title, summary, visibility, publish, releaseDate: publish ? releaseDate : null };
}

/** Uploads a first or another video file for a content. Throws ApiError when the upload cannot be created. */
export async function uploadToContent(content: StudioContentFragment, file: File): Promise<void> {
  const error = refusedFile(file);
  if (error) throw error;
  const endpoint = await openUpload(content, file);
  dropUploadsOf(content.id);
  await sendTo({ content, endpoint, replaces: true }, file);
}

/** Has the server fetch another video file for a content. Throws ApiError when it cannot start. */
export async function fetchToContent({ id }: Pick<StudioContentFragment, 'id'>, sourceUrl: string): Promise<void> {
  await api(ReplaceVideo, { id, input: { sourceUrl } });
  dropUploadsOf(id);
}

/** Continues an upload that was started elsewhere. */
export async function continueUpload(content: StudioContentFragment, endpoint: string, file: File): Promise<void> {
  await sendTo({ content, endpoint, replaces: false }, file);
}

async function sendTo(
  to: { content: StudioContentFragment; endpoint: string; replaces: boolean },
  file: File,
): Promise<void> {
  const { content, endpoint, replaces } = to;
  const username = (await currentUser())?.username ?? '';
  const item = newItem(file, { username, channel: null, contentId: content.id, endpoint, replaces });
  addUpload({ ...item, content, title: content.metadata.title });
  void claimUpload(item.id);
  const fingerprint = await fileFingerprint(file).catch(() => null);
  if (fingerprint === null) return fail(item.id, unreadable(file.name));
  await changeKeptUpload(item.id, { fingerprint });
  void keepFileOf(item.id, file, null);
  enqueue(item.id, file);
}

/** The address for a file of a content: the first one, or one that replaces what can be watched. */
async function openUpload(content: Pick<StudioContentFragment, 'id' | 'status'>, file: File): Promise<string> {
  const about = { filename: file.name, size: file.size };
  const { endpoint } = isReplaceable(content)
    ? ((await api(ReplaceVideo, { id: content.id, input: about })).replaceContentVideo.upload ?? {})
    : (await api(CreateContentUpload, { id: content.id, input: { ...about, video: { hint: 'NONE' } } }))
        .createContentAsset;
  if (!endpoint) throw uploadError(null);
  return endpoint;
}

/** It stays so after a reload, too. */
export function pauseUpload(id: string): void {
  void changeKeptUpload(id, { phase: 'paused', bytesPerSecond: null });
  stopSending(id);
}

export async function resumeUpload(id: string): Promise<void> {
  const file = fileOf(id);
  await changeKeptUpload(id, { phase: 'queued' });
  if (file) enqueue(id, file);
  else await sendKept(id, await keptFile(id));
}

/** Tries a failed upload again: from where it failed, or from the start where the server has ended it. */
export async function retryUpload(id: string): Promise<void> {
  const item = uploadById(id);
  const file = fileOf(id);
  if (!item) return;
  if (item.contentId === null) {
    await changeKeptUpload(id, { phase: 'creating', error: null, creationKey: newKey() });
    await createContent(id, file);
  } else if (item.sentBytes === item.totalBytes) await finish(id);
  else if (file) await startOver(id, file);
  else changeUpload(id, { phase: 'file-needed', error: null });
}

/** Continues with a file that the user selected, if it is the one whose upload was started. */
export async function continueWithFile(id: string, file: File): Promise<void> {
  const item = uploadById(id);
  if (!item) return;
  const fingerprint = await fileFingerprint(file).catch(() => null);
  if (fingerprint === null) return changeUpload(id, { error: unreadable(file.name) });
  if (fingerprint !== item.fingerprint) return changeUpload(id, { otherFile: file, error: otherFile(item, file) });
  void keepFileOf(id, file, null);
  enqueue(id, file);
}

function otherFile({ totalBytes, filename }: UploadItem, file: File): ApiError {
  const message =
    file.size === totalBytes
      ? t`The content of this file is not that of ${filename} when its upload was started.`
      : t`This file is ${byteSize(file.size)}, but the upload was started with a file of ${byteSize(totalBytes)}.`;
  const suggestedFix = t`Select the same file to continue, or upload this one from the start.`;
  return new ApiError({ message, extensions: { code: 'INVALID_INPUT', suggestedFix } });
}

/** Uploads a file from the start, in place of what was sent before. */
export async function startOver(id: string, file: File): Promise<void> {
  const item = uploadById(id);
  if (!item?.contentId) return;
  try {
    // A replacement can only begin when no other one is under way.
    if (item.endpoint) await endUpload(item.endpoint);
    const endpoint = await openUpload(item.content ?? { id: item.contentId, status: 'DRAFT' }, file);
    await requestPublicationAgain(item);
    const fingerprint = await fileFingerprint(file);
    const about = { filename: file.name, totalBytes: file.size, fingerprint, sentBytes: 0 };
    await changeKeptUpload(id, { ...about, endpoint, replaces: true });
    void keepFileOf(id, file, null);
    enqueue(id, file);
  } catch (error) {
    fail(id, error);
  }
}

/** The end of an upload ends the publication that was requested with it. */
async function requestPublicationAgain({ contentId, content }: UploadItem): Promise<void> {
  if (!contentId || !content?.publishWhenReady) return;
  const { releaseDate } = content.metadata;
  const isAhead = releaseDate !== null && Date.parse(releaseDate) > Date.now();
  await api(PublishContent, { id: contentId, releaseDate: isAhead ? releaseDate : null });
}

/** Makes a short of a video, or the reverse: contents do not change their kind, so it is uploaded as another one. */
export async function changeKind(id: string, kind: UploadItem['kind']): Promise<void> {
  const item = uploadById(id);
  if (!item) return;
  stopSending(id);
  const { contentId, endpoint } = item;
  const restart = { phase: 'creating', sentBytes: 0, contentId: null, endpoint: null, creationKey: newKey() } as const;
  await changeKeptUpload(id, { ...restart, kind, error: null });
  await createContent(id, fileOf(id));
  if (contentId) await discard(contentId, endpoint);
}

/** Ends an upload; its draft is moved to the trash. A content that existed before it is kept. */
export async function cancelUpload(id: string): Promise<void> {
  const item = uploadById(id);
  if (!item) return;
  pauseUpload(id);
  if (item.replaces && item.endpoint) await endUpload(item.endpoint);
  else if (item.contentId) await discard(item.contentId, item.endpoint);
  dropUpload(id);
}

async function discard(contentId: string, endpoint: string | null): Promise<void> {
  if (endpoint) await endUpload(endpoint);
  // Editors may not delete: their draft stays, without a file.
  await api(DeleteContent, { id: contentId }).catch(() => undefined);
}

/** tus 1.0.0, "Termination". Without it the upload expires. */
async function endUpload(endpoint: string): Promise<void> {
  const headers = { 'tus-resumable': '1.0.0' };
  await fetch(sameOriginUrl(endpoint), { method: 'DELETE', headers }).catch(() => undefined);
}

/** Removes an upload from the list. */
export function dropUpload(id: string): void {
  removeUpload(id);
  stopSending(id);
  forgetFile(id);
}

/** For contents that were deleted. */
export function dropUploadsOf(contentId: string): void {
  for (const item of allUploads()) if (item.contentId === contentId) dropUpload(item.id);
}
