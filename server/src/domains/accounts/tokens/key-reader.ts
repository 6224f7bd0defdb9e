import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import { isApiKeyWellFormed, TEST_TOKEN_PREFIX, TOKEN_PREFIX } from '../keys/api-key.ts';
import { apiKeyLookupHash } from '../keys/new-key.ts';
import { tokenLookupHash } from './new-token.ts';

export interface KeyCredential {
  readonly kind: 'key' | 'token';
  readonly lookupHash: Buffer;
  /** The hash as text. */
  readonly id: string;
}

/** Keys whose hash is cached; hashing takes a sixth of the time of a request that checks a key. */
const MAX_REMEMBERED = 1_000;

/**
 * Reads bearer keys and scoped tokens into credentials for the viewer's statement. Throws UNAUTHENTICATED, without the
 * database, for malformed ones. Only the hash of a key is cached, never whether it is valid: that is checked every
 * time.
 */
export function keyReader(secrets: Secrets): (key: string) => KeyCredential {
  const remembered = new Map<string, KeyCredential>();
  return (key) => {
    const known = remembered.get(key);
    if (known) return known;
    const kind = kindOf(key);
    const lookupHash = kind === 'token' ? tokenLookupHash(secrets, key) : apiKeyLookupHash(secrets, key);
    const credential: KeyCredential = { kind, lookupHash, id: lookupHash.toString('latin1') };
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(key, credential);
    return credential;
  };
}

/** What the text is, by its prefix. Throws UNAUTHENTICATED when it is malformed. */
function kindOf(text: string): KeyCredential['kind'] {
  const prefix = ([TOKEN_PREFIX, TEST_TOKEN_PREFIX] as const).find((each) => text.startsWith(each));
  if (prefix === undefined && !isApiKeyWellFormed(text))
    throw new AppError('UNAUTHENTICATED', t`This is not an API key of this platform: it is incomplete or mistyped.`, {
      suggestedFix: t`Copy the whole key, from "rg_" on, in Developer Settings.`,
    });
  if (prefix !== undefined && !isApiKeyWellFormed(text, prefix))
    throw new AppError('UNAUTHENTICATED', t`This is not a token of this platform: it is incomplete or mistyped.`, {
      suggestedFix: t`Send the whole token, from "${prefix}" on, or create another one.`,
    });
  return prefix === undefined ? 'key' : 'token';
}
