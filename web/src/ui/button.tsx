import type { ButtonHTMLAttributes, Ref } from 'react';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'px-4 bg-accent text-on-accent hover:brightness-(--accent-hover) active:brightness-(--accent-active)',
  plain: 'px-4 bg-raised text-fore hover:bg-line',
  quiet: 'px-2.5 text-muted hover:bg-raised hover:text-fore',
  danger: 'px-4 bg-danger-fill text-white hover:brightness-110',
};

/** Class names of a button, for links styled as buttons. */
export function buttonClass(look: Look = 'plain', extra = ''): string {
  return (
    'inline-flex min-h-10 items-center justify-center gap-2 rounded-lg border border-transparent py-2 text-[0.95rem] ' +
    'font-semibold contrast-more:border-line-strong ' +
    'transition-[background-color,filter,color] disabled:cursor-not-allowed disabled:opacity-60 ' +
    `aria-disabled:cursor-progress aria-disabled:opacity-60 ${LOOKS[look]} ${extra}`
  );
}

interface Properties extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look;
  readonly ref?: Ref<HTMLButtonElement>;
  /** The action is running: the button shows a spinner and ignores clicks, but keeps its focus. */
  readonly busy?: boolean;
}

export function Button({
  look = 'plain',
  busy = false,
  className = '',
  children,
  onClick,
  type = 'button',
  ...rest
}: Properties) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      aria-busy={busy}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={buttonClass(look, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

export function Spinner({ className = 'size-4' }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={`animate-spin ${className}`} aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="9" fill="none" stroke="currentColor" strokeWidth="3" opacity=".25" />
      <path d="M21 12a9 9 0 0 0-9-9" fill="none" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
    </svg>
  );
}
