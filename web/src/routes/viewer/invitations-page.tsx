import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { InvitationCard } from '../../features/invitations/invitation-card.tsx';
import { forgetInvitationToken } from '../../features/invitations/invitation-token.ts';
import type { OwnInvitationFragment } from '../../gql/generated/operations.gen.ts';
import { channelPath } from '../../lib/did.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Empty } from '../../ui/notice.tsx';

const route = getRouteApi('/invitations');

interface Answered {
  readonly invitation: OwnInvitationFragment;
  readonly answer: 'accepted' | 'declined';
}

/** Invitations to channels: the one of a link, and those to the account. */
export function InvitationsPage() {
  const { byLink, token, own } = route.useLoaderData();
  const [answered, setAnswered] = useState<Answered | null>(null);
  const [gone, setGone] = useState<readonly string[]>([]);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  useEffect(() => {
    if (answered) notice.current?.focus();
  }, [answered]);
  const open = [...(byLink ? [byLink] : []), ...own.filter(({ id }) => id !== byLink?.id)].filter(
    ({ id }) => !gone.includes(id),
  );
  return (
    <div className="mx-auto max-w-2xl space-y-6">
      <title>{`${t`Invitations`} · ${siteName()}`}</title>
      <h1 className="text-3xl font-bold">{t`Invitations`}</h1>
      {answered && (
        <div ref={notice} tabIndex={-1} role="status" className="space-y-3 rounded-2xl bg-surface p-5">
          <Answer {...answered} />
        </div>
      )}
      {token !== '' && !byLink && !answered && (
        <Empty
          title={t`This link does not work`}
        >{t`The invitation was answered or withdrawn, has expired, or is for another account: sign in with the address
          that it was sent to. A manager of the channel can send a new one.`}</Empty>
      )}
      {token === '' && open.length === 0 && !answered && (
        <Empty title={t`No invitations`}>{t`When someone invites you to a channel, you find it here.`}</Empty>
      )}
      <ul className="space-y-4 empty:hidden">
        {open.map((invitation) => (
          <li key={invitation.id}>
            <InvitationCard
              invitation={invitation}
              token={invitation.id === byLink?.id ? token : null}
              onAnswered={(answer) => {
                if (invitation.id === byLink?.id) forgetInvitationToken();
                setGone((known) => [...known, invitation.id]);
                setAnswered({ invitation, answer });
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Answer({ invitation: { channel }, answer }: Answered) {
  const { title } = channel.metadata;
  if (answer === 'declined') return <p>{t`You declined the invitation to ${title}.`}</p>;
  return (
    <>
      <p className="font-semibold">{t`You are now a member of ${title}.`}</p>
      <Link
        to="/studio"
        search={{ channel: channelPath(channel.id) }}
        className={buttonClass('primary')}
      >{t`Open it in Studio`}</Link>
    </>
  );
}
