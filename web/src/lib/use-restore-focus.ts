import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps the keyboard where something was opened: when that is closed and takes the focus with it, the button that opened it gets the focus,
 * or what stands in its place. Put what it answers on that as `ref`.
 */
export function useRestoreFocus<Opener extends HTMLElement = HTMLButtonElement>(open: boolean): RefObject<Opener | null> {
  const opener = useRef<Opener>(null);
  const before = useRef(open);
  useEffect(() => {
    if (before.current && !open && document.activeElement === document.body) opener.current?.focus();
    before.current = open;
  }, [open]);
  return opener;
}
