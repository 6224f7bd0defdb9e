import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Notifications } from '../../gql/generated/operations.gen.ts';
import { useAction } from '../../lib/hooks/use-action.ts';
import { t } from '../../lib/i18n.ts';
import { operationQuery } from '../../lib/query.ts';
import { Spinner } from '../../ui/button.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { NotificationRow } from './notification-row.tsx';
import { markRead } from './unread.ts';

const SHOWN = 8;
const TEXT_LINK = 'rounded-md text-sm font-semibold text-accent-text hover:underline';

/** The latest notifications, in the panel of the bell. */
export function LatestNotifications({ unread }: { unread: number }) {
  const { data, error } = useQuery({ ...operationQuery(Notifications, { first: SHOWN }), gcTime: 0 });
  const [isAllRead, setAllRead] = useState(false);
  const action = useAction();
  const readAll = (): void =>
    action.run('all', async () => {
      await markRead();
      setAllRead(true);
    });
  const shown = data?.notifications.edges.map(({ node }) => node) ?? [];
  return (
    <>
      <div className="flex items-center justify-between gap-4 px-2.5 py-2">
        <h2 className="font-semibold">{t`Notifications`}</h2>
        {unread > 0 && (
          <button
            type="button"
            className={TEXT_LINK}
            onClick={(event) => {
              event.stopPropagation(); // the panel stays open
              readAll();
            }}
          >{t`Mark all as read`}</button>
        )}
      </div>
      {(error ?? action.error) !== null && <ErrorNotice error={error ?? action.error} />}
      {!data && error === null && (
        <p role="status" className="flex items-center gap-2 p-3 text-muted">
          <Spinner />
          {t`Loading…`}
        </p>
      )}
      {data && shown.length === 0 && (
        <p className="px-2.5 py-6 text-center text-muted">{t`Nothing yet. Replies, hearts and new videos of channels
          you follow appear here.`}</p>
      )}
      <ul className="max-h-[60dvh] overflow-y-auto">
        {shown.map((notification) => (
          <li key={notification.id}>
            <NotificationRow notification={notification} isRead={notification.isRead || isAllRead} />
          </li>
        ))}
      </ul>
      <p className="flex justify-between gap-4 border-t border-line px-2.5 pt-2.5 pb-1.5">
        <Link to="/notifications" className={TEXT_LINK}>{t`All notifications`}</Link>
        <Link to="/settings/account" hash="notifications" className={TEXT_LINK}>{t`Settings`}</Link>
      </p>
    </>
  );
}
