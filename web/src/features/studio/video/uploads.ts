import { useSyncExternalStore } from 'react';
import type { Upload as TusUpload } from 'tus-js-client';
import {
  CreateContentUpload,
  PublishVideo,
  type StudioContentFragment,
  SubmitForProcessing,
} from '../../../gql/generated/operations.gen.ts';
import { ApiError, api } from '../../../lib/api.ts';
import { sameOriginUrl } from '../../../lib/url.ts';

/** Accepted files, animated images too. Containers that browsers do not know have no media type. */
export const VIDEO_TYPES = 'video/*,audio/*,image/gif,image/webp,image/apng,.mkv,.ts,.mts,.m2ts,.flv,.avi';

/** Uploads of this tab. They live outside the pages, so that navigation does not stop them. */
export interface UploadState {
  readonly contentId: string;
  readonly filename: string;
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly phase: 'sending' | 'paused' | 'sent' | 'failed';
  readonly error: ApiError | null;
}

export interface NewVideo {
  /** DID of the channel. */
  readonly channel: string;
  readonly file: File;
  readonly title: string;
  readonly summary: string;
  readonly publish: boolean;
  readonly enhance: boolean;
}

const CHUNK_BYTES = 32 * 1024 * 1024; // limits the loss on a dropped connection, and passes common proxies
const RETRY_DELAYS_MS = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000];

let states: ReadonlyMap<string, UploadState> = new Map();
const running = new Map<string, TusUpload>();
const listeners = new Set<() => void>();

function change(contentId: string, update: Partial<UploadState>): void {
  const known = states.get(contentId);
  if (!known) return;
  states = new Map(states).set(contentId, { ...known, ...update });
  guardLeaving();
  for (const listener of listeners) listener();
}

function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Asks for confirmation before the tab is closed during an upload. */
function guardLeaving(): void {
  const sending = [...states.values()].some(({ phase }) => phase === 'sending');
  if (sending) window.addEventListener('beforeunload', warn);
  else window.removeEventListener('beforeunload', warn);
}

/** The uploads of this tab by content DID. */
export function useUploads(): ReadonlyMap<string, UploadState> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => states,
  );
}

/** Creates a content with an upload, starts the upload, and returns the content. Throws ApiError. */
export async function uploadVideo({
  channel,
  file,
  title,
  summary,
  publish,
  enhance,
}: NewVideo): Promise<StudioContentFragment> {
  const { publishVideo } = await api(PublishVideo, {
    input: { channel, title, summary: summary || null, filename: file.name, size: file.size, publish, enhance },
  });
  if (!publishVideo.upload) throw noUpload();
  await resumeUploadTo(publishVideo.content.id, publishVideo.upload.endpoint, file);
  return publishVideo.content;
}

/**
 * Uploads a first or another video file for a content, then submits it for processing. Throws ApiError when the upload
 * cannot be created.
 */
export async function uploadToContent(contentId: string, file: File): Promise<void> {
  const input = { filename: file.name, size: file.size, video: { hint: 'NONE' } } as const;
  const { endpoint } = (await api(CreateContentUpload, { id: contentId, input })).createContentAsset;
  if (!endpoint) throw noUpload();
  await resumeUploadTo(contentId, endpoint, file, async () => {
    await api(SubmitForProcessing, { id: contentId });
  });
}

function noUpload(): ApiError {
  return new ApiError({
    message: 'The server did not accept the upload.',
    extensions: { code: 'UPLOAD_FAILED', suggestedFix: 'Try again.' },
  });
}

/**
 * Resumes an upload at the offset of the server, also one that another session started. `arrived` runs after the
 * upload.
 */
export async function resumeUploadTo(
  contentId: string,
  endpoint: string,
  file: File,
  arrived?: () => Promise<void>,
): Promise<void> {
  const { Upload } = await import('tus-js-client');
  states = new Map(states).set(contentId, {
    contentId,
    filename: file.name,
    sentBytes: 0,
    totalBytes: file.size,
    phase: 'sending',
    error: null,
  });
  const upload = new Upload(file, {
    uploadUrl: sameOriginUrl(endpoint),
    chunkSize: CHUNK_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    storeFingerprintForResuming: false,
    onProgress: (sentBytes) => change(contentId, { sentBytes }),
    onSuccess: () => {
      const sent = (): void => change(contentId, { phase: 'sent', sentBytes: file.size });
      const failed = (error: unknown): void =>
        change(contentId, { phase: 'failed', error: error instanceof ApiError ? error : noUpload() });
      Promise.resolve(arrived?.()).then(sent, failed);
    },
    onError: (error) => change(contentId, { phase: 'failed', error: explain(error) }),
  });
  running.set(contentId, upload);
  change(contentId, {});
  upload.start();
}

export function pauseUpload(contentId: string): void {
  void running.get(contentId)?.abort();
  change(contentId, { phase: 'paused' });
}

export function resumeUpload(contentId: string): void {
  change(contentId, { phase: 'sending', error: null });
  running.get(contentId)?.start();
}

/** Removes an upload, for contents that were deleted. */
export function discardUpload(contentId: string): void {
  void running.get(contentId)?.abort();
  running.delete(contentId);
  states = new Map([...states].filter(([id]) => id !== contentId));
  guardLeaving();
  for (const listener of listeners) listener();
}

/** The error from the response, or a generic one for lost connections. */
function explain(error: Error & { originalResponse?: { getBody(): string } | null }): ApiError {
  try {
    const { errors } = JSON.parse(error.originalResponse?.getBody() ?? '');
    return new ApiError({ message: errors[0].message, extensions: errors[0] });
  } catch {
    return new ApiError({
      message: 'The upload was interrupted.',
      extensions: {
        code: 'UPLOAD_FAILED',
        suggestedFix: 'Check your connection, then resume. Data that was already uploaded is kept.',
      },
    });
  }
}
