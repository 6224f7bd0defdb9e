import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps the keyboard where something was opened in the place of its button: when that is closed, the button that is there again gets the
 * focus. Put what it answers on the button as `ref`.
 */
export function useFocusBack(open: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef(open);
  useEffect(() => {
    if (before.current && !open && document.activeElement === document.body) button.current?.focus();
    before.current = open;
  }, [open]);
  return button;
}
