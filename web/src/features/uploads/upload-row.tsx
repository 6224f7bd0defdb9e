import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { FileButton } from '../../ui/file-button.tsx';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { audienceLine } from '../studio/audience/audience.ts';
import { isWatchable } from './job-state.ts';
import { NOT_A_VIDEO } from './not-a-video.ts';
import { consentToKept } from './send-queue.ts';
import {
  cancelUpload,
  continueWithFile,
  dropUpload,
  pauseUpload,
  resumeUpload,
  retryUpload,
  startOver,
  VIDEO_TYPES,
} from './upload-commands.ts';
import { UploadDetails } from './upload-details.tsx';
import { isUnfinished, type UploadItem } from './upload-item.ts';
import { changeUpload } from './upload-list.ts';
import { hasFailed, uploadText } from './upload-text.ts';

/** An upload: its state, and what can be done about it. */
export function UploadRow({ item }: { item: UploadItem }) {
  const { title, content, phase } = item;
  const edit = (editing: boolean): void => changeUpload(item.id, { editing });
  return (
    <li aria-label={title} className="space-y-2 px-4 py-3">
      <div>
        <div className="flex items-center gap-2">
          <p dir="auto" className="min-w-0 grow truncate font-medium" title={title}>
            {content && isWatchable(content) ? (
              <Link to="/w/$code" params={{ code: content.shortCode }} className="hover:text-accent-text">
                {title}
              </Link>
            ) : (
              title
            )}
          </p>
          <RowActions item={item} onEdit={() => edit(true)} />
        </div>
        <p className={`text-sm [overflow-wrap:anywhere] ${hasFailed(item) ? 'text-danger' : 'text-muted'}`}>
          {uploadText(item)}
        </p>
        {content && !hasFailed(item) && (
          <p className="text-sm text-muted">
            {[item.kind === 'SHORT' && t`Short`, audienceLine(content, Date.now())].filter(Boolean).join(' · ')}
          </p>
        )}
      </div>
      {isUnfinished(item) && <SendingBar item={item} />}
      {item.error && phase !== 'sent' && <ErrorNotice error={item.error} />}
      <Remedy item={item} />
      {item.editing && <UploadDetails item={item} onClose={() => edit(false)} />}
    </li>
  );
}

function SendingBar({ item: { title, sentBytes, totalBytes } }: { item: UploadItem }) {
  const percent = Math.floor((sentBytes / Math.max(1, totalBytes)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={t`Upload of ${title}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="h-1 overflow-hidden rounded-full bg-raised"
    >
      <div className="h-full rounded-full bg-sea transition-[width] duration-300" style={{ width: `${percent}%` }} />
    </div>
  );
}

function RowActions({ item, onEdit }: { item: UploadItem; onEdit: () => void }) {
  const { id, title, phase, content } = item;
  const [cancelling, setCancelling] = useState(false);
  const isRunning = phase === 'queued' || phase === 'sending' || phase === 'offline' || phase === 'lost';
  return (
    <div className="-me-2 flex shrink-0">
      {content && <IconButton icon="edit" label={t`Edit details of ${title}`} onClick={onEdit} />}
      {isRunning && item.contentId && (
        <IconButton icon="pause" label={t`Pause ${title}`} onClick={() => pauseUpload(id)} />
      )}
      {phase === 'paused' && (
        <IconButton icon="play" label={t`Resume ${title}`} onClick={() => void resumeUpload(id)} />
      )}
      {isUnfinished(item) ? (
        <IconButton icon="close" label={t`Cancel ${title}`} onClick={() => setCancelling(true)} />
      ) : (
        <IconButton icon="close" label={t`Dismiss ${title}`} onClick={() => dropUpload(id)} />
      )}
      <Confirm
        open={cancelling}
        title={t`Cancel this upload?`}
        confirmLabel={t`Cancel upload`}
        onConfirm={() => cancelUpload(id)}
        onClose={() => setCancelling(false)}
      >
        <p>
          {item.replaces
            ? t`The content keeps what it has now.`
            : t`What was sent is deleted, and the draft is moved to the trash.`}
        </p>
      </Confirm>
    </div>
  );
}

function IconButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <Button look="quiet" aria-label={label} title={label} onClick={onClick} className="min-h-9 px-2">
      <Icon name={icon} className="size-4.5" />
    </Button>
  );
}

/** What brings a stopped upload forward. */
function Remedy({ item }: { item: UploadItem }) {
  const { id, phase, filename, otherFile } = item;
  if (item.error?.code === NOT_A_VIDEO) return null;
  if (phase === 'failed') return <Button onClick={() => void retryUpload(id)}>{t`Try again`}</Button>;
  if (phase === 'consent-needed') return <Button onClick={() => void consentToKept(id)}>{t`Continue`}</Button>;
  if (phase !== 'file-needed' && phase !== 'file-changed') return null;
  return (
    <div className="flex flex-wrap gap-2">
      <FileButton
        label={t`File for ${filename}`}
        accept={VIDEO_TYPES}
        onFile={(file) => void continueWithFile(id, file)}
      >{t`Select file`}</FileButton>
      {otherFile && <Button onClick={() => void startOver(id, otherFile)}>{t`Upload this file instead`}</Button>}
    </div>
  );
}
