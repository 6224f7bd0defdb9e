import { Link, useRouter } from '@tanstack/react-router';
import { signOut } from '../../lib/account.ts';
import { t } from '../../lib/i18n.ts';
import type { SessionUser } from '../../lib/session.ts';
import { Icon } from '../../ui/icons.tsx';
import { Avatar } from '../../ui/image.tsx';
import { POPOVER_ITEM, Popover } from '../../ui/popover.tsx';
import { NotificationBell } from '../notifications/notification-bell.tsx';
import { stopPlaying } from '../watch/now-playing.ts';

/** Those of the viewer are for narrow pages, without the navigation at the side. */
const VIEWER_LINKS = [
  ['/history', t`History`, 'replay'],
  ['/watch-later', t`Watch later`, 'clock'],
  ['/playlists', t`Playlists`, 'list'],
  ['/liked', t`Liked videos`, 'heart'],
] as const;
const ACCOUNT_LINKS = [
  ['/studio', t`Studio`, 'upload'],
  ['/settings/account', t`Account`, 'person'],
  ['/settings/developer', t`Developer Settings`, 'key'],
] as const;
const ADMIN_LINK = ['/admin', t`Admin`, 'shield'] as const;

/** What the header has for someone who is signed in: notifications and the account menu. */
export function AccountNav({ user }: { user: SessionUser }) {
  return (
    <>
      <NotificationBell />
      <AccountMenu username={user.username} isOperator={user.isOperator} />
    </>
  );
}

function AccountMenu({ username, isOperator }: { username: string; isOperator: boolean }) {
  const router = useRouter();
  const leave = async (): Promise<void> => {
    stopPlaying();
    await signOut();
    await router.navigate({ to: '/' });
    await router.invalidate({ sync: true });
  };
  return (
    <Popover
      label={t`Account ${username}`}
      face={<Avatar image={null} name={username} className="size-9 text-sm" />}
      className="rounded-full p-0.5"
    >
      <p className="truncate border-b border-line px-3 pt-1 pb-2 text-sm text-muted">{t`Signed in as ${username}`}</p>
      {VIEWER_LINKS.map(([to, label, icon]) => (
        <Link key={to} to={to} className={`${POPOVER_ITEM} lg:hidden`}>
          <Icon name={icon} className="size-4.5 text-muted" />
          {label}
        </Link>
      ))}
      {(isOperator ? [...ACCOUNT_LINKS, ADMIN_LINK] : ACCOUNT_LINKS).map(([to, label, icon]) => (
        <Link key={to} to={to} className={POPOVER_ITEM}>
          <Icon name={icon} className="size-4.5 text-muted" />
          {label}
        </Link>
      ))}
      <button type="button" className={POPOVER_ITEM} onClick={() => void leave()}>
        <Icon name="close" className="size-4.5 text-muted" />
        {t`Sign out`}
      </button>
    </Popover>
  );
}
