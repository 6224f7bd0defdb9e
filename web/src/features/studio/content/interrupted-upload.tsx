import { useState } from 'react';
import type { StudioContentFragment } from '../../../gql/generated/operations.gen.ts';
import { byteSize } from '../../../lib/format.ts';
import { Trans, t } from '../../../lib/i18n.ts';
import { FileButton } from '../../../ui/file-button.tsx';
import { continueUpload } from '../../uploads/upload-commands.ts';
import type { OpenUpload } from './progress-of.ts';

interface Properties {
  readonly content: StudioContentFragment;
  readonly open: OpenUpload;
  readonly endpoint: string;
}

/** Asks for the file of an upload that was started elsewhere. */
export function InterruptedUpload({ content, open, endpoint }: Properties) {
  const [error, setError] = useState<string | null>(null);
  const { current, total } = open.progress;
  const choose = (file: File): void => {
    if (file.size === total) void continueUpload(content, endpoint, file);
    else
      setError(t`This file is ${byteSize(file.size)}, but the upload was started with a file of ${byteSize(total)}.`);
  };
  return (
    <div className="space-y-3">
      <p className="text-sm">
        {current > 0 ? (
          <Trans>
            The upload stopped at {byteSize(current)} of {byteSize(total)}. Select{' '}
            <span className="font-semibold">{open.tus.originalFilename}</span> again to resume.
          </Trans>
        ) : (
          <Trans>
            The file has not been uploaded yet. Select{' '}
            <span className="font-semibold">{open.tus.originalFilename}</span> to upload it.
          </Trans>
        )}
      </p>
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
      <FileButton label={t`File for ${open.tus.originalFilename}`} onFile={choose}>{t`Select file`}</FileButton>
    </div>
  );
}
