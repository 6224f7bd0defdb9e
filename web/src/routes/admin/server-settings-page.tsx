import { getRouteApi } from '@tanstack/react-router';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { BrandSettings } from '../../features/admin/settings/brand-settings.tsx';
import { FeatureSettings } from '../../features/admin/settings/feature-settings.tsx';
import { GeneralSettings } from '../../features/admin/settings/general-settings.tsx';
import { LegalSettings } from '../../features/admin/settings/legal-settings.tsx';
import { LogoSettings } from '../../features/admin/settings/logo-settings.tsx';
import { QuotaSettings } from '../../features/admin/settings/quota-settings.tsx';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';

const route = getRouteApi('/admin/settings');

/** Settings of the server, which pages show after they are loaded again. */
export function AdminSettingsPage() {
  const { instance } = route.useLoaderData();
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{t`Settings · Admin · ${siteName()}`}</title>
      <AdminHeader />
      <GeneralSettings instance={instance} />
      <LogoSettings instance={instance} />
      <BrandSettings instance={instance} />
      <LegalSettings instance={instance} />
      <FeatureSettings instance={instance} />
      <QuotaSettings instance={instance} />
    </div>
  );
}
