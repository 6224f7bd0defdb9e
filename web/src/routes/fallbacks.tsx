import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ApiError } from '../lib/api.ts';
import { t } from '../lib/i18n.ts';
import { reloadIfNeeded } from '../lib/lazy-page.ts';
import { siteName } from '../lib/site.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/notice.tsx';

/** Pages for loading, errors and not found. */
export function Pending() {
  return (
    <div
      role="status"
      aria-label={t`Loading`}
      className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-x-5 gap-y-8"
    >
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((key) => (
        <div key={key} className="space-y-3">
          <div className="skeleton aspect-video rounded-xl" />
          <div className="skeleton h-4 w-4/5 rounded" />
          <div className="skeleton h-3 w-2/5 rounded" />
        </div>
      ))}
    </div>
  );
}

/** Tries again by itself once the browser is online; a page that a newer build has replaced reloads the window. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = async (): Promise<void> => {
    if (await reloadIfNeeded(true)) return;
    reset();
    void router.invalidate();
  };
  const latest = useRef(again);
  latest.current = again;
  useEffect(() => {
    if (!(error instanceof ApiError) || error.code !== 'SERVICE_UNAVAILABLE') return;
    void reloadIfNeeded(false);
    const onOnline = (): void => void latest.current();
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, [error]);
  return (
    <div className="mx-auto max-w-xl space-y-5 py-12">
      <title>{`${t`This page could not be loaded`} · ${siteName()}`}</title>
      <h1 className="text-2xl font-semibold">{t`This page could not be loaded`}</h1>
      <ErrorNotice error={error} action={<Button onClick={() => void again()}>{t`Try again`}</Button>} />
    </div>
  );
}

export function NotFound() {
  return (
    <div className="mx-auto max-w-md space-y-4 py-16 text-center">
      <title>{`${t`Not found`} · ${siteName()}`}</title>
      <p aria-hidden="true" className="text-6xl font-bold tracking-tight text-accent-text">
        404
      </p>
      <h1 className="text-2xl font-semibold">{t`Not found`}</h1>
      <p className="text-muted">{t`This page is not available. It may have been unpublished or deleted, or the link
        may be incomplete.`}</p>
      <Link to="/" className={buttonClass('primary')}>{t`Browse videos`}</Link>
    </div>
  );
}
