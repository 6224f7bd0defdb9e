import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { Icon } from '../../ui/icons.tsx';
import type { PickedFile } from './upload-commands.ts';

/** File System Access, which the types of the DOM do not have yet: https://wicg.github.io/file-system-access/ */
type OpeningItem = DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };

/** Accepts files that are dropped anywhere on the page, except on a target of its own. */
export function DropAnywhere({ onFiles }: { onFiles: (files: readonly PickedFile[]) => void }) {
  const [over, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const onDragOver = (event: DragEvent): void => {
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false); // left the window
    };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      void pickedFiles(event.dataTransfer).then((files) => files.length > 0 && latest.current(files));
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  if (!over) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-ink/80 p-6">
      <p
        className={
          'flex items-center gap-4 rounded-2xl border-2 border-dashed border-accent bg-surface px-8 py-6 ' +
          'text-lg font-semibold'
        }
      >
        <Icon name="upload" className="size-8 text-accent-text" /> {t`Drop to upload as private drafts`}
      </p>
    </div>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.some((type) => type === 'Files') ?? false;
}

/** The files with their handles, which have to be requested before anything is awaited. */
function pickedFiles(dropped: DataTransfer | null): Promise<readonly PickedFile[]> {
  const items: readonly OpeningItem[] = [...(dropped?.items ?? [])].filter(({ kind }) => kind === 'file');
  const picked = items.map(async (item) => {
    const file = item.getAsFile();
    const handle = await item.getAsFileSystemHandle?.().catch(() => null);
    return file && { file, handle: handle instanceof FileSystemFileHandle ? handle : null };
  });
  return Promise.all(picked).then((found) => found.filter((each) => each !== null));
}
