import { getRouteApi } from '@tanstack/react-router';
import { ClaimPanel } from '../../features/operator/claim-panel.tsx';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';

const route = getRouteApi('/settings/server');

/** Where an account becomes an operator with the one-time code. */
export function ServerSettingsPage() {
  const { username } = route.useLoaderData();
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <title>{`${t`Server settings`} · ${siteName()}`}</title>
      <h1 className="text-3xl font-bold">{t`Server settings`}</h1>
      <ClaimPanel username={username} />
    </div>
  );
}
