import { lazy, Suspense, useState } from 'react';
import { useSignedIn } from '../../lib/hooks/use-signed-in.ts';
import { t } from '../../lib/i18n.ts';
import { POPOVER_ITEM, Popover } from '../../ui/popover.tsx';
import { ShellIcon } from '../../ui/shell-icons.tsx';
import { saveForLater } from './watch-later.ts';

const SaveDialog = lazy(async () => ({ default: (await import('./save-dialog.tsx')).SaveDialog }));

/** The menu of a card: saving its video. Visible under the pointer, with focus, and on touch screens. */
export function CardMenu({ contentId, title }: { contentId: string; title: string }) {
  const [isSaving, setSaving] = useState(false);
  const whenSignedIn = useSignedIn();
  return (
    <div
      className={
        'relative z-10 -my-1 -me-1.5 shrink-0 opacity-0 group-hover:opacity-100 focus-within:opacity-100 ' +
        'has-[[aria-expanded=true]]:opacity-100 pointer-coarse:opacity-100'
      }
    >
      <Popover
        label={t`Actions for ${title}`}
        face={<ShellIcon name="more" className="size-5" />}
        className="grid size-8 place-items-center rounded-full text-muted hover:bg-raised hover:text-fore"
      >
        <button type="button" className={POPOVER_ITEM} onClick={() => whenSignedIn(() => void saveForLater(contentId))}>
          <ShellIcon name="clock" className="size-5 text-muted" />
          {t`Save to Watch later`}
        </button>
        <button type="button" className={POPOVER_ITEM} onClick={() => whenSignedIn(() => setSaving(true))}>
          <ShellIcon name="bookmark" className="size-5 text-muted" />
          {t`Save to playlist`}
        </button>
      </Popover>
      {isSaving && (
        <Suspense>
          <SaveDialog contentId={contentId} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** The button of the watch page that opens the same dialog. */
export function SaveButton({ contentId, className }: { contentId: string; className: string }) {
  const [isSaving, setSaving] = useState(false);
  const whenSignedIn = useSignedIn();
  return (
    <>
      <button type="button" className={className} onClick={() => whenSignedIn(() => setSaving(true))}>
        <ShellIcon name="bookmark" className="size-5" />
        {t`Save`}
      </button>
      {isSaving && (
        <Suspense>
          <SaveDialog contentId={contentId} onClose={() => setSaving(false)} />
        </Suspense>
      )}
    </>
  );
}
