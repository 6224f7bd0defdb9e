import type { Secrets } from '../../../platform/config/secret-key.ts';
import { librarySecrets } from './library-secrets.ts';

/** Reads and writes the texts that the sign-in library has encrypted, outside of it. */
export interface LibraryCipher {
  /** Throws where no accepted key encrypted it. */
  open(stored: string): Promise<string>;
  seal(text: string): Promise<string>;
  /** Whether the current key encrypted it. */
  isCurrent(stored: string): boolean;
}

/** `oldest`: the fingerprint of the first SECRET_KEY of the database. Loads the cipher of the library. */
export async function libraryCipher(secrets: Secrets, oldest: string | null): Promise<LibraryCipher> {
  const { parseEnvelope, symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto');
  const { secrets: versions, secret } = librarySecrets(secrets, oldest);
  const keys = new Map(versions.map(({ version, value }) => [version, value]));
  const currentVersion = versions[0]?.version ?? 0;
  const key = { keys, currentVersion, legacySecret: secret };
  return {
    open: (data) => symmetricDecrypt({ key, data }),
    seal: (data) => symmetricEncrypt({ key, data }),
    isCurrent: (stored) => parseEnvelope(stored)?.version === currentVersion,
  };
}
