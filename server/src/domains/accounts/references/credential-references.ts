import type { Credential } from '../../../gql/index.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { accessTokenOf, clientOfToken, sessionId, sessionToken } from './credential-references.store.ts';

/**
 * A credential as work in the background stores it: it names the credential and is none, so nobody can send it. The
 * work reads as the credential, and ends when the credential does.
 */
export interface CredentialReference {
  readonly kind: Exclude<Credential['kind'], 'anonymous'>;
  /** Of a key or scoped token: its lookup hash in hexadecimal. Of a session: its id. Of an application: client_id. */
  readonly id: string;
}

/** How to find the credential of a request again; null when it ended meanwhile. */
export async function referenceTo(db: Executor, credential: Credential): Promise<CredentialReference | null> {
  switch (credential.kind) {
    case 'anonymous':
      return null;
    case 'key':
    case 'token':
      return { kind: credential.kind, id: credential.lookupHash.toString('hex') };
    case 'session':
      return reference('session', await sessionId(db, credential.token));
    case 'oauth':
      return reference('oauth', await clientOfToken(db, credential.tokenHash));
  }
}

/**
 * The credential of an account that a reference names; null when it was replaced, signed out or disconnected. The
 * access tokens of an application are replaced every hour: it is the newest of those that are valid.
 */
export async function referencedCredential(
  db: Executor,
  accountId: string,
  { kind, id }: CredentialReference,
  now: string,
): Promise<Exclude<Credential, { kind: 'anonymous' }> | null> {
  switch (kind) {
    // Whether the key or token is still valid is decided by each statement that reads with it.
    case 'key':
    case 'token':
      return { kind, lookupHash: Buffer.from(id, 'hex') };
    case 'session': {
      const token = await sessionToken(db, accountId, id);
      return token === null ? null : { kind, token };
    }
    case 'oauth': {
      const tokenHash = await accessTokenOf(db, accountId, id, now);
      return tokenHash === null ? null : { kind, tokenHash };
    }
  }
}

function reference(kind: CredentialReference['kind'], id: string | null): CredentialReference | null {
  return id === null ? null : { kind, id };
}
