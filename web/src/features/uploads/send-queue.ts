import { StudioContentItem, SubmitForProcessing } from '../../gql/generated/operations.gen.ts';
import { isSwitchedOn } from '../../gql/server-features.ts';
import { ApiError, api } from '../../lib/api.ts';
import { noteFile } from './file-state.ts';
import { isBeingProcessed, isWatchable } from './job-state.ts';
import { askForKeptFile, type KeptFile, keptFile, openKeptFile } from './kept-uploads.ts';
import { Transfer } from './transfer.ts';
import { retryDelayMs } from './transfer-failure.ts';
import { TransferRate } from './transfer-rate.ts';
import { isReplaceable, type UploadItem } from './upload-item.ts';
import { allUploads, changeUpload, forgetKept, removeUpload, uploadById } from './upload-list.ts';

/** More at the same time only make each of them slower. */
const AT_ONCE = 2;
const POLL_MS = 1_500;

const files = new Map<string, File>();
const transfers = new Map<string, Transfer>();

/** The file of an upload, if this page can read it. */
export const fileOf = (id: string): File | null => files.get(id) ?? null;

/** Keeps the file of an upload that is not sent yet. */
export function holdFile(id: string, file: File): void {
  noteFile(file);
  files.set(id, file);
}

/** Sends a file when its turn comes. */
export function enqueue(id: string, file: File): void {
  holdFile(id, file);
  changeUpload(id, { phase: 'queued', error: null, otherFile: null });
  sendNext();
}

/** Stops sending; the file is known for later. */
export function stopSending(id: string): void {
  transfers.get(id)?.stop();
  transfers.delete(id);
  sendNext();
}

export function forgetFile(id: string): void {
  files.delete(id);
}

function sendNext(): void {
  for (const item of allUploads()) {
    if (transfers.size >= AT_ONCE) return;
    if (item.phase === 'queued') send(item);
  }
}

function send({ id, endpoint }: UploadItem): void {
  const file = files.get(id);
  if (!file || endpoint === null) return;
  const rate = new TransferRate();
  const transfer = new Transfer(endpoint, file, {
    onSending: () => changeUpload(id, { phase: 'sending', bytesPerSecond: null }),
    onProgress: (sentBytes) => {
      rate.add(sentBytes, Date.now());
      changeUpload(id, { phase: 'sending', sentBytes, bytesPerSecond: rate.bytesPerSecond() });
    },
    onWaiting: (phase) => {
      rate.reset();
      changeUpload(id, { phase, bytesPerSecond: null });
    },
    onFileGone: () => void useCopy(id),
    onFailed: (error) => end(id, { phase: 'failed', error }),
    onSent: () => {
      changeUpload(id, { sentBytes: file.size, bytesPerSecond: null });
      void finish(id);
    },
  });
  transfers.set(id, transfer);
}

function end(id: string, changes: Partial<UploadItem>): void {
  changeUpload(id, { bytesPerSecond: null, ...changes });
  stopSending(id);
}

/** The file on disk has changed or is gone: the copy in the browser has the bytes whose upload was started. */
async function useCopy(id: string): Promise<void> {
  files.delete(id);
  const copy = await keptFile(id);
  if (!(copy instanceof File)) return end(id, { phase: 'file-changed' });
  stopSending(id);
  enqueue(id, copy);
}

/** All bytes are on the server. */
export async function finish(id: string): Promise<void> {
  const item = uploadById(id);
  if (!item?.contentId) return;
  try {
    const { contentId } = item;
    const enhance = item.enhance && isSwitchedOn('ENHANCEMENT');
    // The file of a replacement is processed by itself.
    const submits = item.replaces && !(item.content && isReplaceable(item.content));
    if (submits || enhance) {
      await persistently(() => api(SubmitForProcessing, { id: contentId, enhance: enhance || null }), id);
    }
    end(id, { phase: 'sent' });
    files.delete(id);
    await forgetKept(id);
    await follow(id);
  } catch (error) {
    end(id, { phase: 'failed', error: error instanceof ApiError ? error : null });
  }
}

/** Repeats a request until there is a response, as long as the upload exists. */
export async function persistently<Result>(request: () => Promise<Result>, id: string): Promise<Result> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.retryable || !uploadById(id)) throw error;
      changeUpload(id, { phase: navigator.onLine ? 'lost' : 'offline', bytesPerSecond: null });
      await networkOrDelay(retryDelayMs(failures));
    }
  }
}

/** Waits for so long, or until the network returns. */
function networkOrDelay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
  });
}

/** Loads the content of an upload again until its video is processed or has failed. */
async function follow(id: string): Promise<void> {
  for (let item = uploadById(id); item?.contentId; item = uploadById(id)) {
    const loaded = await api(StudioContentItem, { id: item.contentId }).catch((error: unknown) =>
      error instanceof ApiError && error.code === 'RESOURCE_NOT_FOUND' ? { content: null } : null,
    );
    if (loaded && !loaded.content) return removeUpload(id);
    if (loaded?.content) changeUpload(id, { content: loaded.content });
    if (loaded?.content && isSettled(loaded.content)) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

function isSettled(content: NonNullable<UploadItem['content']>): boolean {
  if (content.status === 'FAILED') return true;
  return isWatchable(content) && !isBeingProcessed(content) && !content.publishWhenReady;
}

/** Continues an upload with the file that the browser has kept, or says what is missing. */
export async function sendKept(id: string, file: KeptFile | null): Promise<void> {
  const opened = file && (await openKeptFile(file));
  if (opened) enqueue(id, opened);
  else changeUpload(id, { phase: file ? 'consent-needed' : 'file-needed' });
}

/** The same in response to a click, when the browser may ask the user. */
export async function consentToKept(id: string): Promise<void> {
  const file = await keptFile(id);
  const opened = file && (await askForKeptFile(file));
  if (opened) enqueue(id, opened);
  else changeUpload(id, { phase: 'file-needed' });
}
