import { getRouteApi, Link } from '@tanstack/react-router';
import { ArchivePanel } from '../../features/account/archive-panel.tsx';
import { DeleteAccountPanel } from '../../features/account/delete-account-panel.tsx';
import { PlanPanel } from '../../features/account/plan-panel.tsx';
import { PrivacyPanel } from '../../features/account/privacy-panel.tsx';
import { ProfilePanel } from '../../features/account/profile-panel.tsx';
import { QuotaPanel } from '../../features/account/quota-panel.tsx';
import { SettingsHeader } from '../../features/account/settings-header.tsx';
import { LanguageSelect } from '../../features/language/language-select.tsx';
import { NotificationSettings } from '../../features/notifications/notification-settings.tsx';
import { YouTubeConnectionPanel } from '../../features/youtube/connection-panel.tsx';
import { isSwitchedOn } from '../../gql/server-features.ts';
import { Trans, t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Panel } from '../../ui/panel.tsx';

const route = getRouteApi('/settings/account');
const LINK = 'text-accent-text underline underline-offset-3';

/** Account settings: profile, connections, privacy, usage and plan. */
export function AccountSettingsPage() {
  const { me, youtube, setup, notifications } = route.useLoaderData();
  const { youtube: outcome, billing } = route.useSearch();
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <title>{`${t`Account`} · ${siteName()}`}</title>
      <SettingsHeader account={`@${me.username} · ${me.email}`} />
      <ProfilePanel me={me} />
      {isSwitchedOn('YOUTUBE') && <YouTubeConnectionPanel connection={youtube} setup={setup} outcome={outcome} />}
      <Panel
        title={t`Language`}
        hint={t`The language of pages, dates and numbers. It is kept for your account and in this browser.`}
      >
        <LanguageSelect />
      </Panel>
      <NotificationSettings settings={notifications} />
      <PrivacyPanel settings={me.settings} />
      <QuotaPanel credits={me.credits} />
      <PlanPanel subscription={me.subscription} billing={me.billing} isPaid={billing === 'done'} />
      <ArchivePanel />
      <DeleteAccountPanel />
      <p className="text-muted">
        <Trans>
          Manage your API key, webhooks and events in{' '}
          <Link to="/settings/developer" className={LINK}>
            Developer Settings
          </Link>
          .
        </Trans>{' '}
        {me.isOperator && (
          <Trans>
            As an operator, you manage accounts, invitations and mail in{' '}
            <Link to="/admin" className={LINK}>
              Admin
            </Link>
            .
          </Trans>
        )}
      </p>
    </div>
  );
}
