import { useRouter } from '@tanstack/react-router';
import {
  type BlockedUserPartsFragment,
  BlockUser,
  type StudioCommentsResult,
  UnblockUser,
} from '../../../gql/generated/operations.gen.ts';
import { api } from '../../../lib/api.ts';
import { calendarDate } from '../../../lib/format.ts';
import { useAction } from '../../../lib/hooks/use-action.ts';
import { textOf, useForm } from '../../../lib/hooks/use-form.ts';
import { t, tc } from '../../../lib/i18n.ts';
import { count } from '../../../lib/numbers.ts';
import { Button } from '../../../ui/button.tsx';
import { CheckField, TextField } from '../../../ui/field.tsx';
import { ErrorNotice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';

type Blocked = NonNullable<NonNullable<StudioCommentsResult['channel']>['blockedUsers']>;

/** Users blocked from the channel: block and unblock. */
export function BlockedUsers({ channelId, blocked }: { channelId: string; blocked: Blocked }) {
  const router = useRouter();
  const shown = blocked.edges.length;
  const form = useForm(async (data, element) => {
    const username = textOf(data, 'username').replace(/^@/, '');
    await api(BlockUser, { channel: channelId, username, hideComments: data.has('hide') });
    element.reset();
    await router.invalidate({ sync: true });
  });
  return (
    <Panel
      title={t`Blocked users`}
      hint={t`Blocked users can watch videos, but cannot comment or like on this channel.`}
    >
      <ul className="divide-y divide-line empty:hidden">
        {blocked.edges.map(({ node }) => (
          <BlockedRow key={node.id} channelId={channelId} blocked={node} />
        ))}
      </ul>
      {blocked.totalCount > shown && (
        <p className="text-sm text-muted">{t`Showing the latest ${count(shown)} of ${count(blocked.totalCount)}.`}</p>
      )}
      <form onSubmit={form.onSubmit} aria-label={t`Block user`} className="space-y-4">
        {form.error !== null && <ErrorNotice error={form.error} />}
        <TextField
          label={t`Username`}
          name="username"
          required
          autoComplete="off"
          error={form.fieldError('username')}
        />
        <CheckField label={t`Also remove their comments on this channel`} name="hide" />
        <Button type="submit" busy={form.busy}>
          {tc('verb', 'Block')}
        </Button>
      </form>
    </Panel>
  );
}

function BlockedRow({ channelId, blocked }: { channelId: string; blocked: BlockedUserPartsFragment }) {
  const router = useRouter();
  const action = useAction();
  const { username } = blocked.user;
  const unblock = async (): Promise<void> => {
    await api(UnblockUser, { channel: channelId, username });
    await router.invalidate({ sync: true });
  };
  return (
    <li aria-label={username} className="flex flex-wrap items-center justify-between gap-3 py-3">
      <p className="min-w-0">
        <bdi className="font-semibold">@{username}</bdi>{' '}
        <span className="text-sm text-muted">{t`blocked ${calendarDate(blocked.blockedAt)}`}</span>
      </p>
      <Button
        busy={action.busy !== null}
        onClick={() => action.run('unblock', unblock)}
        aria-label={t`Unblock ${username}`}
      >{t`Unblock`}</Button>
      {action.error !== null && <ErrorNotice error={action.error} />}
    </li>
  );
}
