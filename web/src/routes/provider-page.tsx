import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { followAccountLanguage } from '../features/language/language.ts';
import { AuthCard, TEXT_LINK } from '../features/security/auth-card.tsx';
import { finishAt } from '../features/security/sign-in-providers.ts';
import { t } from '../lib/i18n.ts';
import { isOutside, safeRedirectPath } from '../lib/url.ts';
import { ErrorNotice } from '../ui/notice.tsx';

const route = getRouteApi('/sign-in/$provider');

/** Where a provider sends the browser back: completes the sign-in, and goes on. */
export function ProviderPage() {
  const { provider } = route.useParams();
  const { query } = route.useLoaderData();
  const router = useRouter();
  const [error, setError] = useState<unknown>(null);
  const hasBegun = useRef(false);
  useEffect(() => {
    // The response can be used once.
    if (hasBegun.current) return;
    hasBegun.current = true;
    const finish = async (): Promise<void> => {
      const done = await finishAt(provider, query);
      if (done === 'linked') return router.navigate({ to: '/settings/security', replace: true });
      const target = safeRedirectPath(done.next ?? undefined);
      if ((await followAccountLanguage()) || isOutside(target)) return location.replace(target);
      await router.invalidate({ sync: true });
      router.history.replace(target);
    };
    void finish().catch(setError);
  }, [provider, query, router]);
  if (error === null)
    return (
      <AuthCard title={t`Signing in…`} page={t`Sign in`}>
        <p role="status" className="text-muted">{t`This takes a moment.`}</p>
      </AuthCard>
    );
  return (
    <AuthCard title={t`You are not signed in`} page={t`Sign in`}>
      <ErrorNotice error={error} />
      <p className="text-center">
        <Link to="/sign-in" className={TEXT_LINK}>{t`Sign in`}</Link>
      </p>
    </AuthCard>
  );
}
