import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';

interface Properties {
  /** Accessible name of the button. */
  readonly label: string;
  readonly face: ReactNode;
  readonly className?: string;
  /** Which edge of the button the panel is aligned with. */
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

/** Minimum distance between the panel and the edge of the window, and between it and the button, in pixels. */
const EDGE = 8;
const GAP = 4;

/** Places the panel below the button, or above it where there is more room, within the window. */
function placeBeside(panel: HTMLElement, button: HTMLElement, align: 'start' | 'end'): void {
  const { top, bottom, left, right } = button.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const { offsetWidth: width, offsetHeight: height } = panel;
  const isLeftToRight = getComputedStyle(button).direction === 'ltr';
  const wanted = (align === 'end') === isLeftToRight ? right - width : left;
  const isBelow = bottom + GAP + height <= clientHeight - EDGE || top < clientHeight - bottom;
  panel.style.left = `${Math.max(EDGE, Math.min(wanted, clientWidth - width - EDGE))}px`;
  panel.style.top = `${isBelow ? bottom + GAP : Math.max(EDGE, top - GAP - height)}px`;
}

/**
 * A button that opens a menu of links and buttons, above everything else on the page. Closes on Escape, on a choice,
 * and when pointer or focus leave it.
 */
export function Popover({ label, face, className = '', align = 'end', children }: Properties) {
  const [open, setOpen] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    if (!open) return;
    const place = (): void => {
      if (panel.current && button.current) placeBeside(panel.current, button.current, align);
    };
    panel.current?.showPopover();
    place();
    const size = new ResizeObserver(place);
    if (panel.current) size.observe(panel.current);
    addEventListener('scroll', place, { capture: true, passive: true });
    addEventListener('resize', place);
    return () => {
      size.disconnect();
      removeEventListener('scroll', place, { capture: true });
      removeEventListener('resize', place);
    };
  }, [open, align]);
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
          popover="manual"
          onClick={() => setOpen(false)}
          className={
            'fixed inset-auto m-0 flex max-h-dvh min-w-48 flex-col rounded-xl border border-line bg-surface p-1.5 ' +
            'text-fore shadow-2xl'
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
  'flex min-h-10 w-full items-center gap-3 rounded-lg px-3 py-2 text-start ' +
  'text-[0.95rem] whitespace-nowrap hover:bg-raised disabled:opacity-60';
