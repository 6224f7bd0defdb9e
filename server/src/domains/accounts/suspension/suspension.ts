import type { Credential } from '../../../gql/index.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type Text, t } from '../../../kernel/languages/message.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findSuspension } from './suspension.store.ts';

/** Whom to write to about a suspension, as operators set it; null names the operator of the server. */
type Contact = Platform['config']['CONTACT'] | null;

/** How to object to a suspension. */
export function appeal(contact: Contact | undefined): Text {
  return contact == null
    ? t`Contact the operator of this server if you think that this is a mistake.`
    : t`Contact ${contact} if you think that this is a mistake.`;
}

/** The error of everything that a suspended account sends, with the reason that the operator gave. */
export function suspended(reason: string, contact: Contact | undefined): AppError {
  return new AppError('ACCOUNT_SUSPENDED', t`This account is suspended. Reason: ${reason}`, {
    suggestedFix: appeal(contact),
  });
}

/** Why a credential that is not valid is refused, where its account is suspended; otherwise null. */
export async function explainRefusal(
  { db, config }: Pick<Platform, 'db' | 'config'>,
  credential: Credential,
): Promise<AppError | null> {
  if (credential.kind === 'anonymous') return null;
  const reason = await findSuspension(db, credential);
  return reason === null ? null : suspended(reason, config.CONTACT);
}
