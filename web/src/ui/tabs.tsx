import { type ReactNode, useEffect, useRef } from 'react';

/** A row of tabs that are links to views of one page; a row that is wider is scrolled to the current one. */
export function TabRow({ label, children }: { label: string; children: ReactNode }) {
  const row = useRef<HTMLElement>(null);
  const shown = useRef<Element>(null);
  useEffect(() => {
    const current = row.current?.querySelector('[aria-current]');
    if (!row.current || !current || current === shown.current) return;
    shown.current = current;
    scrollTo(row.current, current);
  });
  // Tabs change their widths when the font arrives, and the row with the window.
  useEffect(() => {
    const [outer, list] = [row.current, row.current?.firstElementChild];
    if (!outer || !list) return;
    const observer = new ResizeObserver(() => shown.current && scrollTo(outer, shown.current));
    for (const element of [outer, list]) observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <nav ref={row} aria-label={label} className="-mx-4 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0">
      <ul className="flex w-max gap-1">{children}</ul>
    </nav>
  );
}

/** Scrolls the row, not the page, which scrollIntoView may scroll too. */
function scrollTo(row: Element, tab: Element): void {
  const [outer, inner] = [row.getBoundingClientRect(), tab.getBoundingClientRect()];
  if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right + MARGIN;
  else if (inner.left < outer.left) row.scrollLeft += inner.left - outer.left - MARGIN;
}

/** Pixels by which the next tab remains in sight. */
const MARGIN = 32;

/** Class names of such a link; `aria-current` marks the current view. */
export const TAB =
  '-mb-px inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3 font-medium ' +
  'whitespace-nowrap text-muted hover:text-fore aria-[current]:border-accent aria-[current]:text-fore';

/** Marks a link as active only when its search parameters match too: views of one page differ in nothing else. */
export const EXACT = { exact: true, includeSearch: true } as const;
