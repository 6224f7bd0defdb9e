import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { SettingsHeader } from '../../features/account/settings-header.tsx';
import { EmailPanel } from '../../features/security/email-panel.tsx';
import { LinkedProvidersPanel } from '../../features/security/linked-providers-panel.tsx';
import { PasskeysPanel } from '../../features/security/passkeys-panel.tsx';
import { PasswordPanel } from '../../features/security/password-panel.tsx';
import { browserSessions } from '../../features/security/security-api.ts';
import { SessionList } from '../../features/security/session-list.tsx';
import { TwoFactorPanel } from '../../features/security/two-factor-panel.tsx';
import { t } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { siteName } from '../../lib/site.ts';

const route = getRouteApi('/settings/security');

/** How the account signs in: address, password, second factor, passkeys, sessions. */
export function SecuritySettingsPage() {
  const loaded = route.useLoaderData();
  const user = useUser() ?? loaded.user;
  const [sessions, setSessions] = useState(loaded.sessions);
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <title>{`${t`Security`} · ${siteName()}`}</title>
      <SettingsHeader account={`@${user.username} · ${user.email}`} />
      <EmailPanel user={user} />
      <PasswordPanel onChanged={async () => setSessions(await browserSessions())} />
      <TwoFactorPanel isOn={user.twoFactorEnabled} />
      <PasskeysPanel passkeys={loaded.passkeys} />
      <LinkedProvidersPanel
        identities={loaded.identities}
        onChanged={async () => setSessions(await browserSessions())}
      />
      <SessionList sessions={sessions} onChange={setSessions} />
    </div>
  );
}
