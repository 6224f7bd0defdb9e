import { type RefObject, useEffect, useRef } from 'react';

/**
 * Restores focus after something that had it is closed: to the button that opened it, or what replaces that button. Use
 * the returned ref on it.
 */
export function useRestoreFocus<Opener extends HTMLElement = HTMLButtonElement>(
  open: boolean,
): RefObject<Opener | null> {
  const opener = useRef<Opener>(null);
  const before = useRef(open);
  useEffect(() => {
    if (before.current && !open && document.activeElement === document.body) opener.current?.focus();
    before.current = open;
  }, [open]);
  return opener;
}
