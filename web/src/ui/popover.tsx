import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

interface Properties {
  /** Accessible name of the button. */
  readonly label: string;
  readonly face: ReactNode;
  readonly className?: string;
  /** Which edge of the button the panel is aligned with. */
  readonly align?: 'left' | 'right';
  readonly children: ReactNode;
}

/** Minimum distance between the panel and the edge of the window, in pixels. */
const EDGE = 8;

/**
 * A button that opens a menu of links and buttons. Closes on Escape, on a choice, and when pointer or focus leave it.
 */
export function Popover({ label, face, className = '', align = 'right', children }: Properties) {
  const [open, setOpen] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    if (!open || !panel.current) return;
    const { left, right } = panel.current.getBoundingClientRect();
    const beyond = Math.max(0, right + EDGE - document.documentElement.clientWidth) || Math.min(0, left - EDGE);
    panel.current.style.translate = `${-beyond}px`;
  }, [open]);
  useEffect(() => {
    if (!open) return;
    const away = (event: Event): void => {
      if (event.target instanceof Node && !around.current?.contains(event.target)) setOpen(false);
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', away);
    document.addEventListener('focusin', away);
    document.addEventListener('keydown', onKeyDown);
    return () => {
      document.removeEventListener('pointerdown', away);
      document.removeEventListener('focusin', away);
      document.removeEventListener('keydown', onKeyDown);
    };
  }, [open]);
  return (
    <div ref={around} className="relative">
      <button
        ref={button}
        type="button"
        aria-label={label}
        title={label}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        className={className}
        onClick={() => setOpen(!open)}
      >
        {face}
      </button>
      {open && (
        // biome-ignore lint/a11y/noStaticElementInteractions: a choice inside closes the panel around it
        // biome-ignore lint/a11y/useKeyWithClickEvents: the choices are links and buttons, whose keys make clicks
        <div
          ref={panel}
          id={id}
          onClick={() => setOpen(false)}
          className={
            'absolute top-full z-40 mt-1 flex min-w-48 flex-col rounded-xl border border-line ' +
            `bg-surface p-1.5 shadow-2xl ${align === 'right' ? 'right-0' : 'left-0'}`
          }
        >
          {children}
        </div>
      )}
    </div>
  );
}

/** Class names of the links and buttons in it. */
export const POPOVER_ITEM =
  'flex min-h-10 w-full items-center gap-3 rounded-lg px-3 py-2 text-left ' +
  'text-[0.95rem] whitespace-nowrap hover:bg-raised disabled:opacity-60';
