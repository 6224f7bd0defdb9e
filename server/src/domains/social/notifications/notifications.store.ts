import type { CommandScope, CommandTarget } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { NotificationKind } from './notification-kinds.ts';

/** The requesting account, whose notifications and settings these are. */
export const OWN_NOTIFICATIONS = {
  field: 'ids',
  columns: (s) => ({ account_id: `${s.viewer}.account_id` }),
} satisfies CommandTarget<unknown>;

export interface MarkedNotifications {
  /** Null: all. */
  readonly ids: readonly string[] | null;
}

/** Marks notifications of the account as read; others are not touched. */
export function markReadWrites(s: CommandScope<MarkedNotifications>): Record<string, string> {
  const ids = s.value(({ ids: given }) => given, 'uuid[]');
  return {
    changed: `
    update notifications n set read_at = ${s.now} from permitted t
    where n.account_id = t.account_id and n.read_at is null and (${ids} is null or n.id = any(${ids}))
    returning n.id`,
  };
}

export interface NotificationChoice {
  readonly kind: NotificationKind;
  /** Null leaves it unchanged. */
  readonly inPage: boolean | null;
  readonly byMail: boolean | null;
}

/** Changes how the account is notified of one kind. */
export function chooseWrites(s: CommandScope<NotificationChoice>): Record<string, string> {
  const kind = s.value((input) => input.kind, 'text');
  const changed = (column: string, value: string): string =>
    `case when ${value} is null then n.${column} when ${value} then array_append(array_remove(n.${column}, ${kind}), ` +
    `${kind}) else array_remove(n.${column}, ${kind}) end`;
  const off = s.value(({ inPage }) => (inPage === null ? null : !inPage), 'boolean');
  const mailed = s.value(({ byMail }) => byMail, 'boolean');
  return {
    changed: `
    update account_settings n set notifications_off = ${changed('notifications_off', off)},
      notifications_mailed = ${changed('notifications_mailed', mailed)}, updated_at = ${s.now}
    from permitted t where n.account_id = t.account_id
    returning n.account_id`,
  };
}

const UNSUBSCRIBE = sql(
  'unsubscribe_account',
  `update account_settings set notifications_mailed = array_remove(notifications_mailed, $2), updated_at = $3
   where account_id = $1`,
);

/** Ends messages of one kind to an account. */
export async function endMails(db: Executor, accountId: string, kind: NotificationKind, now: string): Promise<void> {
  await db.run(UNSUBSCRIBE, [accountId, kind, now]);
}
