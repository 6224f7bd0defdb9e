import { useAction } from '../../../lib/use-action.ts';
import { FileButton } from '../../../ui/file-button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import type { EditedContent } from '../content/details-form.tsx';
import { type UploadState, uploadToContent, VIDEO_TYPES } from './uploads.ts';

/** Uploads or replaces the file of a video. */
export function VideoPanel({ content, upload }: { content: EditedContent; upload: UploadState | null }) {
  const action = useAction();
  const { status } = content;
  const replaces = status === 'READY' || status === 'PUBLISHED';
  const busy = status === 'PROCESSING' || (upload !== null && upload.phase !== 'sent');
  return (
    <Panel
      title="Video file"
      hint={
        replaces
          ? 'Replace the file and keep the link, comments and analytics. ' +
            'The current video stays available until the new one is ready.'
          : 'Upload a file. Processing starts when the upload is complete.'
      }
    >
      <FileButton
        label="Video file"
        accept={VIDEO_TYPES}
        busy={busy || action.busy !== null}
        onFile={(file) => action.run('send', () => uploadToContent(content.id, file))}
      >
        {replaces ? 'Replace video' : 'Select file'}
      </FileButton>
      {action.error !== null && <ErrorNotice error={action.error} />}
    </Panel>
  );
}
