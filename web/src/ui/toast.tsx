import { useEffect, useState, useSyncExternalStore } from 'react';
import { t } from '../lib/i18n.ts';
import { ShellIcon } from './shell-icons.tsx';

interface Toast {
  readonly text: string;
  /** What takes the change back. */
  readonly undo?: () => void;
}

const SHOWN_MS = 8_000;
const listeners = new Set<() => void>();
let shown: Toast | null = null;

/** Says at the bottom of the page what was done, and offers to undo it. Replaces what was said before. */
export function showToast(toast: Toast | null): void {
  shown = toast;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear: once on the page. They stay while pointer or focus are on them. */
export function Toasts() {
  const toast = useSyncExternalStore(subscribe, () => shown);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!toast || isHeld) return;
    const timer = setTimeout(() => showToast(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-4 bottom-20 z-40 flex justify-center lg:bottom-4">
      {toast && (
        // biome-ignore lint/a11y/noStaticElementInteractions: it only stays longer under the pointer
        <div
          onPointerEnter={() => setHeld(true)}
          onPointerLeave={() => setHeld(false)}
          onFocus={() => setHeld(true)}
          onBlur={() => setHeld(false)}
          className={
            'pointer-events-auto flex max-w-md items-center gap-2 rounded-xl bg-fore py-1.5 pe-1.5 ps-4 ' +
            'text-[0.95rem] text-ink shadow-2xl'
          }
        >
          <span className="min-w-0 py-1.5 [overflow-wrap:anywhere]">{toast.text}</span>
          {toast.undo && (
            <button
              type="button"
              className="min-h-9 rounded-lg px-3 font-semibold underline underline-offset-3"
              onClick={() => {
                showToast(null);
                toast.undo?.();
              }}
            >{t`Undo`}</button>
          )}
          <button type="button" aria-label={t`Dismiss`} className="rounded-lg p-2" onClick={() => showToast(null)}>
            <ShellIcon name="close" className="size-4.5" />
          </button>
        </div>
      )}
    </div>
  );
}
