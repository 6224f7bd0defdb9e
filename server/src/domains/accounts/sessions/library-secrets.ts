import { createHmac } from 'node:crypto';
import { type Secrets, sameBytes } from '../../../platform/config/secret-key.ts';

/** The secrets of the sign-in library, as its options have them. */
export interface LibrarySecrets {
  /** The first one encrypts and signs; ciphertexts name theirs by its version. */
  readonly secrets: { readonly version: number; readonly value: string }[];
  /** For ciphertexts that name none: those from before SECRET_KEY could change. */
  readonly secret: string;
}

/** One for each accepted SECRET_KEY. `oldest` is the fingerprint of the first key of the database. */
export function librarySecrets({ accepted, derive }: Secrets, oldest: string | null): LibrarySecrets {
  const first = accepted.find(({ fingerprint }) => fingerprint === oldest);
  return {
    secrets: accepted.map((key) => ({ version: versionOf(key), value: key.derive('session') })),
    secret: first ? first.derive('session') : derive('session'),
  };
}

/** The same in every process: 28 bits of the fingerprint. */
function versionOf({ fingerprint }: Secrets): number {
  return Number.parseInt(fingerprint.slice(0, 7), 16);
}

/**
 * A Cookie header for the library, which checks signatures with one secret only: values that another accepted key
 * signed (`<value>.<HMAC-SHA256 in base64>`, URL-encoded) are signed with the current one.
 */
export function withCurrentSignatures({ accepted, derive }: Secrets, header: string): string {
  return header
    .split(';')
    .map((pair) => {
      const [name = '', text = ''] = splitAt(pair, pair.indexOf('='));
      const value = decoded(text);
      const [signed, signature] = splitAt(value, value.lastIndexOf('.'));
      const isGenuine = accepted.slice(1).some((key) => isSignedWith(key.derive('session'), signed, signature));
      if (!isGenuine) return pair;
      return `${name}=${encodeURIComponent(`${signed}.${signatureOf(derive('session'), signed).toString('base64')}`)}`;
    })
    .join(';');
}

/** Whether a cookie of the library has this signature, in constant time. */
export function isSignedWith(secret: string, value: string, signature: string): boolean {
  return sameBytes(Buffer.from(signature, 'base64'), signatureOf(secret, value));
}

function signatureOf(secret: string, value: string): Buffer {
  return createHmac('sha256', secret).update(value).digest();
}

/** What precedes the character at `index`, and what follows it. */
function splitAt(text: string, index: number): [string, string] {
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return '';
  }
}
