import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { BottomNav, SideNav } from '../features/browse/main-nav.tsx';
import { LanguageSelect } from '../features/language/language-select.tsx';
import { SearchBox } from '../features/search/search-box.tsx';
import { useUploadsPresent } from '../features/uploads/upload-presence.ts';
import { stopPlaying, useNowPlaying } from '../features/watch/now-playing.ts';
import { t } from '../lib/i18n.ts';
import { useUser } from '../lib/session.ts';
import { privacyUrl, siteName, termsUrl } from '../lib/site.ts';
import { buttonClass } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { Toasts } from '../ui/toast.tsx';

/** Pages with work of their own beside them, and those where nothing should distract. */
const WITHOUT_NAV =
  /^\/(studio|settings|admin|sign-in|sign-up|forgot-password|reset-password|confirm-[a-z-]+|unsubscribe|connect)(\/|$)/;
/** Pages that use the whole width. */
const WITHOUT_SIDE = /^\/w\//;

/** Loaded with the first video, which brings it along. */
const NowPlayingHost = lazy(async () => ({
  default: (await import('../features/watch/now-playing-host.tsx')).NowPlayingHost,
}));

/** The layout of all pages: skip link, header, navigation, content, footer. */
export function Shell() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const first = useRef(true);
  const hasNav = !WITHOUT_NAV.test(path ?? location.pathname);
  const hasSide = hasNav && !WITHOUT_SIDE.test(path ?? location.pathname);
  useEffect(() => {
    if (path === undefined) return;
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true }); // screen readers and Tab continue on the new page
  }, [path]);
  const { playing } = useNowPlaying();
  useEffect(() => {
    if (!hasNav) stopPlaying();
  }, [hasNav]);
  return (
    <div className={`flex min-h-dvh flex-col ${hasNav ? 'pb-16 lg:pb-0' : ''}`}>
      <a
        href="#main"
        className={
          'absolute top-2 start-2 z-50 -translate-y-20 rounded-lg bg-accent ' +
          'px-4 py-2 font-semibold text-on-accent focus:translate-y-0'
        }
      >{t`Skip to content`}</a>
      <Header hasMenu={hasNav && !hasSide} />
      <div
        className={
          'mx-auto w-full grow px-4 sm:px-6 ' +
          (hasSide ? 'max-w-[100rem] gap-x-8 lg:grid lg:grid-cols-[12.5rem_minmax(0,1fr)]' : '') +
          (hasNav ? (hasSide ? '' : 'max-w-[112rem]') : 'max-w-7xl')
        }
      >
        {hasSide && <SideNav />}
        <main
          ref={main}
          id="main"
          tabIndex={-1}
          // The footer is below what is seen first, so that it does not move while a page loads.
          className={`min-h-[calc(100dvh-4rem)] min-w-0 pt-6 ${useUploadsPresent() ? 'pb-[55dvh]' : 'pb-16'}`}
        >
          <Outlet />
        </main>
      </div>
      <footer className="border-t border-line">
        <div
          className={
            'mx-auto flex max-w-[100rem] flex-wrap items-center gap-x-6 gap-y-2 px-4 py-5 text-sm text-muted sm:px-6'
          }
        >
          <span>{siteName()}</span>
          <LegalLinks />
          <a className="hover:text-fore" href="/graphql">{t`API explorer`}</a>
          <a className="hover:text-fore" href="/docs">{t`Documentation`}</a>
          <a className="hover:text-fore" href="/docs/errors">{t`Error codes`}</a>
          <div className="ms-auto">
            <LanguageSelect />
          </div>
        </div>
      </footer>
      {playing && (
        <Suspense>
          <NowPlayingHost />
        </Suspense>
      )}
      <Toasts />
      {hasNav && <BottomNav />}
      <Uploads raised={hasNav} />
    </div>
  );
}

/** Terms and privacy policy of this server, where it has them. */
function LegalLinks() {
  const links = [
    ['terms', termsUrl(), t`Terms`],
    ['privacy', privacyUrl(), t`Privacy`],
  ] as const;
  return links.map(
    ([name, url, label]) =>
      url !== null && (
        <a key={name} className="hover:text-fore" href={url}>
          {label}
        </a>
      ),
  );
}

const UploadDock = lazy(async () => ({ default: (await import('../features/uploads/upload-dock.tsx')).UploadDock }));

/** The uploads of this browser; what they need is loaded where there are any. */
function Uploads({ raised }: { raised: boolean }) {
  const user = useUser();
  if (!useUploadsPresent() || !user) return null;
  return (
    <Suspense>
      <UploadDock username={user.username} raised={raised} />
    </Suspense>
  );
}

const NAV =
  'rounded-lg px-2.5 py-2 text-[0.95rem] font-medium whitespace-nowrap ' +
  'text-muted hover:text-fore aria-[current=page]:text-fore sm:px-3';

/** Loaded where someone is signed in. */
const AccountNav = lazy(async () => ({ default: (await import('../features/account/account-nav.tsx')).AccountNav }));

/** Loaded with the first page that has no navigation at its side. */
const BrowseMenu = lazy(async () => ({ default: (await import('../features/browse/browse-menu.tsx')).BrowseMenu }));

function Header({ hasMenu }: { hasMenu: boolean }) {
  const user = useUser();
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-ink/90 backdrop-blur-md">
      <div className="mx-auto flex h-15 max-w-[100rem] items-center gap-2 px-4 sm:px-6">
        {hasMenu && (
          <div className="hidden size-10 lg:block">
            <Suspense>
              <BrowseMenu />
            </Suspense>
          </div>
        )}
        <Link
          to="/"
          className="flex items-center gap-2.5 rounded-lg text-lg font-bold tracking-tight sm:me-2"
          aria-label={t`${siteName()}, home`}
        >
          <Logo className="size-8" />
          <span className="hidden sm:inline">{siteName()}</span>
        </Link>
        <SearchBox />
        <nav aria-label={t`Main`} className={`flex items-center sm:gap-1 ${user === undefined ? 'invisible' : ''}`}>
          {user ? (
            <>
              <Link to="/studio" className={`${NAV} hidden min-[26rem]:inline`}>{t`Studio`}</Link>
              <Suspense fallback={<span className="h-10 w-20 sm:w-21" />}>
                <AccountNav user={user} />
              </Suspense>
            </>
          ) : (
            <>
              <Link to="/sign-in" className={NAV}>{t`Sign in`}</Link>
              <span className="hidden min-[30rem]:inline">
                <Link to="/sign-up" className={buttonClass('primary', 'whitespace-nowrap')}>{t`Sign up`}</Link>
              </span>
            </>
          )}
        </nav>
      </div>
    </header>
  );
}
