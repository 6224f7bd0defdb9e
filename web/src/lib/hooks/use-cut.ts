import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Whether a clamped text has more lines than are shown; what was last known once it is open. */
export function useCut<Text extends HTMLElement>(
  isOpen: boolean,
): { readonly text: RefObject<Text | null>; readonly isCut: boolean } {
  const text = useRef<Text>(null);
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const element = text.current;
    if (!element || isOpen) return;
    const measure = (): void => setCut(element.scrollHeight > element.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [isOpen]);
  return { text, isCut };
}
