import { randomBytes } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Platform } from '../../platform/platform.ts';
import { findableHash } from '../../platform/secret-columns/findable-hash.ts';
import type { HashColumnName } from '../../platform/secret-columns/secret-columns.ts';

const TOKEN_BYTES = 32;

/** What a token of a link in a message is for; one of another purpose is not accepted. */
export type TokenPurpose = 'password-reset' | 'sign-up' | 'email-confirmation';

const COLUMNS = {
  'password-reset': 'passwordResets',
  'sign-up': 'pendingSignUps',
  'email-confirmation': 'emailConfirmations',
} as const satisfies Record<TokenPurpose, HashColumnName>;

/** A token for a link, with the HMAC that is stored in its place. */
export function newMailToken(
  { secrets }: Pick<Platform, 'secrets'>,
  purpose: TokenPurpose,
): { readonly token: string; readonly tokenHash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: secrets.mac(purpose, token) };
}

/** The HMAC by which the token of a link is found. */
export function mailTokenHash(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  purpose: TokenPurpose,
  token: string,
): Promise<Buffer> {
  return findableHash(db, secrets, COLUMNS[purpose], token);
}

/** The error for a link that was used, has expired or never existed. */
export function linkEnded(suggestedFix: string): AppError {
  return new AppError('INVALID_INPUT', t`This link was used already or has expired.`, { field: 'token', suggestedFix });
}
