import { randomBytes } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { t } from '../../kernel/languages/message.ts';
import type { Platform } from '../../platform/platform.ts';

const TOKEN_BYTES = 32;

/** What a token of a link in a message is for; one of another purpose is not accepted. */
export type TokenPurpose = 'password-reset' | 'sign-up' | 'email-confirmation';

/** A token for a link, with the HMAC that is stored in its place. */
export function newMailToken(
  platform: Pick<Platform, 'secrets'>,
  purpose: TokenPurpose,
): { readonly token: string; readonly tokenHash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, tokenHash: mailTokenHash(platform, purpose, token) };
}

export function mailTokenHash({ secrets }: Pick<Platform, 'secrets'>, purpose: TokenPurpose, token: string): Buffer {
  return secrets.mac(purpose, token);
}

/** The error for a link that was used, has expired or never existed. */
export function linkEnded(suggestedFix: string): AppError {
  return new AppError('INVALID_INPUT', t`This link was used already or has expired.`, { field: 'token', suggestedFix });
}
