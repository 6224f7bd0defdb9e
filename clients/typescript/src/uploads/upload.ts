import { type CoreClient, requesterOf } from '../core.ts';
import {
  type DID,
  type PublishVideoInput,
  publishVideoMutation,
  type WaitForProcessingResult,
} from '../generated/operations.gen.ts';
import type { RetryOptions } from '../retry/backoff.ts';
import { type ProcessingProgress, waitUntilProcessed } from './processing.ts';
import { Pace, type UploadProgress } from './progress.ts';
import { type BegunUpload, readToken, writeToken } from './resume-token.ts';
import { blobSource, fingerprint, type UploadSource } from './source.ts';
import { sendFile, UPLOAD_RETRY } from './tus.ts';

/** The content to create, and how to send its file. */
export interface UploadOptions extends Omit<PublishVideoInput, 'filename' | 'size' | 'sourceUrl'> {
  /** Resumes the upload with this token of `onStart`; the other options of the content are ignored. */
  readonly resumeFrom?: string | undefined;
  /** Called before the first byte. Store the token to resume after a restart: it is a permission to send this file. */
  readonly onStart?:
    | ((started: { readonly contentId: DID; readonly resumeToken: string }) => void | Promise<void>)
    | undefined;
  readonly onProgress?: ((progress: UploadProgress | ProcessingProgress) => void) | undefined;
  /** Called when the connection was lost; the upload resumes in `pauseMs`. */
  readonly onDisconnect?: ((error: unknown, pauseMs: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** False resolves once the file is received, before it is processed. */
  readonly wait?: boolean | undefined;
  /** Largest part to send at a time (default: 32 MiB). */
  readonly maxChunkBytes?: number | undefined;
  readonly retry?: Partial<RetryOptions> | undefined;
}

export interface UploadResult {
  readonly contentId: DID;
  /** Result of processing; null with `wait: false`. */
  readonly processing: WaitForProcessingResult | null;
}

const MAX_CHUNK = 32 * 1024 * 1024;

/**
 * Creates a video, uploads its file and waits until it is playable. After a lost connection the upload resumes where it
 * stopped; after a restart `resumeFrom` does the same. Throws ReelgraphError, NetworkError, ProcessingError, and the
 * signal's reason.
 */
export async function upload(
  client: CoreClient,
  file: Blob | UploadSource,
  options: UploadOptions,
): Promise<UploadResult> {
  const source = file instanceof Blob ? blobSource(file) : file;
  const { onProgress, onDisconnect, signal, maxChunkBytes = MAX_CHUNK } = options;
  const unfinished =
    options.resumeFrom === undefined ? await begin(client, source, options) : await resumed(source, options.resumeFrom);
  const { contentId } = unfinished;
  await options.onStart?.({ contentId, resumeToken: writeToken(unfinished) });
  const pace = new Pace();
  await sendFile(requesterOf(client).endpoint, source, {
    url: unfinished.endpoint,
    signal,
    retry: { ...UPLOAD_RETRY, ...options.retry },
    maxChunkBytes,
    onConfirmed(offset, bytes, ms) {
      pace.note(bytes, ms);
      onProgress?.(pace.at(offset, source.sizeBytes));
    },
    onDisconnect,
  });
  return {
    contentId,
    processing: options.wait === false ? null : await waitUntilProcessed(client, contentId, { signal, onProgress }),
  };
}

async function begin(client: CoreClient, source: UploadSource, options: UploadOptions): Promise<BegunUpload> {
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
  const { publishVideo } = await client.request(publishVideoMutation, { input }, { signal });
  if (!publishVideo.upload) throw new Error('The platform created the video without an upload address.');
  const { contentId, endpoint } = publishVideo.upload;
  return { contentId, endpoint, sizeBytes: source.sizeBytes, fingerprint: await fingerprint(source) };
}

/** Throws TypeError for another file than the one whose upload was started: the result would mix the bytes of both. */
async function resumed(source: UploadSource, token: string): Promise<BegunUpload> {
  const unfinished = readToken(token);
  const own = unfinished.fingerprint === null ? null : await fingerprint(source);
  if (unfinished.sizeBytes !== source.sizeBytes || (own !== null && own !== unfinished.fingerprint))
    throw new TypeError(`${source.name} is not the file of the upload to resume.`);
  return unfinished;
}
