import { type ReactNode, useRef, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { count } from '../lib/numbers.ts';
import { Icon } from './icons.tsx';

interface Properties<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly nameOf: (item: Item) => string;
  /** Whether the viewer may reorder it. */
  readonly enabled: boolean;
  readonly onMove: (from: number, to: number) => void;
  readonly children: (item: Item, index: number) => ReactNode;
}

const STEP = 'grid size-9 place-items-center rounded-lg text-muted hover:bg-raised hover:text-fore disabled:opacity-35';

/** A reorderable list: by drag and drop, or with buttons that also work by keyboard. */
export function Sortable<Item extends { readonly id: string }>({
  label,
  items,
  nameOf,
  enabled,
  onMove,
  children,
}: Properties<Item>) {
  const [dragged, setDragged] = useState<number | null>(null);
  const [announcement, setSaid] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const move = (from: number, to: number): void => {
    const item = items[from];
    if (!item || to < 0 || to >= items.length || to === from) return;
    onMove(from, to);
    const [position, total] = [count(to + 1), count(items.length)];
    setSaid(t`Moved ${nameOf(item)} to position ${position} of ${total}.`);
  };
  const step = (index: number, by: 1 | -1): void => {
    move(index, index + by);
    const id = items[index]?.id;
    const direction = by < 0 ? 'up' : 'down';
    // The button moves with its row and keeps the focus.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-id="${id}"] [data-step="${direction}"]`)?.focus(),
    );
  };
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ol ref={list} aria-label={label} className="divide-y divide-line rounded-2xl border border-line">
        {items.map((item, index) => (
          <li
            key={item.id}
            data-id={item.id}
            aria-label={nameOf(item)}
            draggable={enabled}
            onDragStart={() => setDragged(index)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (dragged !== null) move(dragged, index);
            }}
            className={`flex items-center gap-3 p-3 ${dragged === index ? 'opacity-50' : ''}`}
          >
            {enabled && (
              <div className="flex flex-col sm:flex-row sm:items-center">
                <Icon name="grip" className="hidden size-5 cursor-grab text-muted sm:block" />
                <button
                  type="button"
                  data-step="up"
                  aria-label={t`Move ${nameOf(item)} up`}
                  disabled={index === 0}
                  onClick={() => step(index, -1)}
                  className={STEP}
                >
                  <Icon name="up" className="size-4" />
                </button>
                <button
                  type="button"
                  data-step="down"
                  aria-label={t`Move ${nameOf(item)} down`}
                  disabled={index === items.length - 1}
                  onClick={() => step(index, 1)}
                  className={STEP}
                >
                  <Icon name="down" className="size-4" />
                </button>
              </div>
            )}
            <div className="min-w-0 grow">{children(item, index)}</div>
          </li>
        ))}
      </ol>
    </>
  );
}
