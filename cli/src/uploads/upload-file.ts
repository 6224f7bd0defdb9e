import {
  type Client,
  ProcessingError,
  type ProcessingProgress,
  ReelgraphError,
  type UploadOptions,
  type UploadProgress,
  type Visibility,
  type WaitForProcessingPayload,
} from '../../../client/src/index.ts';
import { openFile } from '../../../client/src/node/index.ts';
import type { Begun, KeptUpload } from './kept-upload.ts';

/** What becomes of a file, and who is told. */
export interface FileUpload {
  readonly file: string;
  readonly kept: KeptUpload;
  readonly about: Pick<UploadOptions, 'title' | 'summary' | 'channel' | 'contentType' | 'publish' | 'releaseDate'>;
  /** Set before the first byte is sent, so that nothing is public that should not be. */
  readonly visibility: Visibility | undefined;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UploadProgress | ProcessingProgress) => void;
  readonly onRemark: (text: string) => void;
}

/**
 * Sends a file and waits until its video can be played. What was begun in an earlier run is continued; what can no longer be continued is
 * begun anew. Throws what `client.upload` throws.
 */
export async function uploadFile(client: Client, upload: FileUpload): Promise<WaitForProcessingPayload & { readonly contentId: string }> {
  const begun = await upload.kept.read();
  try {
    return await attempt(client, upload, begun);
  } catch (error) {
    if (!isOver(error)) throw error;
    await upload.kept.forget();
    if (begun === null || error instanceof ProcessingError) throw error;
    upload.onRemark('The upload that was begun earlier cannot be continued; it begins anew.');
    return attempt(client, upload, null);
  }
}

async function attempt(client: Client, upload: FileUpload, begun: Begun | null) {
  const { kept, signal, onProgress, onRemark } = upload;
  if (begun && !begun.isSent) onRemark('Continuing the upload that was begun earlier.');
  const sent = begun?.isSent ? begun : await send(client, upload, begun);
  await kept.write({ ...sent, isSent: true });
  const processing = await client.waitUntilProcessed(sent.contentId, { signal, onProgress });
  await kept.forget();
  return { ...processing, contentId: sent.contentId };
}

async function send(client: Client, upload: FileUpload, earlier: Begun | null): Promise<Begun> {
  const { file, kept, about, visibility, signal, onProgress } = upload;
  let begun = earlier;
  await client.upload(await openFile(file), {
    ...about,
    signal,
    onProgress,
    wait: false,
    resumeFrom: earlier?.resumeToken,
    async onStart({ contentId, resumeToken }) {
      if (begun) return;
      if (visibility) await client.updateContent({ id: contentId, input: { visibility } }, { signal });
      begun = { contentId, resumeToken, isSent: false };
      await kept.write(begun);
    },
  });
  if (!begun) throw new Error('The client sent a file without telling of its upload.');
  return begun;
}

const OVER: ReadonlySet<string> = new Set(['RESOURCE_NOT_FOUND', 'TOKEN_EXPIRED', 'UPLOAD_FAILED', 'TRANSCODE_FAILED']);

/** Whether nothing is left that another run could continue: refused for good, unknown, or another file than the one that was begun. */
function isOver(error: unknown): boolean {
  return error instanceof ProcessingError || error instanceof TypeError || (error instanceof ReelgraphError && OVER.has(error.code));
}
