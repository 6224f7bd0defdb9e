import {
  type Client,
  type Content,
  ProcessingError,
  type ProcessingProgress,
  ReelgraphError,
  type UploadOptions,
  type UploadProgress,
} from '../../../clients/typescript/src/index.ts';
import { openFile } from '../../../clients/typescript/src/node/index.ts';
import { CliError } from '../errors.ts';
import type { ResumableUploadState, UnfinishedUpload } from './resumable-upload-state.ts';

/** A file to upload, what it becomes, and who is notified. */
export interface FileUpload {
  readonly file: string;
  readonly state: ResumableUploadState;
  /** What is fixed when the upload starts. */
  readonly target: Pick<UploadOptions, 'channel' | 'contentType' | 'enhance' | 'parent' | 'publish' | 'releaseDate'>;
  /** Title unless `metadata` has one. */
  readonly defaultTitle: string;
  /** What can change later: a resumed upload is updated before its next byte is sent. */
  readonly metadata: Pick<UploadOptions, 'summary' | 'visibility'> & { readonly title: string | undefined };
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress | ProcessingProgress) => void;
  /** The connection was lost and is being reestablished. */
  readonly onDisconnect: () => void;
  readonly onNote: (text: string) => void;
}

/** The content of an uploaded file. */
export interface UploadResult {
  readonly contentId: string;
  readonly content: Content | null;
}

/**
 * Uploads a file and waits until its video is playable. Resumes the upload of an earlier run; one that cannot be
 * resumed starts again. Throws what `client.upload` throws, and CliError for an upload that was started with another
 * target.
 */
export async function uploadFile(client: Client, upload: FileUpload): Promise<UploadResult> {
  const unfinished = await findUnfinished(client, upload);
  try {
    return await attempt(client, upload, unfinished);
  } catch (error) {
    if (!isFinal(error)) throw error;
    await upload.state.remove();
    if (unfinished === null || error instanceof ProcessingError) throw error;
    upload.onNote('The earlier upload cannot be resumed; starting again.');
    return attempt(client, upload, null);
  }
}

/** The upload to resume; null without one, or if its content was deleted. */
async function findUnfinished(
  client: Client,
  { file, state, target, signal }: FileUpload,
): Promise<UnfinishedUpload | null> {
  const unfinished = await state.read();
  if (unfinished === null || unfinished.options === optionsOf(target)) return unfinished;
  if (await isDeleted(client, unfinished.contentId, signal)) return null;
  throw new CliError(
    `The upload of ${file} was started with a different --channel, --type, --season, --draft or --release.`,
    `Repeat the command it was started with, or cancel it with \`reelgraph content delete ${unfinished.contentId}\`.`,
  );
}

async function isDeleted(client: Client, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.content({ id }, { signal })).deletedAt !== null;
  } catch (error) {
    if (error instanceof ReelgraphError && error.code === 'RESOURCE_NOT_FOUND') return true;
    throw error;
  }
}

function optionsOf({ channel, contentType, enhance, parent, publish, releaseDate }: FileUpload['target']): string {
  return JSON.stringify({ channel, contentType, enhance, parent, publish, releaseDate });
}

async function attempt(client: Client, upload: FileUpload, unfinished: UnfinishedUpload | null): Promise<UploadResult> {
  const { state, metadata, signal, onProgress, onNote } = upload;
  if (unfinished && !unfinished.isSent) onNote('Resuming the earlier upload.');
  if (unfinished && Object.values(metadata).some((value) => value !== undefined))
    await client.updateContent({ id: unfinished.contentId, input: metadata }, { signal });
  const sent = unfinished?.isSent ? unfinished : await send(client, upload, unfinished);
  await state.write({ ...sent, isSent: true });
  const { content } = await client.waitUntilProcessed(sent.contentId, { signal, onProgress });
  await state.remove();
  return { content, contentId: sent.contentId };
}

async function send(
  client: Client,
  upload: FileUpload,
  unfinished: UnfinishedUpload | null,
): Promise<UnfinishedUpload> {
  const { file, state, target, defaultTitle, metadata, signal, onProgress, onDisconnect } = upload;
  let sent = unfinished;
  await client.upload(await openFile(file), {
    ...target,
    ...metadata,
    title: metadata.title ?? defaultTitle,
    signal,
    onProgress,
    onDisconnect,
    wait: false,
    resumeFrom: unfinished?.resumeToken,
    async onStart({ contentId, resumeToken }) {
      if (sent) return;
      sent = { contentId, resumeToken, options: optionsOf(target), isSent: false };
      await state.write(sent);
    },
  });
  if (!sent) throw new Error('The client uploaded a file without calling onStart.');
  return sent;
}

const FINAL: ReadonlySet<string> = new Set([
  'RESOURCE_NOT_FOUND',
  'TOKEN_EXPIRED',
  'UPLOAD_FAILED',
  'TRANSCODE_FAILED',
  'PROCESSING_FAULT',
]);

/** Whether another run could not resume: rejected for good, unknown, or the file has changed. */
function isFinal(error: unknown): boolean {
  return (
    error instanceof ProcessingError ||
    error instanceof TypeError ||
    (error instanceof ReelgraphError && FINAL.has(error.code))
  );
}
