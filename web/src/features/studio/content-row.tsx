import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import {
  DeleteItem,
  type OpenUploadsResult,
  PublishItem,
  type StudioContentFragment,
  UnpublishItem,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { watchPath } from '../../lib/did.ts';
import { ago, byteSize, clockTime } from '../../lib/format.ts';
import { useAction } from '../../lib/use-action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Picture, pick } from '../../ui/picture.tsx';
import { Progress } from '../../ui/progress.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { dropUpload, pauseUpload, resumeUpload, sendFile, type UploadState } from './uploads.ts';

export type OpenUpload = OpenUploadsResult['me']['ingestions']['edges'][number]['node'];

interface Properties {
  readonly content: StudioContentFragment;
  readonly upload: UploadState | null;
  /** The newest upload for it that is not finished: one that another visit began, or one that failed. */
  readonly open: OpenUpload | null;
  readonly onChange: (content: StudioContentFragment) => void;
  readonly onDelete: (id: string) => void;
}

/** One of one's own videos: what it is, how far it is, and what can be done with it. */
export function ContentRow({ content, upload, open, onChange, onDelete }: Properties) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const action = useAction();
  const { id, status, metadata } = content;
  const watchable = status === 'READY' || status === 'PUBLISHED';
  const publish = async (): Promise<void> => onChange((await api(PublishItem, { id })).publishContent);
  const unpublish = async (): Promise<void> => onChange((await api(UnpublishItem, { id })).unpublishContent);
  const remove = async (): Promise<void> => {
    await api(DeleteItem, { id });
    dropUpload(id);
    onDelete(id);
  };
  return (
    <li
      aria-label={metadata.title}
      className="grid gap-x-5 gap-y-3 rounded-2xl border border-line bg-surface p-4 sm:grid-cols-[11rem_minmax(0,1fr)]"
    >
      <Picture
        image={pick(content.assets.images, 'THUMBNAIL', 'POSTER')}
        sizes="(min-width: 40rem) 11rem, 90vw"
        className="aspect-video w-full rounded-lg"
      />
      <div className="min-w-0 space-y-3">
        <div className="flex items-start justify-between gap-4">
          <h3 className="min-w-0 font-semibold [overflow-wrap:anywhere]">
            {watchable ? (
              <Link to="/watch/$" params={{ _splat: watchPath(id) }} className="hover:text-accent-text">
                {metadata.title}
              </Link>
            ) : (
              metadata.title
            )}
          </h3>
          <Status content={content} />
        </div>
        <p className="text-sm text-muted">
          {metadata.duration !== null && `${clockTime(metadata.duration)} · `}
          {metadata.visibility !== 'PUBLIC' && `${metadata.visibility === 'PRIVATE' ? 'Private' : 'Unlisted'} · `}
          {content.publishedAt ? `published ${ago(content.publishedAt, Date.now())}` : `created ${ago(content.createdAt, Date.now())}`}
        </p>
        <Advance content={content} upload={upload} open={open} />
        {action.error !== null && dialog !== 'delete' && <ErrorNotice error={action.error} />}
        <div className="flex flex-wrap gap-2">
          {status === 'READY' && (
            <Button look="primary" busy={action.busy === 'publish'} onClick={() => action.run('publish', publish)}>
              Publish
            </Button>
          )}
          {status === 'PUBLISHED' && (
            <Button busy={action.busy === 'unpublish'} onClick={() => action.run('unpublish', unpublish)}>
              Unpublish
            </Button>
          )}
          <Button look="quiet" onClick={() => setDialog('edit')} aria-label={`Edit ${metadata.title}`}>
            <Icon name="edit" className="size-4" /> Edit
          </Button>
          <Button look="quiet" onClick={() => setDialog('delete')} aria-label={`Delete ${metadata.title}`}>
            <Icon name="trash" className="size-4" /> Delete
          </Button>
        </div>
      </div>
      <EditDialog content={content} open={dialog === 'edit'} onClose={() => setDialog(null)} onChange={onChange} />
      <Dialog open={dialog === 'delete'} title="Delete this video?" onClose={() => setDialog(null)}>
        <p>
          <strong className="[overflow-wrap:anywhere]">{metadata.title}</strong> and its files will be gone, and links to it will lead
          nowhere.
        </p>
        {action.error !== null && <ErrorNotice error={action.error} />}
        <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">
          <Button onClick={() => setDialog(null)}>Keep it</Button>
          <Button look="danger" busy={action.busy === 'delete'} onClick={() => action.run('delete', remove)}>
            Delete
          </Button>
        </div>
      </Dialog>
    </li>
  );
}

const STATUS = {
  DRAFT: ['Draft', 'border-line text-muted'],
  PROCESSING: ['Processing', 'border-sea/50 text-sea'],
  READY: ['Ready', 'border-accent-text/50 text-accent-text'],
  FAILED: ['Failed', 'border-danger/50 text-danger'],
  PUBLISHED: ['Published', 'border-sea/50 bg-sea/10 text-sea'],
} as const;

function Status({ content }: { content: StudioContentFragment }) {
  const [label, look] = STATUS[content.status];
  return <span className={`shrink-0 rounded-full border px-3 py-0.5 text-sm font-medium ${look}`}>{label}</span>;
}

/** Sending, processing or what went wrong with either; nothing for a video that simply is. */
function Advance({ content, upload, open }: Pick<Properties, 'content' | 'upload' | 'open'>) {
  const { transcodeJob: job, status, id } = content;
  if (status === 'FAILED') {
    return (
      <p className="rounded-lg bg-raised p-3 text-sm">
        {job?.error ?? 'The video could not be processed.'} Delete this entry and upload another file.
      </p>
    );
  }
  if (status === 'PROCESSING') {
    return <Progress label={job?.status === 'TRANSCODING' ? 'Preparing the video' : 'Waiting for its turn'} percent={job?.progress ?? 0} />;
  }
  if (status !== 'DRAFT') return null;
  if (upload) return <Sending upload={upload} id={id} />;
  if (open?.error) return <p className="rounded-lg bg-raised p-3 text-sm">{open.error}</p>;
  return open?.endpoint ? <Interrupted id={id} open={open} endpoint={open.endpoint} /> : null;
}

function Sending({ upload, id }: { upload: UploadState; id: string }) {
  const sent = `${byteSize(upload.sentBytes)} of ${byteSize(upload.totalBytes)}`;
  const label = {
    sending: `Uploading ${sent}`,
    paused: `Paused at ${sent}`,
    sent: 'Uploaded; processing starts',
    failed: `Stopped at ${sent}`,
  }[upload.phase];
  return (
    <div className="space-y-3">
      <Progress label={label} percent={(upload.sentBytes / Math.max(1, upload.totalBytes)) * 100} />
      {upload.error && <ErrorNotice error={upload.error} />}
      {upload.phase === 'sending' && <Button onClick={() => pauseUpload(id)}>Pause</Button>}
      {(upload.phase === 'paused' || upload.phase === 'failed') && <Button onClick={() => resumeUpload(id)}>Resume</Button>}
    </div>
  );
}

function Interrupted({ id, open, endpoint }: { id: string; open: OpenUpload; endpoint: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string | null>(null);
  const { current, total } = open.progress;
  const choose = (file: File | undefined): void => {
    if (!file) return;
    if (file.size === total) void sendFile(id, endpoint, file);
    else setFault(`That file has ${byteSize(file.size)}; the upload was begun with one of ${byteSize(total)}.`);
  };
  return (
    <div className="space-y-3">
      <p className="text-sm">
        {current > 0 ? `The upload stopped at ${byteSize(current)} of ${byteSize(total)}.` : 'The file has not been uploaded yet.'} Choose{' '}
        <span className="font-semibold">{open.tus.originalFilename}</span> {current > 0 ? 'again to go on.' : 'to send it.'}
      </p>
      {fault && (
        <p role="alert" className="text-sm text-danger">
          {fault}
        </p>
      )}
      <Button onClick={() => input.current?.click()}>
        <Icon name="upload" className="size-4" /> Choose the file
      </Button>
      <input
        ref={input}
        type="file"
        className="sr-only"
        tabIndex={-1}
        aria-label={`File for ${open.tus.originalFilename}`}
        onChange={(event) => choose(event.currentTarget.files?.[0])}
      />
    </div>
  );
}
