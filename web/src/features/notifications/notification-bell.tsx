import { lazy, Suspense } from 'react';
import { plural, t } from '../../lib/i18n.ts';
import { count } from '../../lib/numbers.ts';
import { Spinner } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Popover } from '../../ui/popover.tsx';
import { useUnreadCount } from './unread.ts';

const LatestNotifications = lazy(async () => ({
  default: (await import('./latest-notifications.tsx')).LatestNotifications,
}));

/** The bell with the number of unread notifications, and the latest ones. */
export function NotificationBell() {
  const unread = useUnreadCount();
  return (
    <Popover
      label={
        unread > 0
          ? plural(unread, { one: 'Notifications, # unread', other: 'Notifications, # unread' })
          : t`Notifications`
      }
      className="relative grid size-10 place-items-center rounded-full text-muted hover:bg-raised hover:text-fore"
      face={
        <>
          <Icon name="bell" className="size-5.5" />
          {unread > 0 && (
            <span
              aria-hidden="true"
              className={
                'absolute top-0.5 end-0 min-w-4.5 rounded-full bg-accent px-1 text-center text-xs font-bold ' +
                'text-on-accent tabular-nums'
              }
            >
              {unread > 99 ? `${count(99)}+` : count(unread)}
            </span>
          )}
        </>
      }
    >
      <div className="w-[min(25rem,calc(100vw-2.5rem))]">
        <Suspense
          fallback={
            <p role="status" className="flex items-center gap-2 p-3 text-muted">
              <Spinner />
              {t`Loading…`}
            </p>
          }
        >
          <LatestNotifications unread={unread} />
        </Suspense>
      </div>
    </Popover>
  );
}
