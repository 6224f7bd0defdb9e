import { useState } from 'react';
import {
  RemoveMember,
  type StudioChannelResult,
  type StudioMemberFragment,
  UpdateMember,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { calendarDate } from '../../../lib/format.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { useRowFocus } from '../../../lib/hooks/use-row-focus.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { hasRole, type StudioContext } from '../studio-context.ts';
import { PendingInvitations } from './pending-invitations.tsx';
import { ASSIGNABLE_ROLES, roleName } from './roles.ts';

type Channel = NonNullable<StudioChannelResult['channel']>;

/** The members of a channel and their roles. */
export function ChannelMembers({ channel, studio }: { channel: Channel; studio: StudioContext }) {
  const [members, setMembers] = useState<readonly StudioMemberFragment[]>(
    (channel.members?.edges ?? []).map(({ node }) => node),
  );
  const set = (member: StudioMemberFragment): void =>
    setMembers((known) =>
      known.some(({ account }) => account.username === member.account.username)
        ? known.map((each) => (each.account.username === member.account.username ? member : each))
        : [member, ...known],
    );
  const drop = (username: string): void =>
    setMembers((known) => known.filter(({ account }) => account.username !== username));
  const manages = hasRole(studio.role, 'MANAGER');
  const rows = useRowFocus<HTMLUListElement>();
  return (
    <Panel title={t`Members`} hint={t`People who can manage this channel. Each signs in with their own account.`}>
      <ul {...rows} className="divide-y divide-line">
        {members.map((member) => (
          <MemberRow
            key={member.account.username}
            channelId={channel.id}
            member={member}
            manages={manages}
            isSelf={member.account.username === studio.username}
            onChange={set}
            onRemoved={() => drop(member.account.username)}
          />
        ))}
      </ul>
      {channel.invitations && <PendingInvitations channelId={channel.id} first={channel.invitations.edges} />}
    </Panel>
  );
}

function RoleOptions() {
  return ASSIGNABLE_ROLES.map((role) => (
    <option key={role} value={role}>
      {roleName(role)}
    </option>
  ));
}

interface RowProperties {
  readonly channelId: string;
  readonly member: StudioMemberFragment;
  readonly manages: boolean;
  readonly isSelf: boolean;
  readonly onChange: (member: StudioMemberFragment) => void;
  readonly onRemoved: () => void;
}

function MemberRow({ channelId, member, manages, isSelf, onChange, onRemoved }: RowProperties) {
  const [confirming, setConfirming] = useState(false);
  const action = useAction();
  const { username, displayName } = member.account;
  const change = async (named: string): Promise<void> => {
    const role = ASSIGNABLE_ROLES.find((name) => name === named);
    if (role)
      onChange((await api(UpdateMember, { channel: channelId, input: { username, role } })).updateChannelMember.member);
  };
  const remove = async (): Promise<void> => {
    await api(RemoveMember, { channel: channelId, username });
    onRemoved();
    if (isSelf) location.assign('/studio'); // the channel is no longer accessible
  };
  const isOwner = member.role === 'OWNER';
  return (
    <li aria-label={username} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 grow basis-48">
        <p className="truncate font-semibold">
          <bdi>{displayName}</bdi> {isSelf && <span className="font-normal text-muted">{t`(you)`}</span>}
        </p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          <bdi>@{username}</bdi> · {t`since ${calendarDate(member.createdAt)}`}
        </p>
      </div>
      {isOwner || !manages ? (
        <p className="text-sm text-muted">{roleName(member.role)}</p>
      ) : (
        <select
          aria-label={t`Role of ${username}`}
          value={member.role}
          disabled={action.busy !== null}
          onChange={(event) => {
            const { value } = event.currentTarget;
            action.run('change', () => change(value));
          }}
          className="min-h-10 rounded-lg border border-line-strong bg-ink px-3 py-2"
        >
          <RoleOptions />
        </select>
      )}
      {!isOwner && (manages || isSelf) && (
        <Button
          look="quiet"
          onClick={() => setConfirming(true)}
          aria-label={isSelf ? t`Leave channel` : t`Remove ${username}`}
        >
          {isSelf ? t`Leave` : t`Remove`}
        </Button>
      )}
      {action.error !== null && (
        <div className="basis-full">
          <ErrorNotice error={action.error} />
        </div>
      )}
      <Confirm
        open={confirming}
        title={isSelf ? t`Leave this channel?` : t`Remove ${username}?`}
        confirmLabel={isSelf ? t`Leave` : t`Remove`}
        onConfirm={remove}
        onClose={() => setConfirming(false)}
      >
        <p>
          {isSelf
            ? t`You lose access to this channel. Videos and other content are kept.`
            : t`${displayName} loses access to this channel. Videos and other content are kept.`}
        </p>
      </Confirm>
    </li>
  );
}
