import { AppError } from '../../kernel/errors.ts';
import type { Secrets } from '../../platform/config/secret-key.ts';
import { isApiKeyWellFormed } from './api-key.ts';
import { apiKeyLookupHash } from './new-key.ts';

/** The credential of a bearer key, for the viewer's statement. Throws UNAUTHENTICATED, without the database, for text that cannot be a key. */
export function credentialFromKey(secrets: Secrets, key: string): { kind: 'key'; lookupHash: Buffer } {
  if (!isApiKeyWellFormed(key)) {
    throw new AppError('UNAUTHENTICATED', 'This is not an API key of this platform: it is incomplete or mistyped.', {
      suggestedFix: 'Copy the whole key, from "rg_" on, in Developer Settings.',
    });
  }
  return { kind: 'key', lookupHash: apiKeyLookupHash(secrets, key) };
}
