import { AppError } from '../../../kernel/errors.ts';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import { isApiKeyWellFormed } from './api-key.ts';
import { apiKeyLookupHash } from './new-key.ts';

export interface KeyCredential {
  readonly kind: 'key';
  readonly lookupHash: Buffer;
  /** The hash as text. */
  readonly id: string;
}

/** Keys whose hash is cached; hashing takes a sixth of the time of a request that checks a key. */
const MAX_REMEMBERED = 1_000;

/**
 * Reads bearer keys into credentials for the viewer's statement. Throws UNAUTHENTICATED, without the database, for
 * malformed keys. Only the hash of a key is cached, never whether it is valid: that is checked every time.
 */
export function keyReader(secrets: Secrets): (key: string) => KeyCredential {
  const remembered = new Map<string, KeyCredential>();
  return (key) => {
    const known = remembered.get(key);
    if (known) return known;
    if (!isApiKeyWellFormed(key)) {
      throw new AppError('UNAUTHENTICATED', 'This is not an API key of this platform: it is incomplete or mistyped.', {
        suggestedFix: 'Copy the whole key, from "rg_" on, in Developer Settings.',
      });
    }
    const lookupHash = apiKeyLookupHash(secrets, key);
    const credential: KeyCredential = { kind: 'key', lookupHash, id: lookupHash.toString('latin1') };
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, credential);
    return credential;
  };
}
