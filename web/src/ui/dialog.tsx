import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from './button.tsx';

interface Properties {
  readonly open: boolean;
  readonly title: string;
  /** Whether it has a button that closes it, for dialogs without buttons of their own. */
  readonly hasClose?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal `<dialog>`: it traps focus, closes on Escape and restores focus. */
export function Dialog({ open, ...shown }: Properties) {
  return open ? <OpenDialog {...shown} /> : null;
}

function OpenDialog({ title, hasClose = false, onClose, children }: Omit<Properties, 'open'>) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Focus is restored only by close(), not by removing the element.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      // Of the page, also for dialogs inside of the player, which goes from left to right.
      dir={document.documentElement.dir || undefined}
      // The close event is asynchronous: the same dialog may be open again by then.
      onCancel={(event) => {
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose();
      }}
      onClose={() => element.current?.open === false && onClose()}
      onClick={(event) => event.target === element.current && onClose()}
      onKeyDown={(event) => event.stopPropagation()}
      className={
        'm-auto w-[min(32rem,calc(100vw-2rem))] rounded-2xl border border-line bg-surface p-0 text-start text-fore ' +
        // Its place may be a cell of a table.
        'font-normal whitespace-normal shadow-2xl [overflow-wrap:anywhere]'
      }
    >
      <div className="space-y-4 p-6">
        <div className="flex items-center justify-between gap-4">
          <h2 id={heading} className="text-xl font-semibold">
            {title}
          </h2>
          {hasClose && <Button look="quiet" onClick={onClose}>{t`Close`}</Button>}
        </div>
        {children}
      </div>
    </dialog>
  );
}

/** The buttons of a dialog, the primary one last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-3 max-sm:*:grow">{children}</div>;
}
