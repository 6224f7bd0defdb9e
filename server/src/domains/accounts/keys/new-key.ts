import { type AccountId, newId } from '../../../kernel/ids.ts';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import { apiKeyHint, makeApiKey } from './api-key.ts';
import type { StoredKey } from './api-keys.store.ts';

/** A new key for the account, and its stored form. */
export function newKeyFor(accountId: AccountId, secrets: Secrets, nowMs: number): { key: string; stored: StoredKey } {
  const key = makeApiKey();
  const stored = {
    accountId,
    id: newId(nowMs),
    lookupHash: apiKeyLookupHash(secrets, key),
    sealed: secrets.seal('api-key-seal', key),
    hint: apiKeyHint(key),
    createdAtMs: nowMs,
  };
  return { key, stored };
}

/** The HMAC by which a key is looked up, so that a stolen database alone reveals nothing about keys. */
export function apiKeyLookupHash(secrets: Secrets, key: string): Buffer {
  return secrets.mac('api-key-lookup', key);
}
