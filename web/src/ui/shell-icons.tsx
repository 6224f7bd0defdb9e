/**
 * Icons on a 24-unit grid, drawn with one stroke. They are decorative: the control around them has the accessible name.
 * Those of the header, the navigation and cards are here, because every page loads them; `icons.tsx` has all.
 */
export const SHELL_PATHS = {
  replay: 'M4 4v5h5M4.6 9a8 8 0 1 1-.5 5',
  bookmark: 'M6.5 4h11v16.5L12 16l-5.5 4.5z',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 7v5l3.5 2.5',
  close: 'M6 6l12 12M18 6 6 18',
  more: 'M12 6v.1M12 12v.1M12 18v.1',
  heart:
    'M12 20s-7.5-4.6-9-9.4C2 7.4 4 4.8 7 4.8c2 0 3.8 1.2 5 3 1.2-1.8 3-3 5-3 3 0 5 2.6 4 5.8C19.5 15.4 12 20 12 20Z',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 20.5 20.5',
  list: 'M4 6.5h16M4 12h10M4 17.5h10M17.5 13v7l4-3.5z',
  home: 'M4 11 12 4.5l8 6.5V19.5H14.5V14h-5v5.5H4z',
  trending: 'M4 17l5.5-6 4 3.5L20 7M15 7h5v5',
  shorts: 'M7.5 3.5h9v17h-9zM10.5 9.5v5l4-2.5z',
  series: 'M3.5 8.5h17v11h-17zM6 5.5h12M8.5 3h7M10.5 11.5v5l4-2.5z',
  people:
    'M9 11.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM3 19c.5-3.3 3-5 6-5s5.5 1.7 6 5' +
    'M15.5 5.4a3.2 3.2 0 0 1 0 6M17 14.3c2.2.5 3.7 2.1 4 4.7',
  following: 'M4 6h16v9H4zM8 19h8M10.5 8.5v4l3.5-2z',
  warning: 'M12 4 2.8 19.5h18.4ZM12 10v4.5M12 17v.1',
} as const;

export interface IconProperties<Name> {
  readonly name: Name;
  readonly className?: string;
  readonly filled?: boolean;
}

export type ShellIconName = keyof typeof SHELL_PATHS;

export function ShellIcon({ name, className, filled }: IconProperties<ShellIconName>) {
  return <Drawing path={SHELL_PATHS[name]} className={className} filled={filled} />;
}

interface DrawingProperties {
  readonly path: string;
  readonly className?: string | undefined;
  readonly filled?: boolean | undefined;
}

export function Drawing({ path, className = 'size-5', filled = false }: DrawingProperties) {
  return (
    <svg
      viewBox="0 0 24 24"
      className={className}
      aria-hidden="true"
      focusable="false"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth={filled ? 1 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={path} />
    </svg>
  );
}
