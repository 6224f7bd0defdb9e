import type { Credential } from '../../../gql/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { findableHash } from '../../../platform/secret-columns/findable-hash.ts';
import type { HashColumnName } from '../../../platform/secret-columns/secret-columns.ts';
import { ACCESS_TOKEN_PREFIX, accessTokenCredential, accessTokenText } from '../oauth/oauth-tokens.ts';
import { keyReader } from './key-reader.ts';

/** Credentials whose row is known to have the current HMAC. */
const MAX_REMEMBERED = 10_000;

/** Reads what follows `Bearer`. Both throw UNAUTHENTICATED, without the database, for malformed keys and tokens. */
export interface CredentialReader {
  /** By its HMAC under SECRET_KEY. */
  read(text: string): Credential;
  /** By the HMAC that its row has, which may be that of another key while SECRET_KEY changes. */
  find(text: string): Credential | Promise<Credential>;
}

export function credentialReader({
  db,
  secrets,
  config,
}: Pick<Platform, 'db' | 'secrets' | 'config'>): CredentialReader {
  const readKey = keyReader(secrets);
  const baseUrl = config.BASE_URL;
  const settled = new Set<string>();
  const read = (text: string): Credential =>
    text.startsWith(ACCESS_TOKEN_PREFIX) ? accessTokenCredential(secrets, baseUrl, text) : readKey(text);
  const search = async (credential: Credential, text: string): Promise<Credential> => {
    const found = (name: HashColumnName, signed: string) => findableHash(db, secrets, name, signed);
    switch (credential.kind) {
      case 'key':
      case 'token': {
        const lookupHash = await found(credential.kind === 'key' ? 'apiKeys' : 'tokens', text);
        return { kind: credential.kind, lookupHash };
      }
      case 'oauth': {
        const hash = await found('accessTokens', accessTokenText(baseUrl, text.slice(ACCESS_TOKEN_PREFIX.length)));
        return { kind: 'oauth', tokenHash: hash.toString('base64url') };
      }
      default:
        return credential;
    }
  };
  return {
    read,
    find(text) {
      const credential = read(text);
      if (secrets.accepted.length === 1) return credential;
      const id = idOf(credential);
      if (settled.has(id)) return credential;
      return search(credential, text).then((found) => {
        if (idOf(found) !== id) return found;
        if (settled.size >= MAX_REMEMBERED) settled.clear();
        settled.add(id);
        return credential;
      });
    },
  };
}

function idOf(credential: Credential): string {
  if (credential.kind === 'oauth') return credential.tokenHash;
  return 'lookupHash' in credential ? credential.lookupHash.toString('latin1') : '';
}
