import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { focusHeading } from '../lib/use-row-focus.ts';
import type { Selection } from '../lib/use-selection.ts';
import { CheckField } from './field.tsx';

interface Properties {
  /** Ids of all entries that can be selected. */
  readonly all: readonly string[];
  readonly selection: Selection;
  /** Actions on the selected entries. */
  readonly children: ReactNode;
}

/** Selects all entries of a list, and holds the actions on the selected ones. */
export function SelectionBar({ all, selection, children }: Properties) {
  const bar = useRef<HTMLDivElement>(null);
  const count = all.filter((id) => selection.ids.has(id)).length;
  // Without a selection the buttons are disabled, and disabled buttons lose focus.
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (count === 0 && active?.matches(':disabled') && bar.current?.contains(active))
      bar.current.querySelector('input')?.focus();
  }, [count]);
  // So does a bar that is removed with the last entries.
  useLayoutEffect(() => {
    const { current } = bar;
    return () => {
      if (current?.contains(document.activeElement)) focusHeading(current);
    };
  }, []);
  return (
    <div ref={bar} className="flex flex-wrap items-center gap-2">
      <div className="mr-auto max-sm:basis-full">
        <CheckField
          label={count === 0 ? 'Select all' : `${count} selected`}
          aria-label="Select all"
          checked={count > 0 && count === all.length}
          onChange={(event) => selection.set(all, event.currentTarget.checked)}
        />
      </div>
      {children}
    </div>
  );
}
