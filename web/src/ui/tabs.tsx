import type { ReactNode } from 'react';

/** A row of links that are views of one page; the links are made by the page, which knows its addresses. */
export function TabRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="-mx-4 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0">
      <ul className="flex gap-1">{children}</ul>
    </nav>
  );
}

/** Looks of such a link; `aria-current` marks the view that is shown. */
export const TAB =
  '-mb-px inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3 font-medium whitespace-nowrap text-muted hover:text-fore aria-[current]:border-accent aria-[current]:text-fore';

/** The router marks a link as current only where the whole address is; views of one page differ in their search parameters. */
export const EXACT = { exact: true, includeSearch: true } as const;
