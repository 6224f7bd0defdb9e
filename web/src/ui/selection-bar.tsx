import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { focusHeading } from '../lib/hooks/use-row-focus.ts';
import type { Selection } from '../lib/hooks/use-selection.ts';
import { plural, t } from '../lib/i18n.ts';
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
  const hadFocus = useRef(false);
  // Without a selection the buttons are disabled. Browsers take the focus from a disabled button, with the next frame.
  useLayoutEffect(() => {
    const active = document.activeElement;
    const lost = active === document.body || active?.matches(':disabled');
    if (count === 0 && lost && hadFocus.current) bar.current?.querySelector('input')?.focus();
  }, [count]);
  useEffect(() => {
    const { current } = bar;
    const track = ({ relatedTarget, type }: FocusEvent): void => {
      if (type === 'focusin' || relatedTarget !== null) hadFocus.current = type === 'focusin';
    };
    current?.addEventListener('focusin', track);
    current?.addEventListener('focusout', track);
    return () => {
      current?.removeEventListener('focusin', track);
      current?.removeEventListener('focusout', track);
    };
  }, []);
  // So does a bar that is removed with the last entries.
  useLayoutEffect(() => {
    const { current } = bar;
    return () => {
      if (current?.contains(document.activeElement)) focusHeading(current);
    };
  }, []);
  return (
    <div ref={bar} className="flex flex-wrap items-center gap-2">
      <div className="me-auto max-sm:basis-full">
        <CheckField
          label={count === 0 ? t`Select all` : plural(count, { one: '# selected', other: '# selected' })}
          aria-label={t`Select all`}
          checked={count > 0 && count === all.length}
          onChange={(event) => selection.set(all, event.currentTarget.checked)}
        />
      </div>
      {children}
    </div>
  );
}
