import { AppError } from '../../../kernel/errors.ts';
import { isUuid } from '../../../kernel/ids.ts';
import { t } from '../../../kernel/languages/message.ts';
import { type Secrets, signerOf } from '../../../platform/config/secret-key.ts';
import type { Platform } from '../../../platform/platform.ts';
import { isNotificationKind, type NotificationKind } from './notification-kinds.ts';
import { endMails } from './notifications.store.ts';

/** What a token allows: to end the messages of one kind to one account. It does not expire, as messages do not. */
export interface Unsubscription {
  readonly accountId: string;
  readonly kind: NotificationKind;
}

/** `<account>.<kind>.<signature>`. */
export function unsubscribeToken(secrets: Pick<Secrets, 'mac'>, { accountId, kind }: Unsubscription): string {
  const subject = `${accountId}.${kind}`;
  return `${subject}.${secrets.mac('unsubscribe', subject).toString('base64url')}`;
}

/** What the token allows. Throws INVALID_INPUT for one that this server did not make. */
function readToken(secrets: Secrets, token: string): Unsubscription {
  const [accountId = '', kind = '', signature = '', ...rest] = token.slice(0, 200).split('.');
  const isSigned = signerOf(secrets, 'unsubscribe', `${accountId}.${kind}`, signature) !== null;
  if (rest.length === 0 && isSigned && isUuid(accountId) && isNotificationKind(kind)) return { accountId, kind };
  throw new AppError('INVALID_INPUT', t`This link is not complete, or was changed.`, {
    field: 'token',
    suggestedFix: t`Open the link of the message again, or change the notifications in the settings of the account.`,
  });
}

export type UnsubscribeNeeds = Pick<Platform, 'db' | 'clock' | 'secrets'>;

/** Ends the messages that the token names; returns their kind. Idempotent. INVALID_INPUT for other tokens. */
export async function unsubscribe({ db, clock, secrets }: UnsubscribeNeeds, token: string): Promise<NotificationKind> {
  const { accountId, kind } = readToken(secrets, token);
  await endMails(db, accountId, kind, new Date(clock.now()).toISOString());
  return kind;
}
