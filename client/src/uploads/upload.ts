import { type DID, type PublishVideoInput, publishVideoMutation, type WaitForProcessingPayload } from '../generated/operations.gen.ts';
import type { Requester } from '../request/requester.ts';
import type { RetryOptions } from '../retry/backoff.ts';
import { type ProcessingProgress, waitUntilProcessed } from './processing.ts';
import { Pace, type UploadProgress } from './progress.ts';
import { type BegunUpload, readToken, writeToken } from './resume-token.ts';
import { blobSource, fingerprint, type UploadSource } from './source.ts';
import { sendFile, UPLOAD_RETRY } from './tus.ts';

/** What the content is to be, and how its file is sent. */
export interface UploadOptions extends Omit<PublishVideoInput, 'filename' | 'size' | 'sourceUrl'> {
  /** Continues an upload that `onStart` told of; the rest of what the content is to be was said then. */
  readonly resumeFrom?: string | undefined;
  /** Called before the first byte. Keep the token to continue after a restart of the program: it is a permission to send this file. */
  readonly onStart?: ((begun: { readonly contentId: DID; readonly resumeToken: string }) => void | Promise<void>) | undefined;
  readonly onProgress?: ((progress: UploadProgress | ProcessingProgress) => void) | undefined;
  /** Called when the connection broke, and the upload is continued in `pauseMs`. */
  readonly onDisconnect?: ((error: unknown, pauseMs: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** False resolves when the file has arrived, before it is processed. */
  readonly wait?: boolean | undefined;
  /** The most that is sent at a time; 32 MiB unless said otherwise. */
  readonly maxChunkBytes?: number | undefined;
  readonly retry?: Partial<RetryOptions> | undefined;
}

export interface UploadResult {
  readonly contentId: DID;
  /** How the processing ended; null when nobody waited for it. */
  readonly processing: WaitForProcessingPayload | null;
}

const MAX_CHUNK = 32 * 1024 * 1024;

/**
 * Announces a video, sends its file and waits until it can be played. Broken connections are continued where they broke; after a
 * restart `resumeFrom` does the same. Throws ReelgraphError, NetworkError, ProcessingError, and the signal's reason.
 */
export async function upload(requester: Requester, file: Blob | UploadSource, options: UploadOptions): Promise<UploadResult> {
  const source = file instanceof Blob ? blobSource(file) : file;
  const { onProgress, onDisconnect, signal, maxChunkBytes = MAX_CHUNK } = options;
  const begun = options.resumeFrom === undefined ? await begin(requester, source, options) : await resumed(source, options.resumeFrom);
  const { contentId } = begun;
  await options.onStart?.({ contentId, resumeToken: writeToken(begun) });
  const pace = new Pace();
  await sendFile(requester.endpoint, source, {
    url: begun.endpoint,
    signal,
    retry: { ...UPLOAD_RETRY, ...options.retry },
    maxChunkBytes,
    onConfirmed(offset, bytes, ms) {
      pace.note(bytes, ms);
      onProgress?.(pace.at(offset, source.sizeBytes));
    },
    onDisconnect,
  });
  return { contentId, processing: options.wait === false ? null : await waitUntilProcessed(requester, contentId, { signal, onProgress }) };
}

async function begin(requester: Requester, source: UploadSource, options: UploadOptions): Promise<BegunUpload> {
  const {
    resumeFrom: _from,
    onStart: _start,
    onProgress: _progress,
    onDisconnect: _disconnect,
    signal,
    wait: _wait,
    maxChunkBytes: _chunk,
    retry: _retry,
    ...about
  } = options;
  const input = { ...about, filename: source.name, size: source.sizeBytes };
  const { publishVideo } = await requester.request(publishVideoMutation, { input }, { signal });
  if (!publishVideo.upload) throw new Error('The platform announced the video without an address for its file.');
  const { contentId, endpoint } = publishVideo.upload;
  return { contentId, endpoint, sizeBytes: source.sizeBytes, fingerprint: await fingerprint(source) };
}

/** Throws TypeError when the file is not the one whose upload was begun: its bytes would be joined to those of another. */
async function resumed(source: UploadSource, token: string): Promise<BegunUpload> {
  const begun = readToken(token);
  const own = begun.fingerprint === null ? null : await fingerprint(source);
  if (begun.sizeBytes !== source.sizeBytes || (own !== null && own !== begun.fingerprint))
    throw new TypeError(`${source.name} is not the file whose upload is to be continued.`);
  return begun;
}
