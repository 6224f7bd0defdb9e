import { useQuery } from '@tanstack/react-query';
import { MarkNotificationsRead, UnreadNotifications } from '../../gql/generated/operations.gen.ts';
import { api } from '../../lib/api.ts';
import { operationQuery, queryClient } from '../../lib/query.ts';

const EVERY_MS = 60_000;
const UNREAD = operationQuery(UnreadNotifications);

/** The number of unread notifications, asked for every minute while the page is visible; 0 until it is known. */
export function useUnreadCount(): number {
  const { data } = useQuery({ ...UNREAD, refetchInterval: EVERY_MS, refetchOnWindowFocus: true, staleTime: 10_000 });
  return data?.me.unreadNotificationCount ?? 0;
}

/** Marks notifications as read, all of them without `ids`. Throws ApiError. */
export async function markRead(ids?: readonly string[]): Promise<void> {
  await (ids ? api(MarkNotificationsRead, { ids: [...ids] }) : api(MarkNotificationsRead, {}));
  await queryClient.invalidateQueries({ queryKey: UNREAD.queryKey });
}
