import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { focusHeading } from '../lib/use-row-focus.ts';
import type { Selection } from '../lib/use-selection.ts';
import { CheckField } from './field.tsx';

interface Properties {
  /** Identifiers of all that can be selected. */
  readonly all: readonly string[];
  readonly selection: Selection;
  /** What can be done with the selected ones. */
  readonly children: ReactNode;
}

/** Selects all of a list, and has the buttons that act on what is selected. */
export function SelectionBar({ all, selection, children }: Properties) {
  const bar = useRef<HTMLDivElement>(null);
  const count = all.filter((id) => selection.ids.has(id)).length;
  // What acts on nothing is disabled, and a disabled button cannot keep the focus it has.
  useLayoutEffect(() => {
    const active = document.activeElement;
    if (count === 0 && active?.matches(':disabled') && bar.current?.contains(active)) bar.current.querySelector('input')?.focus();
  }, [count]);
  // Nor can a bar that goes away with the last entries.
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
