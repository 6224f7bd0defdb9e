import {
  type Client,
  type Content,
  ProcessingError,
  type ProcessingProgress,
  ReelgraphError,
  type UploadOptions,
  type UploadProgress,
} from '../../../client/src/index.ts';
import { openFile } from '../../../client/src/node/index.ts';
import { CliError } from '../failures.ts';
import type { Begun, KeptUpload } from './resumable-upload-state.ts';

type Wishes = Pick<UploadOptions, 'summary' | 'visibility'> & { readonly title: string | undefined };

/** What becomes of a file, and who is told. */
export interface FileUpload {
  readonly file: string;
  readonly kept: KeptUpload;
  /** What its content is for good. */
  readonly about: Pick<UploadOptions, 'channel' | 'contentType' | 'publish' | 'releaseDate'>;
  /** Its title where none is asked for. */
  readonly usualTitle: string;
  /** What was asked for and can be changed later, in an upload that is continued too: always before the next byte is sent. */
  readonly wishes: Wishes;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress | ProcessingProgress) => void;
  /** The connection broke, and is made again. */
  readonly onDisconnect: () => void;
  readonly onRemark: (text: string) => void;
}

/** What became of it. */
export interface Sent {
  readonly contentId: string;
  readonly content: Content | null;
}

/**
 * Sends a file and waits until its video can be played. What was begun in an earlier run is continued; what can no longer be continued is
 * begun anew. Throws what `client.upload` throws, and CliError for an upload that was begun to become something else.
 */
export async function uploadFile(client: Client, upload: FileUpload): Promise<Sent> {
  const begun = await earlier(client, upload);
  try {
    return await attempt(client, upload, begun);
  } catch (error) {
    if (!isOver(error)) throw error;
    await upload.kept.forget();
    if (begun === null || error instanceof ProcessingError) throw error;
    upload.onRemark('The upload that was begun earlier cannot be continued; it starts again from the beginning.');
    return attempt(client, upload, null);
  }
}

/** The upload that is to be continued; null where there is none, or where its content was given up. */
async function earlier(client: Client, { file, kept, about, signal }: FileUpload): Promise<Begun | null> {
  const begun = await kept.read();
  if (begun === null || begun.options === optionsOf(about)) return begun;
  if (await isGone(client, begun.contentId, signal)) return null;
  throw new CliError(
    `The upload of ${file} was begun with another --channel, --type, --draft or --release.`,
    `Run the command it was begun with, or give it up with \`reelgraph content delete ${begun.contentId}\`.`,
  );
}

async function isGone(client: Client, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.content({ id }, { signal })).deletedAt !== null;
  } catch (error) {
    if (error instanceof ReelgraphError && error.code === 'RESOURCE_NOT_FOUND') return true;
    throw error;
  }
}

function optionsOf({ channel, contentType, publish, releaseDate }: FileUpload['about']): string {
  return JSON.stringify({ channel, contentType, publish, releaseDate });
}

async function attempt(client: Client, upload: FileUpload, begun: Begun | null): Promise<Sent> {
  const { kept, wishes, signal, onProgress, onRemark } = upload;
  if (begun && !begun.isSent) onRemark('Continuing the upload that was begun earlier.');
  if (begun && Object.values(wishes).some((wish) => wish !== undefined))
    await client.updateContent({ id: begun.contentId, input: wishes }, { signal });
  const sent = begun?.isSent ? begun : await send(client, upload, begun);
  await kept.write({ ...sent, isSent: true });
  const { content } = await client.waitUntilProcessed(sent.contentId, { signal, onProgress });
  await kept.forget();
  return { content, contentId: sent.contentId };
}

async function send(client: Client, upload: FileUpload, begun: Begun | null): Promise<Begun> {
  const { file, kept, about, usualTitle, wishes, signal, onProgress, onDisconnect } = upload;
  let sent = begun;
  await client.upload(await openFile(file), {
    ...about,
    ...wishes,
    title: wishes.title ?? usualTitle,
    signal,
    onProgress,
    onDisconnect,
    wait: false,
    resumeFrom: begun?.resumeToken,
    async onStart({ contentId, resumeToken }) {
      if (sent) return;
      sent = { contentId, resumeToken, options: optionsOf(about), isSent: false };
      await kept.write(sent);
    },
  });
  if (!sent) throw new Error('The client sent a file without telling of its upload.');
  return sent;
}

const OVER: ReadonlySet<string> = new Set(['RESOURCE_NOT_FOUND', 'TOKEN_EXPIRED', 'UPLOAD_FAILED', 'TRANSCODE_FAILED']);

/** Whether nothing is left that another run could continue: refused for good, unknown, or another file than the one that was begun. */
function isOver(error: unknown): boolean {
  return error instanceof ProcessingError || error instanceof TypeError || (error instanceof ReelgraphError && OVER.has(error.code));
}
