import type { ReactNode } from 'react';

/** A row of tabs that are links to views of one page. */
export function TabRow({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="-mx-4 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0">
      <ul className="flex gap-1">{children}</ul>
    </nav>
  );
}

/** Class names of such a link; `aria-current` marks the current view. */
export const TAB =
  '-mb-px inline-flex min-h-11 items-center gap-2 border-b-2 border-transparent px-3 font-medium ' +
  'whitespace-nowrap text-muted hover:text-fore aria-[current]:border-accent aria-[current]:text-fore';

/** Marks a link as active only when its search parameters match too: views of one page differ in nothing else. */
export const EXACT = { exact: true, includeSearch: true } as const;
