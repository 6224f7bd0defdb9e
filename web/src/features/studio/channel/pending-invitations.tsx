import { useState } from 'react';
import {
  type ChannelRole,
  type PendingInvitationFragment,
  WithdrawInvitation,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { calendarDate } from '../../../lib/format.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { useRowFocus } from '../../../lib/hooks/use-row-focus.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { roleName } from './roles.ts';

/** What is announced, by the role of the person. */
const INVITED: Readonly<Record<ChannelRole, (name: string) => string>> = {
  VIEWER: (name) => t`Invited ${name} as Viewer.`,
  EDITOR: (name) => t`Invited ${name} as Editor.`,
  MANAGER: (name) => t`Invited ${name} as Manager.`,
  OWNER: (name) => t`Invited ${name} as Owner.`,
};

interface Properties {
  readonly channelId: string;
  readonly first: readonly { readonly node: PendingInvitationFragment }[];
}

/** Inviting people to a channel, and the invitations that wait for an answer. */
export function PendingInvitations({ channelId, first }: Properties) {
  const [invitations, setInvitations] = useState(() => first.map(({ node }) => node));
  const [isInviting, setInviting] = useState(false);
  const [announced, setAnnounced] = useState('');
  const rows = useRowFocus<HTMLUListElement>();
  const add = (invitation: PendingInvitationFragment): void => {
    setInvitations((known) => [invitation, ...known.filter((each) => nameOf(each) !== nameOf(invitation))]);
    setAnnounced(INVITED[invitation.role](nameOf(invitation)));
  };
  const drop = (withdrawn: PendingInvitationFragment): void => {
    setInvitations((known) => known.filter(({ id }) => id !== withdrawn.id));
    const name = nameOf(withdrawn);
    setAnnounced(t`The invitation of ${name} was withdrawn.`);
  };
  return (
    <div className="space-y-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">{t`Invitations`}</h3>
        <Button onClick={() => setInviting(true)}>{t`Invite people`}</Button>
      </div>
      <p role="status" className="text-sm text-sea empty:hidden">
        {announced}
      </p>
      {invitations.length === 0 && <p className="text-sm text-muted">{t`Nobody is invited at present.`}</p>}
      <ul {...rows} aria-label={t`Invitations`} className="divide-y divide-line empty:hidden">
        {invitations.map((invitation) => (
          <Row key={invitation.id} invitation={invitation} onWithdrawn={() => drop(invitation)} />
        ))}
      </ul>
      <InviteDialog open={isInviting} channelId={channelId} onInvited={add} onClose={() => setInviting(false)} />
    </div>
  );
}

function Row({ invitation, onWithdrawn }: { invitation: PendingInvitationFragment; onWithdrawn: () => void }) {
  const action = useAction();
  const name = nameOf(invitation);
  const withdraw = (): void =>
    action.run('withdraw', async () => {
      await api(WithdrawInvitation, { invitation: invitation.id });
      onWithdrawn();
    });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{name}</bdi>
        </p>
        <p className="text-sm text-muted">
          {roleName(invitation.role)} · {t`expires ${calendarDate(invitation.expiresAt)}`}
        </p>
      </div>
      <Button
        look="quiet"
        busy={action.busy !== null}
        onClick={withdraw}
        aria-label={t`Withdraw the invitation of ${name}`}
      >{t`Withdraw`}</Button>
      {action.error !== null && (
        <div className="basis-full">
          <ErrorNotice error={action.error} />
        </div>
      )}
    </li>
  );
}

const nameOf = ({ email, account }: PendingInvitationFragment): string =>
  email ?? (account ? `@${account.username}` : t`@deleted`);
