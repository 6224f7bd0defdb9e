import { type RefObject, useEffect, useRef } from 'react';

/** What was closed may take its opener along a render later. */
const SETTLE_MS = 1_000;

/**
 * Restores focus after something that had it is closed: to the button that opened it, or what replaces that button. Use
 * the returned ref on it.
 */
export function useRestoreFocus<Opener extends HTMLElement = HTMLButtonElement>(
  open: boolean,
): RefObject<Opener | null> {
  const opener = useRef<Opener>(null);
  const before = useRef(open);
  const closedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (before.current && !open) closedAt.current = performance.now();
    before.current = open;
    const isSettling = !open && performance.now() - closedAt.current < SETTLE_MS;
    if (isSettling && document.activeElement === document.body) opener.current?.focus();
  });
  return opener;
}
