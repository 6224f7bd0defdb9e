import { type ReactNode, useEffect, useRef } from 'react';

/** A row of tabs that are links to views of one page; a row that is wider is scrolled to the current one. */
export function TabRow({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLElement>(null);
  const shown = useRef<Element>(null);
  useEffect(() => {
    const current = row.current?.querySelector('[aria-current]');
    if (!row.current || !current || current === shown.current) return;
    shown.current = current;
    // Not scrollIntoView, which may scroll the page too.
    const [outer, inner] = [row.current.getBoundingClientRect(), current.getBoundingClientRect()];
    if (inner.right > outer.right) row.current.scrollLeft += inner.right - outer.right + MARGIN;
    else if (inner.left < outer.left) row.current.scrollLeft += inner.left - outer.left - MARGIN;
  });
  return (
    <nav ref={row} aria-label={label} className="-mx-4 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0">
      <ul className="flex gap-1">{children}</ul>
    </nav>
  );
}

/** Pixels by which the next tab remains in sight. */
const MARGIN = 32;

/** Class names of such a link; `aria-current` marks the current view. */
export const TAB =
  '-mb-px inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3 font-medium ' +
  'whitespace-nowrap text-muted hover:text-fore aria-[current]:border-accent aria-[current]:text-fore';

/** Marks a link as active only when its search parameters match too: views of one page differ in nothing else. */
export const EXACT = { exact: true, includeSearch: true } as const;
