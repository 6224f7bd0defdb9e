import { spokenTime } from '../../../lib/format.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { FileButton } from '../../../ui/file-button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { isBeingProcessed, isWatchable } from '../../uploads/job-state.ts';
import { uploadToContent, VIDEO_TYPES } from '../../uploads/upload-commands.ts';
import type { UploadItem } from '../../uploads/upload-item.ts';
import type { EditedContent } from '../content/details-form.tsx';
import { ProcessAgainButton } from './process-again.tsx';
import { VideoAddress } from './video-address.tsx';

interface Properties {
  readonly content: EditedContent;
  readonly upload: UploadItem | null;
  readonly onChange: () => void;
}

/** Uploads, fetches or replaces the file of a video, or processes it again. */
export function VideoPanel({ content, upload, onChange }: Properties) {
  const action = useAction();
  const { id, status, transcodeJob } = content;
  const file = content.assets.videos.edges[0]?.node;
  const missing = file?.missingDurationMs ? file.missingDurationMs / 1_000 : null;
  const replaces = isWatchable(content);
  const isProcessed = isBeingProcessed(content);
  const busy = status === 'PROCESSING' || (upload !== null && upload.phase !== 'sent');
  return (
    <Panel
      title={t`Video file`}
      hint={
        replaces
          ? t`Replace the file and keep the link, comments and analytics. The current video stays available until the
            new one is ready. Captions and chapters stay, too: check whether they fit the new video.`
          : t`Upload a file. Processing starts when the upload is complete.`
      }
    >
      {replaces && transcodeJob?.status === 'ERROR' && (
        <p className="rounded-lg bg-raised p-3 text-sm">
          {t`The last processing failed: ${transcodeJob.error ?? ''}`} {t`Viewers watch the video as it was before.`}
        </p>
      )}
      {isProcessed && transcodeJob?.interruption && (
        <p className="rounded-lg bg-raised p-3 text-sm">{transcodeJob.interruption.reason}</p>
      )}
      {missing !== null && (
        <p className="rounded-lg bg-raised p-3 text-sm">
          {t`The end of the video is missing (${spokenTime(missing)}): the file is cut off or damaged there. What it has
            is played. Replace it with the whole file.`}
        </p>
      )}
      {file?.damaged && (
        <p className="rounded-lg bg-raised p-3 text-sm">
          {t`Parts of the file are damaged. Viewers see them as far as they can be concealed. Replace it with an intact
            file, if you have one.`}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <FileButton
          label={t`Video file`}
          accept={VIDEO_TYPES}
          busy={busy || action.busy !== null}
          onFile={(file) => action.run('send', () => uploadToContent(content, file))}
        >
          {replaces ? t`Replace video` : t`Select file`}
        </FileButton>
        {replaces && (
          <ProcessAgainButton contentId={id} isReplaced={busy} isProcessed={isProcessed} onChange={onChange} />
        )}
      </div>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {status !== 'DRAFT' && (
        <VideoAddress content={content} busy={busy || action.busy !== null} onStarted={onChange} />
      )}
    </Panel>
  );
}
