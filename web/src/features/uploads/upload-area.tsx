import { t } from '../../lib/i18n.ts';
import { FilesButton } from '../../ui/file-button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { type PickedFile, VIDEO_TYPES } from './upload-commands.ts';

/** Where uploads start. Files may be dropped anywhere in the studio. */
export function UploadArea({ onFiles }: { onFiles: (files: readonly PickedFile[]) => void }) {
  return (
    <section
      aria-label={t`Upload videos`}
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-2xl bg-surface px-5 py-4"
    >
      <Icon name="upload" className="size-7 shrink-0 text-accent-text" />
      <p className="min-w-0 grow basis-48 text-muted">
        <span className="pointer-coarse:hidden">{t`Drop video files anywhere in the studio.`} </span>
        <span className="not-pointer-coarse:hidden">{t`Select videos of this device.`} </span>
        {t`They stay private until you choose who can watch.`}
      </p>
      <FilesButton
        label={t`Video files`}
        look="primary"
        accept={VIDEO_TYPES}
        onFiles={(files) => onFiles(files.map((file) => ({ file, handle: null })))}
      >{t`Select files`}</FilesButton>
    </section>
  );
}
