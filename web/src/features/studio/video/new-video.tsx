import { useState } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { byteSize, titleFromFilename } from '../../../lib/format.ts';
import { textOf, useForm } from '../../../lib/use-form.ts';
import { Button } from '../../../ui/button.tsx';
import { DropZone } from '../../../ui/drop-zone.tsx';
import { TextArea, TextField } from '../../../ui/field.tsx';
import { FileButton } from '../../../ui/file-button.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { uploadVideo, VIDEO_TYPES } from './uploads.ts';

/** The upload form: select a file, enter details, upload. */
export function NewVideo({
  channel,
  onOpened,
}: {
  channel: string;
  onOpened: (content: StudioContentFragment) => void;
}) {
  const [file, setFile] = useState<File | null>(null);
  if (!file) {
    return (
      <DropZone label="Upload a video" className="py-10" onFile={setFile}>
        <Icon name="upload" className="size-9 text-accent-text" />
        <p className="text-muted">Drag and drop a video file to upload</p>
        <FileButton label="Video file" look="primary" accept={VIDEO_TYPES} onFile={setFile}>
          Select file
        </FileButton>
      </DropZone>
    );
  }
  return (
    <Details
      key={`${file.name}${file.size}`}
      channel={channel}
      file={file}
      onCancel={() => setFile(null)}
      onOpened={(content) => {
        setFile(null);
        onOpened(content);
      }}
    />
  );
}

interface DetailsProperties {
  readonly channel: string;
  readonly file: File;
  readonly onCancel: () => void;
  readonly onOpened: (content: StudioContentFragment) => void;
}

function Details({ channel, file, onCancel, onOpened }: DetailsProperties) {
  const form = useForm(async (data) => {
    const video = {
      channel,
      file,
      title: textOf(data, 'title'),
      summary: textOf(data, 'summary'),
      publish: data.has('publish'),
      enhance: data.has('enhance'),
    };
    onOpened(await uploadVideo(video));
  });
  return (
    <form
      onSubmit={form.onSubmit}
      aria-label="New video"
      className="space-y-4 rounded-2xl border border-line bg-surface p-5 sm:p-6"
    >
      <p className="flex items-center gap-3 text-muted">
        <Icon name="upload" className="size-6 shrink-0 text-accent-text" />
        <span className="min-w-0 truncate font-medium text-fore">{file.name}</span>
        <span className="shrink-0">{byteSize(file.size)}</span>
      </p>
      {form.error !== null && <ErrorNotice error={form.error} />}
      <TextField
        label="Title"
        name="title"
        required
        autoFocus
        defaultValue={titleFromFilename(file.name)}
        error={form.fieldError('title')}
      />
      <TextArea label="Description" name="summary" error={form.fieldError('summary')} />
      <label className="flex items-center gap-3">
        <input type="checkbox" name="publish" defaultChecked className="size-5 accent-accent" />
        Publish when ready
      </label>
      <label className="flex items-start gap-3">
        <input type="checkbox" name="enhance" className="mt-0.5 size-5 shrink-0 accent-accent" />
        <span>
          Enhance when ready
          <span className="block text-sm text-muted">
            Adds a larger quality and 5.1 sound that viewers can choose. Comes with Creator+.
          </span>
        </span>
      </label>
      <div className="flex flex-wrap gap-3">
        <Button look="primary" type="submit" busy={form.busy}>
          Upload
        </Button>
        <Button onClick={onCancel} disabled={form.busy}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
