import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

const CONTROLS = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), summary';

/**
 * Keeps focus in a list whose rows disappear after an action: when the focused row is removed, focus moves to the row
 * in its place, or to the heading above when the list is empty. Spread the result on the list element. It comes before
 * `useRestoreFocus` in a component: the place of a removed row is nearer than the button that opened a dialog before.
 */
export function useRowFocus<List extends HTMLElement>(): {
  readonly ref: RefObject<List | null>;
  readonly onFocus: (event: FocusEvent) => void;
} {
  const list = useRef<List>(null);
  const last = useRef<{ readonly row: Element; readonly index: number } | null>(null);
  const onFocus = ({ target }: FocusEvent): void => {
    const rows = [...(list.current?.children ?? [])];
    const index = rows.findIndex((row) => row.contains(target));
    const row = rows[index];
    last.current = row ? { row, index } : null;
  };
  useEffect(() => {
    const { current } = list;
    if (!current || !last.current || last.current.row.isConnected) return;
    const { index } = last.current;
    last.current = null;
    if (document.activeElement !== document.body) return;
    const rows = current.children;
    const next = rows[Math.min(index, rows.length - 1)]?.querySelector<HTMLElement>(CONTROLS);
    if (next) next.focus();
    else focusHeading(current);
  });
  return { ref: list, onFocus };
}

/** Focuses the heading above an element that is empty or about to be removed. */
export function focusHeading(inside: Element): void {
  const heading = inside.closest('section, main')?.querySelector<HTMLElement>('h1, h2, h3');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}
