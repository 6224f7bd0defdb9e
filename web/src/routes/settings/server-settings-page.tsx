import { getRouteApi } from '@tanstack/react-router';
import { ClaimPanel } from '../../features/operator/claim-panel.tsx';
import { InvitationList } from '../../features/operator/invitation-list.tsx';
import { InvitePanel } from '../../features/operator/invite-panel.tsx';
import { signUpMode } from '../../lib/session.ts';

const route = getRouteApi('/settings/server');

const SIGN_UP = {
  open: 'Sign-up is open. No invitation is required.',
  invite: 'Sign-up is by invitation only.',
  closed: 'Sign-up is closed. Invitations cannot be used until it reopens.',
} as const;

/** Server settings for operators; for everyone else, the form to become one. */
export function ServerSettingsPage() {
  const { me, invitations } = route.useLoaderData();
  return (
    <div className="mx-auto max-w-3xl space-y-6">
      <title>Server settings · Reelgraph</title>
      <header className="space-y-1">
        <h1 className="text-3xl font-bold">Server settings</h1>
        {invitations && <p className="text-muted">{SIGN_UP[signUpMode()]}</p>}
      </header>
      {invitations ? (
        <>
          <InvitePanel />
          <InvitationList key={invitations.edges[0]?.node.id ?? 'none'} invitations={invitations} />
        </>
      ) : (
        <ClaimPanel username={me.username} />
      )}
    </div>
  );
}
