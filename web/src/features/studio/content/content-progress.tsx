import { useState } from 'react';
import type { OpenUploadsResult, StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { byteSize, timeLeft } from '../../../lib/format.ts';
import { FileButton } from '../../../ui/file-button.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { continueUpload } from '../../uploads/upload-commands.ts';
import type { UploadItem } from '../../uploads/upload-item.ts';
import { uploadText } from '../../uploads/upload-text.ts';
import { isBeingProcessed, isWatchable } from './job-state.ts';
import { isContainer } from './kinds.ts';

export type OpenUpload = OpenUploadsResult['me']['ingestions']['edges'][number]['node'];

interface Properties {
  readonly content: StudioContentFragment;
  readonly upload: UploadItem | null;
  /** The latest unfinished upload: started in another session, or failed. */
  readonly open: OpenUpload | null;
}

/** Progress or error of upload and processing, also of a video that is played meanwhile; nothing for finished ones. */
export function ContentProgress({ content, upload, open }: Properties) {
  const { transcodeJob: job, status, kind } = content;
  if (upload && upload.phase !== 'sent' && status !== 'DRAFT') return <Sending upload={upload} />;
  if (status === 'FAILED') {
    return (
      <p className="rounded-lg bg-raised p-3 text-sm">
        {job?.error ?? 'The video could not be processed.'} Edit the video to upload another file.
      </p>
    );
  }
  if (status === 'PROCESSING' || (isWatchable(content) && isBeingProcessed(content))) {
    const label = job?.status === 'TRANSCODING' ? processing(job.remainingSeconds) : 'Queued';
    return <Progress label={label} percent={job?.progress ?? 0} />;
  }
  if (status !== 'DRAFT' || isContainer(kind)) return null;
  if (upload) return <Sending upload={upload} />;
  if (open?.error) return <p className="rounded-lg bg-raised p-3 text-sm">{open.error}</p>;
  return open?.endpoint ? <Interrupted content={content} open={open} endpoint={open.endpoint} /> : null;
}

function processing(remainingSeconds: number | null): string {
  return remainingSeconds === null ? 'Processing' : `Processing, ${timeLeft(remainingSeconds)}`;
}

/** What can be done about an upload is beside the page, in the list of all. */
function Sending({ upload }: { upload: UploadItem }) {
  return <Progress label={uploadText(upload)} percent={(upload.sentBytes / Math.max(1, upload.totalBytes)) * 100} />;
}

function Interrupted({
  content,
  open,
  endpoint,
}: Pick<Properties, 'content'> & { open: OpenUpload; endpoint: string }) {
  const [error, setError] = useState<string | null>(null);
  const { current, total } = open.progress;
  const choose = (file: File): void => {
    if (file.size === total) void continueUpload(content, endpoint, file);
    else setError(`This file is ${byteSize(file.size)}, but the upload was started with a file of ${byteSize(total)}.`);
  };
  return (
    <div className="space-y-3">
      <p className="text-sm">
        {current > 0
          ? `The upload stopped at ${byteSize(current)} of ${byteSize(total)}.`
          : 'The file has not been uploaded yet.'}{' '}
        Select <span className="font-semibold">{open.tus.originalFilename}</span>{' '}
        {current > 0 ? 'again to resume.' : 'to upload it.'}
      </p>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <FileButton label={`File for ${open.tus.originalFilename}`} onFile={choose}>
        Select file
      </FileButton>
    </div>
  );
}
