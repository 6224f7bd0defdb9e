import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { Icon } from '../ui/icons.tsx';

export interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
  readonly note?: string;
}

interface Properties<Value> {
  /** Accessible name of the choice: "Quality". */
  readonly name: string;
  readonly face: ReactNode;
  /** The text of the face, where it has one: part of the button's name. */
  readonly value?: string | undefined;
  readonly choices: readonly Choice<Value>[];
  readonly chosen: Value;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onChoose: (value: Value) => void;
}

/** A button with a menu of exclusive choices (ARIA menu button with menuitemradio). */
export function ChoiceMenu<Value>({ name, face, value, choices, chosen, open, onOpen, onChoose }: Properties<Value>) {
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  useOpenMenu(root, open, onOpen);
  const close = (): void => {
    onOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const list = itemsIn(root.current);
    const move = moveOf(event.key, list);
    if (event.key === 'Tab') onOpen(false);
    if (event.key === 'Escape') close();
    if (move !== undefined) list.at(move)?.focus();
    if (move !== undefined || event.key === 'Escape') event.preventDefault();
    // The open menu handles its keys; the player's shortcuts listen on the document.
    if (move !== undefined || ['Escape', 'Enter', ' '].includes(event.key)) event.stopPropagation();
  };
  return (
    <div ref={root} className="relative">
      <button
        type="button"
        className="player-button"
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        aria-label={value === undefined ? name : `${name}: ${value}`}
        title={name}
        onClick={() => onOpen(!open)}
      >
        {face}
      </button>
      {open && (
        <div
          id={id}
          role="menu"
          tabIndex={-1}
          aria-label={name}
          onKeyDown={onKeyDown}
          className={
            'absolute right-0 bottom-full mb-2 max-h-[min(16rem,calc(100cqh-4.5rem))] min-w-44 overflow-y-auto ' +
            'rounded-xl border border-white/15 bg-[#14181af2] p-1.5 text-sm shadow-2xl'
          }
        >
          {choices.map((choice) => (
            <ChoiceItem
              key={String(choice.value)}
              choice={choice}
              isChosen={choice.value === chosen}
              onChoose={() => {
                onChoose(choice.value);
                close();
              }}
            />
          ))}
        </div>
      )}
    </div>
  );
}

const itemsIn = (root: HTMLElement | null): HTMLElement[] => [
  ...(root?.querySelectorAll<HTMLElement>('[role="menuitemradio"]') ?? []),
];

/** The index of the item that a key leads to; undefined for other keys. */
function moveOf(key: string, items: readonly HTMLElement[]): number | undefined {
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? items.indexOf(focused) : -1;
  const moves: Record<string, number> = { ArrowDown: (at + 1) % items.length, ArrowUp: at - 1, Home: 0, End: -1 };
  return moves[key];
}

/** Focuses the chosen item of a menu that opens, and closes it by a press outside. */
function useOpenMenu(root: RefObject<HTMLElement | null>, open: boolean, onOpen: (open: boolean) => void): void {
  // Focus moves only on opening: state updates of the player must not steal it.
  useEffect(() => {
    if (!open) return;
    const list = itemsIn(root.current);
    (list.find((item) => item.ariaChecked === 'true') ?? list[0])?.focus();
  }, [root, open]);
  useEffect(() => {
    if (!open) return;
    const outside = (event: PointerEvent): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) onOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [root, open, onOpen]);
}

interface ItemProperties {
  readonly choice: Choice<unknown>;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function ChoiceItem({ choice: { label, note }, isChosen, onChoose }: ItemProperties) {
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={isChosen}
      tabIndex={-1}
      onClick={onChoose}
      className={
        'flex w-full items-center gap-2 rounded-lg px-2.5 py-2 text-left ' +
        'whitespace-nowrap hover:bg-white/12 focus-visible:bg-white/12'
      }
    >
      <Icon name="check" className={`size-4 text-accent-player ${isChosen ? '' : 'invisible'}`} />
      <span dir="auto" className="grow text-left">
        {label}
      </span>
      {note && <span className="text-[#b9c2c1]">{note}</span>}
    </button>
  );
}
