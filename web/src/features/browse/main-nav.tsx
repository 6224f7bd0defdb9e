import { Link, type LinkProps } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { ShellIcon, type ShellIconName } from '../../ui/shell-icons.tsx';

interface Entry {
  readonly to: NonNullable<LinkProps['to']>;
  readonly label: string;
  readonly icon: ShellIconName;
  /** Whether it is for people who are signed in. */
  readonly own?: true;
  /** Whether there is room for it in the bar of phones. */
  readonly inBar?: true;
}

const ENTRIES: readonly Entry[] = [
  { to: '/', label: t`Home`, icon: 'home', inBar: true },
  { to: '/trending', label: t`Trending`, icon: 'trending', inBar: true },
  { to: '/shorts', label: t`Shorts`, icon: 'shorts', inBar: true },
  { to: '/browse/series', label: t`Series`, icon: 'series', inBar: true },
  { to: '/feed', label: t`Following`, icon: 'following', own: true, inBar: true },
  { to: '/history', label: t`History`, icon: 'replay', own: true },
  { to: '/watch-later', label: t`Watch later`, icon: 'clock', own: true },
  { to: '/playlists', label: t`Playlists`, icon: 'list', own: true },
  { to: '/shared', label: t`Shared with me`, icon: 'people', own: true },
  { to: '/liked', label: t`Liked videos`, icon: 'heart', own: true },
];
/** The home page is active on its own only; others also on pages below. */
const HOME_ONLY = { exact: true };

/** The entries that this visitor can use; none of the own ones until it is known who they are. */
function useEntries(): readonly Entry[] {
  const user = useUser();
  return user ? ENTRIES : ENTRIES.filter(({ own }) => !own);
}

/** Links to what people browse. */
export function BrowseLinks() {
  const entries = useEntries();
  return (
    <ul className="space-y-0.5">
      {entries.map(({ to, label, icon, own }, index) => (
        <li key={to} className={own && !entries[index - 1]?.own ? 'mt-3 border-t border-line pt-3' : ''}>
          <Link
            to={to}
            activeOptions={HOME_ONLY}
            className={
              'flex items-center gap-3.5 rounded-xl px-3 py-2.5 font-medium text-muted hover:bg-raised ' +
              'hover:text-fore aria-[current=page]:bg-raised aria-[current=page]:text-fore'
            }
          >
            <ShellIcon name={icon} className="size-5.5 shrink-0" />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Navigation at the side of wide pages. */
export function SideNav() {
  return (
    <nav
      aria-label={t`Browse`}
      className="sticky top-15 hidden max-h-[calc(100dvh-3.75rem)] overflow-y-auto pt-5 lg:block"
    >
      <BrowseLinks />
    </nav>
  );
}

/** Navigation at the bottom of narrow pages. */
export function BottomNav() {
  const entries = useEntries().filter(({ inBar }) => inBar);
  return (
    <nav
      aria-label={t`Browse`}
      className={
        'fixed inset-x-0 bottom-0 z-20 border-t border-line bg-ink/95 ' + 'pb-[env(safe-area-inset-bottom)] lg:hidden'
      }
    >
      <ul className="mx-auto flex max-w-xl">
        {entries.map(({ to, label, icon }) => (
          <li key={to} className="min-w-0 flex-1">
            <Link
              to={to}
              activeOptions={HOME_ONLY}
              className={
                'flex flex-col items-center gap-1 px-1 py-2 text-xs font-medium text-muted ' +
                'hover:text-fore aria-[current=page]:text-accent-text'
              }
            >
              <ShellIcon name={icon} className="size-6" />
              <span className="max-w-full truncate">{label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
