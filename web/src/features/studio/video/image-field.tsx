import type { ReactNode } from 'react';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { t } from '../../../lib/i18n.ts';
import { FileButton } from '../../../ui/file-button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { IMAGE_TYPES } from './upload-image.ts';

/** Size of a cover image in an editor. */
export const COVER = {
  sizes: '(min-width: 40rem) 16rem, 90vw',
  className: 'aspect-video w-full rounded-xl sm:w-64',
} as const;

interface Properties {
  /** Accessible name of the file input: `Cover file`. */
  readonly fileLabel: string;
  readonly help?: string;
  /** Uploads the file; resolves when the image can be shown. */
  readonly send: (file: File) => Promise<void>;
  /** The current image. */
  readonly children: ReactNode;
}

/** An image with a button to replace it. */
export function ImageField({ fileLabel, help, send, children }: Properties) {
  const action = useAction();
  const busy = action.busy !== null;
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {children}
        <div className="space-y-2">
          <FileButton
            label={fileLabel}
            accept={IMAGE_TYPES}
            busy={busy}
            onFile={(file) => action.run('send', () => send(file))}
          >
            {busy ? t`Uploading image…` : t`Select image`}
          </FileButton>
          {help && <p className="text-sm text-muted">{help}</p>}
        </div>
      </div>
      {action.error !== null && <ErrorNotice error={action.error} />}
    </div>
  );
}
