import { Link, Outlet, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { currentUser, signOut, useUser } from '../lib/session.ts';
import { buttonClass } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';

/** What stands on every page: skip link, header, the page, footer. */
export function Shell() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const first = useRef(true);
  useEffect(() => {
    if (path === undefined) return;
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true }); // screen readers and Tab go on from the new page
  }, [path]);
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-lg bg-accent px-4 py-2 font-semibold text-on-accent focus:translate-y-0"
      >
        Skip to the content
      </a>
      <Header />
      <main ref={main} id="main" tabIndex={-1} className="mx-auto w-full max-w-7xl grow px-4 pt-6 pb-16 sm:px-6">
        <Outlet />
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto flex max-w-7xl flex-wrap items-center gap-x-6 gap-y-2 px-4 py-5 text-sm text-muted sm:px-6">
          <span>Reelgraph</span>
          <a className="hover:text-fore" href="/graphql">
            API explorer
          </a>
          <a className="hover:text-fore" href="/docs/errors">
            Error codes
          </a>
        </div>
      </footer>
    </div>
  );
}

const NAV = 'rounded-lg px-2.5 py-2 text-[0.95rem] font-medium text-muted hover:text-fore aria-[current=page]:text-fore sm:px-3';

function Header() {
  const user = useUser();
  const router = useRouter();
  useEffect(() => {
    currentUser().catch(() => undefined); // a page that needs the answer shows the failure itself
  }, []);
  const leave = async (): Promise<void> => {
    await signOut();
    await router.navigate({ to: '/' });
    await router.invalidate();
  };
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-ink/90 backdrop-blur-md">
      <div className="mx-auto flex h-15 max-w-7xl items-center gap-1 px-4 sm:gap-2 sm:px-6">
        <Link to="/" className="mr-auto flex items-center gap-2.5 rounded-lg text-lg font-bold tracking-tight" aria-label="Reelgraph, home">
          <Logo className="size-8" />
          <span className="hidden min-[26rem]:inline">Reelgraph</span>
        </Link>
        <nav aria-label="Main" className={`flex items-center sm:gap-1 ${user === undefined ? 'invisible' : ''}`}>
          {user ? (
            <>
              <Link to="/studio" className={NAV}>
                Studio
              </Link>
              <Link to="/settings/developer" className={NAV}>
                Developers
              </Link>
              <button type="button" className={NAV} onClick={() => void leave()} title={`Signed in as ${user.username}`}>
                Sign out
              </button>
            </>
          ) : (
            <>
              <Link to="/sign-in" className={NAV}>
                Sign in
              </Link>
              <Link to="/sign-up" className={buttonClass('primary', 'whitespace-nowrap')}>
                Sign up
              </Link>
            </>
          )}
        </nav>
      </div>
    </header>
  );
}
