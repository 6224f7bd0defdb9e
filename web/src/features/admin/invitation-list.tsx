import { useState } from 'react';
import {
  type InvitationPageFragment,
  type InvitationRowFragment,
  Invitations,
  RevokeInvitation,
} from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { calendarDate } from '../../lib/format.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { useRowFocus } from '../../lib/hooks/use-row-focus.ts';
import { Trans, t, tc } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { More } from '../../ui/more.tsx';
import { Panel } from '../../ui/panel.tsx';

const STATES = { OPEN: tc('state', 'Open'), USED: t`Used`, REVOKED: t`Revoked`, EXPIRED: t`Expired` } as const;

/** All invitations, newest first; open ones can be revoked. */
export function InvitationList({ invitations }: { readonly invitations: InvitationPageFragment }) {
  const loadMore = async (after: string) => (await api(Invitations, { after })).invitations;
  const pages = usePages({ queryKey: ['invitations'], first: invitations, loadMore, focus: 'li' });
  const [revoked, setRevoked] = useState<Readonly<Record<string, InvitationRowFragment>>>({});
  const [ending, setEnding] = useState<InvitationRowFragment | null>(null);
  const invited = ending && nameOf(ending);
  const rows = useRowFocus<HTMLUListElement>();
  const revoke = async (id: string): Promise<void> => {
    const { invitation } = (await api(RevokeInvitation, { id })).revokeInvitation;
    setRevoked((known) => ({ ...known, [id]: invitation }));
  };
  return (
    <Panel title={t`Invitations`}>
      {pages.nodes.length === 0 && <p className="text-muted">{t`No invitations yet.`}</p>}
      <div ref={pages.list}>
        <ul {...rows} className="divide-y divide-line empty:hidden">
          {pages.nodes.map((node) => (
            <Row key={node.id} invitation={revoked[node.id] ?? node} onRevoke={setEnding} />
          ))}
        </ul>
        <More pages={pages}>{t`Show more`}</More>
      </div>
      <Confirm
        open={ending !== null}
        title={t`Revoke invitation?`}
        confirmLabel={t`Revoke`}
        onConfirm={async () => {
          if (ending) await revoke(ending.id);
        }}
        onClose={() => setEnding(null)}
      >
        <p>
          <Trans>
            The invitation for <strong className="[overflow-wrap:anywhere]">{invited}</strong> can no longer be used to
            create an account.
          </Trans>
        </p>
      </Confirm>
    </Panel>
  );
}

interface RowProperties {
  readonly invitation: InvitationRowFragment;
  readonly onRevoke: (invitation: InvitationRowFragment) => void;
}

function Row({ invitation, onRevoke }: RowProperties) {
  const { state, note, email, createdAt, expiresAt, usedBy } = invitation;
  const facts = [
    email !== null && note,
    t`created ${calendarDate(createdAt)}`,
    state === 'OPEN' && t`expires ${calendarDate(expiresAt)}`,
  ];
  return (
    <li tabIndex={-1} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">
          <bdi>{nameOf(invitation)}</bdi>
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          <span className={state === 'OPEN' ? 'text-sea' : ''}>
            {usedBy === null ? STATES[state] : t`Used by @${usedBy}`}
          </span>{' '}
          · {facts.filter(Boolean).join(' · ')}
        </p>
      </div>
      {state === 'OPEN' && (
        <Button
          onClick={() => onRevoke(invitation)}
          aria-label={t`Revoke the invitation for ${nameOf(invitation)}`}
        >{t`Revoke`}</Button>
      )}
    </li>
  );
}

/** How an invitation is labelled. */
function nameOf({ email, note }: InvitationRowFragment): string {
  return email ?? (note === '' ? t`Anyone with the link` : note);
}
