import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { NotificationRow } from '../../features/notifications/notification-row.tsx';
import { markRead, useUnreadCount } from '../../features/notifications/unread.ts';
import { type NotificationRowFragment, Notifications } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { usePages } from '../../lib/hooks/use-pages.ts';
import { t } from '../../lib/i18n.ts';
import { siteName } from '../../lib/site.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { More } from '../../ui/more.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { EmptyLibrary } from './library-pages.tsx';

const route = getRouteApi('/notifications');

/** All notifications of the last 90 days. */
export function NotificationsPage() {
  const first = route.useLoaderData();
  const pages = usePages<NotificationRowFragment>({
    queryKey: ['notifications'],
    first,
    loadMore: async (after) => (await api(Notifications, { first: 30, after })).notifications,
    focus: 'li a',
  });
  const unread = useUnreadCount();
  const [isAllRead, setAllRead] = useState(false);
  const action = useAction();
  const readAll = (): void =>
    action.run('all', async () => {
      await markRead();
      setAllRead(true);
    });
  return (
    <div className="max-w-3xl">
      <title>{`${t`Notifications`} · ${siteName()}`}</title>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-3xl font-bold">{t`Notifications`}</h1>
        <div className="flex flex-wrap gap-2">
          {unread > 0 && <Button busy={action.busy !== null} onClick={readAll}>{t`Mark all as read`}</Button>}
          <Link to="/settings/account" hash="notifications" className={buttonClass('plain')}>{t`Settings`}</Link>
        </div>
      </div>
      {action.error !== null && <ErrorNotice error={action.error} />}
      {pages.nodes.length === 0 && (
        <EmptyLibrary
          title={t`No notifications yet`}
        >{t`Replies to your comments, hearts, and new videos of channels you follow appear here.`}</EmptyLibrary>
      )}
      <div ref={pages.list}>
        <ul className="-mx-2.5">
          {pages.nodes.map((notification) => (
            <li key={notification.id}>
              <NotificationRow notification={notification} isRead={notification.isRead || isAllRead} />
            </li>
          ))}
        </ul>
      </div>
      <More pages={pages}>{t`Show more`}</More>
    </div>
  );
}
