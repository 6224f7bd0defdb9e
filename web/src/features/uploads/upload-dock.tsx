import { useEffect, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { recoverUploads } from './recover-uploads.ts';
import { dropUpload } from './upload-commands.ts';
import { isUnfinished, type UploadItem } from './upload-item.ts';
import { useUploads } from './upload-list.ts';
import { UploadRow } from './upload-row.tsx';
import { announcement, dockTitle } from './upload-text.ts';

/** The uploads of this browser, beside every page until they are done. */
export function UploadDock({ username, raised }: { username: string; raised: boolean }) {
  const items = useUploads().filter((item) => item.username === username);
  const [open, setOpen] = useState(true);
  useEffect(() => void recoverUploads(username), [username]);
  const spoken = useAnnouncements(items);
  if (items.length === 0) return null;
  const isDone = !items.some(isUnfinished);
  return (
    <section
      aria-label={t`Uploads`}
      className={
        'fixed end-0 z-40 flex max-h-[55dvh] w-full flex-col border border-line bg-surface shadow-2xl ' +
        `sm:end-4 sm:w-96 sm:rounded-2xl ${raised ? 'bottom-16 lg:bottom-4' : 'bottom-0 sm:bottom-4'}`
      }
    >
      <header className="flex items-center gap-2 py-2 ps-4 pe-2">
        <h2 className="min-w-0 grow truncate font-semibold">{dockTitle(items)}</h2>
        <Button
          look="quiet"
          aria-expanded={open}
          aria-label={open ? t`Collapse uploads` : t`Expand uploads`}
          onClick={() => setOpen(!open)}
          className="min-h-9 px-2"
        >
          <Icon name="chevron" className={`size-5 ${open ? '' : 'rotate-180'}`} />
        </Button>
        {isDone && (
          <Button
            look="quiet"
            aria-label={t`Close uploads`}
            onClick={() => items.forEach(({ id }) => void dropUpload(id))}
            className="min-h-9 px-2"
          >
            <Icon name="close" className="size-5" />
          </Button>
        )}
      </header>
      <p role="status" className="sr-only">
        {spoken}
      </p>
      {open && (
        <ul className="min-h-0 divide-y divide-line overflow-y-auto border-t border-line">
          {items.map((item) => (
            <UploadRow key={item.id} item={item} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** The latest change that is worth a word. */
function useAnnouncements(items: readonly UploadItem[]): string {
  const before = useRef<ReadonlyMap<string, UploadItem>>(new Map());
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    const words = items.map((item) => announcement(before.current.get(item.id) ?? null, item)).filter(Boolean);
    before.current = new Map(items.map((item) => [item.id, item]));
    if (words.length > 0) setSpoken(words.join(' '));
  }, [items]);
  return spoken;
}
