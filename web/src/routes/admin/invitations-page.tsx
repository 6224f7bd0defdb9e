import { getRouteApi } from '@tanstack/react-router';
import { AdminHeader } from '../../features/admin/admin-header.tsx';
import { InvitationList } from '../../features/admin/invitation-list.tsx';
import { InvitePanel } from '../../features/admin/invite-panel.tsx';
import { signUpMode } from '../../lib/account.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';

const route = getRouteApi('/admin/invitations');

const SIGN_UP = {
  open: t`Sign-up is open. No invitation is required.`,
  invite: t`Sign-up is by invitation only.`,
  closed: t`Sign-up is closed. Invitations cannot be used until it reopens.`,
} as const;

/** Invitations to the server, for operators. */
export function AdminInvitationsPage() {
  const { invitations } = route.useLoaderData();
  return (
    <div className="mx-auto max-w-5xl space-y-6">
      <title>{`${t`Invitations`} · ${t`Admin`} · ${siteName()}`}</title>
      <AdminHeader />
      <p className="text-muted">{SIGN_UP[signUpMode()]}</p>
      <InvitePanel />
      <InvitationList key={invitations.edges[0]?.node.id ?? 'none'} invitations={invitations} />
    </div>
  );
}
