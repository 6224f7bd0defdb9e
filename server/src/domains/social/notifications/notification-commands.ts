import type { StatementCommand } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Maybe } from '../../../kernel/maybe.ts';
import type { Policy } from '../../../kernel/policy.ts';
import { CHOSEN_KINDS, type NotificationKind } from './notification-kinds.ts';
import {
  chooseWrites,
  type MarkedNotifications,
  markReadWrites,
  type NotificationChoice,
  OWN_NOTIFICATIONS,
} from './notifications.store.ts';

/** Maximum number of notifications that one call names. */
export const MAX_MARKED = 100;

/** Every account may change its own notifications. */
const OWN: Policy = { missing: () => new AppError('UNAUTHORIZED'), requires: [] };

/** markNotificationsRead: one round trip; those of others and unknown ones are ignored. */
export const markNotificationsRead: StatementCommand<{ readonly ids?: Maybe<readonly string[]> }, MarkedNotifications> =
  {
    prepare: ({ ids }, env) => {
      if (ids == null) return { ids: null };
      if (ids.length > MAX_MARKED) {
        throw new AppError('INVALID_INPUT', t`ids has ${ids.length} entries, at most ${MAX_MARKED} are possible.`, {
          field: 'ids',
          suggestedFix: t`Send fewer, or none to mark all notifications.`,
        });
      }
      return { ids: ids.map((id, index) => env.parseDid(id, ['notification'], `ids.${index}`).id) };
    },
    payload: () => ({ ok: true }),
    target: OWN_NOTIFICATIONS,
    policy: OWN,
    writes: markReadWrites,
  };

interface Choice {
  readonly kind: NotificationKind;
  readonly inPage?: Maybe<boolean>;
  readonly byMail?: Maybe<boolean>;
}

/** updateNotificationSettings: one round trip. */
export const updateNotificationSettings: StatementCommand<{ readonly input: Choice }, NotificationChoice> = {
  prepare: ({ input: { kind, inPage = null, byMail = null } }) => {
    if (CHOSEN_KINDS.includes(kind)) return { kind, inPage, byMail };
    throw new AppError('INVALID_INPUT', t`Invitations to channels are always shown.`, {
      field: 'input.kind',
      suggestedFix: t`Choose another kind; me.notificationSettings lists them.`,
    });
  },
  payload: () => ({ ok: true }),
  target: OWN_NOTIFICATIONS,
  policy: OWN,
  writes: chooseWrites,
};
