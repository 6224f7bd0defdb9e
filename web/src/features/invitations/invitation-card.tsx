import { Link } from '@tanstack/react-router';
import { AcceptInvitation, DeclineInvitation, type OwnInvitationFragment } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { calendarDate } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { ROLE_MEANINGS, roleName } from '../studio/channel/roles.ts';

interface Properties {
  readonly invitation: OwnInvitationFragment;
  /** Of the link; null for an invitation to the account. */
  readonly token: string | null;
  readonly onAnswered: (answer: 'accepted' | 'declined') => void;
}

/** An invitation to a channel, with its answer. */
export function InvitationCard({ invitation, token, onAnswered }: Properties) {
  const { id, role, channel, invitedBy, expiresAt } = invitation;
  const action = useAction();
  const variables = { invitation: id, token };
  const facts = [
    `@${channel.handle}`,
    invitedBy && t`invited by ${invitedBy.displayName}`,
    t`expires ${calendarDate(expiresAt)}`,
  ];
  const accept = (): void =>
    action.run('accept', async () => {
      await api(AcceptInvitation, variables);
      onAnswered('accepted');
    });
  const decline = (): void =>
    action.run('decline', async () => {
      await api(DeclineInvitation, variables);
      onAnswered('declined');
    });
  return (
    <div className="space-y-4 rounded-2xl bg-surface p-5">
      <div className="space-y-1">
        <h2 className="text-xl font-semibold [overflow-wrap:anywhere]">
          <Link to="/@{$handle}" params={{ handle: channel.handle }} className="hover:underline">
            <bdi>{channel.metadata.title}</bdi>
          </Link>
        </h2>
        <p className="text-muted [overflow-wrap:anywhere]">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <p>
        <strong>{roleName(role)}.</strong> {ROLE_MEANINGS[role]}
      </p>
      {action.error !== null && <ErrorNotice error={action.error} />}
      <div className="flex flex-wrap gap-3">
        <Button look="primary" busy={action.busy === 'accept'} onClick={accept}>{t`Accept`}</Button>
        <Button busy={action.busy === 'decline'} onClick={decline}>{t`Decline`}</Button>
      </div>
    </div>
  );
}
