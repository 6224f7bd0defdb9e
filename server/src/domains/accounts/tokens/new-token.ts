import { type AccountId, newId } from '../../../kernel/ids.ts';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import { apiKeyHint, makeApiKey, TEST_TOKEN_PREFIX, TOKEN_PREFIX } from '../keys/api-key.ts';
import type { TokenScope } from './token.policy.ts';
import type { StoredToken } from './tokens.store.ts';

/** A new token for the account, and its stored form, from which the token cannot be read. */
export function newTokenFor(
  accountId: AccountId,
  scope: TokenScope,
  secrets: Secrets,
  nowMs: number,
): { token: string; stored: StoredToken } {
  const token = makeApiKey(scope.isTest ? TEST_TOKEN_PREFIX : TOKEN_PREFIX);
  const lookupHash = tokenLookupHash(secrets, token);
  return {
    token,
    stored: { ...scope, accountId, id: newId(nowMs), lookupHash, hint: apiKeyHint(token), createdAtMs: nowMs },
  };
}

/** The HMAC by which a token is looked up, so that a stolen database reveals nothing about tokens. */
export function tokenLookupHash(secrets: Secrets, token: string): Buffer {
  return secrets.mac('token-lookup', token);
}
