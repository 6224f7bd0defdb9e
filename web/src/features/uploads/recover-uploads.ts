import { StudioContentItem } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { forgetOtherFiles, keptFile, keptUploads, openKeptFile } from './kept-uploads.ts';
import { sendKept } from './send-queue.ts';
import { createContent } from './upload-commands.ts';
import { addUpload, allUploads, changeUpload, claimUpload, uploadById } from './upload-list.ts';
import { setUploadsPresent } from './upload-presence.ts';

/** Continues the uploads of an account that an earlier page of this browser left, unless another tab has them. */
export async function recoverUploads(username: string): Promise<void> {
  const kept = await keptUploads();
  await forgetOtherFiles(kept.map(({ id }) => id));
  for (const upload of kept) {
    if (upload.username !== username || uploadById(upload.id) || !(await claimUpload(upload.id))) continue;
    const { pausedAtBytes } = upload;
    const rest = {
      sentBytes: pausedAtBytes ?? 0,
      bytesPerSecond: null,
      error: null,
      otherFile: null,
      editing: false,
      content: null,
    };
    const isPaused = pausedAtBytes !== undefined && upload.contentId !== null;
    addUpload({ ...upload, ...rest, phase: isPaused ? 'paused' : 'creating' });
    void resume(upload.id, upload.contentId, isPaused);
  }
  if (kept.length === 0 && allUploads().length === 0) setUploadsPresent(false);
}

/** What was paused waits until somebody resumes it. */
async function resume(id: string, contentId: string | null, isPaused: boolean): Promise<void> {
  const file = await keptFile(id);
  if (contentId === null) return createContent(id, file && (await openKeptFile(file)));
  void api(StudioContentItem, { id: contentId }).then(
    ({ content }) => changeUpload(id, { content }),
    () => undefined, // shown without its details
  );
  if (!isPaused) await sendKept(id, file);
}
