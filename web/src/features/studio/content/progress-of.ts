import type { OpenUploadsResult, StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { timeLeft } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { isBeingProcessed, isWatchable } from '../../uploads/job-state.ts';
import type { UploadItem } from '../../uploads/upload-item.ts';
import { uploadText } from '../../uploads/upload-text.ts';
import { isContainer } from '../kinds/kind-lists.ts';

export type OpenUpload = OpenUploadsResult['me']['ingestions']['edges'][number]['node'];

export interface ProgressFacts {
  readonly content: StudioContentFragment;
  readonly upload: UploadItem | null;
  /** The latest unfinished upload: started in another session, or failed. */
  readonly open: OpenUpload | null;
}

/** What a content is waiting for: its upload or processing, or the file of an upload from elsewhere. */
export type ContentProgress =
  | { readonly kind: 'running'; readonly label: string; readonly percent: number }
  | { readonly kind: 'failed'; readonly text: string; readonly canReplace: boolean }
  | { readonly kind: 'interrupted'; readonly open: OpenUpload; readonly endpoint: string };

/** Upload and processing, also of a video that is played meanwhile; null for finished ones. */
export function progressOf({ content, upload, open }: ProgressFacts): ContentProgress | null {
  const { transcodeJob: job, status, kind } = content;
  if (upload && upload.phase !== 'sent' && status !== 'DRAFT') return sending(upload);
  if (status === 'FAILED') {
    return { kind: 'failed', text: job?.error ?? t`The video could not be processed.`, canReplace: true };
  }
  if (status === 'PROCESSING' || (isWatchable(content) && isBeingProcessed(content))) {
    return { kind: 'running', label: labelOf(job), percent: job?.progress ?? 0 };
  }
  if (status !== 'DRAFT' || isContainer(kind)) return null;
  if (upload) return sending(upload);
  if (open?.error) return { kind: 'failed', text: open.error, canReplace: false };
  return open?.endpoint ? { kind: 'interrupted', open, endpoint: open.endpoint } : null;
}

/** What can be done about an upload is beside the page, in the list of all. */
function sending(upload: UploadItem): ContentProgress {
  const percent = (upload.sentBytes / Math.max(1, upload.totalBytes)) * 100;
  return { kind: 'running', label: uploadText(upload), percent };
}

/** What a job does that has not ended. */
export function labelOf(job: StudioContentFragment['transcodeJob']): string {
  if (job?.interruption?.state === 'SET_APART') return t`Interrupted several times, is tried alone`;
  if (job?.interruption) return t`Interrupted, goes on by itself`;
  return job?.status === 'TRANSCODING' ? processing(job.remainingMs) : t`Queued`;
}

function processing(remainingMs: number | null): string {
  if (remainingMs === null) return t`Processing`;
  const remaining = timeLeft(remainingMs / 1_000);
  return t`Processing, ${remaining}`;
}
