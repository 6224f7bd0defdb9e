import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { AppError } from '../../../kernel/errors.ts';
import { t } from '../../../kernel/languages/message.ts';

/** Signing keys that one channel may have. */
export const MAX_SIGNING_KEYS = 10;
/** The algorithms of signing keys, and their names in tokens (RFC 7518 section 3.1, RFC 8037 section 3.1). */
export const SIGNING_ALGORITHMS = { EDDSA: 'EdDSA', RS256: 'RS256' } as const;

export type SigningAlgorithm = keyof typeof SIGNING_ALGORITHMS;

/** The public half of a signing key. */
export interface PublicKey {
  readonly algorithm: SigningAlgorithm;
  /** PEM, SubjectPublicKeyInfo. */
  readonly publicKey: string;
}

export interface SigningKeyPair extends PublicKey {
  /** PEM, PKCS #8. */
  readonly privateKey: string;
}

/** RSA keys in bits: RFC 7518 section 3.3 requires 2,048; verification by larger ones is slow. */
const RSA_BITS = { least: 2_048, most: 4_096 };
const MAX_PEM_CHARACTERS = 2_000;
const generate = promisify(generateKeyPair);

/** A new key pair. */
export async function generateSigningKey(algorithm: SigningAlgorithm): Promise<SigningKeyPair> {
  const { publicKey, privateKey } =
    algorithm === 'EDDSA' ? await generate('ed25519') : await generate('rsa', { modulusLength: RSA_BITS.least });
  return {
    algorithm,
    publicKey: pemOf(publicKey),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/**
 * The public key in a PEM text of the caller.
 * @throws AppError INVALID_INPUT for `field` unless it is an Ed25519 key, or an RSA key of 2,048 to 4,096 bits.
 */
export function readPublicKey(pem: string, field: string): PublicKey {
  if (/PRIVATE KEY/.test(pem)) {
    throw new AppError('INVALID_INPUT', t`This is a private key. It was not stored.`, {
      field,
      suggestedFix: t`Replace the key, and send the public one: openssl pkey -in private.pem -pubout`,
    });
  }
  const key = pem.length <= MAX_PEM_CHARACTERS ? parse(pem) : null;
  if (key?.asymmetricKeyType === 'ed25519') return { algorithm: 'EDDSA', publicKey: pemOf(key) };
  const bits = key?.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : 0;
  if (key && bits >= RSA_BITS.least && bits <= RSA_BITS.most) return { algorithm: 'RS256', publicKey: pemOf(key) };
  throw new AppError('INVALID_INPUT', t`This is not a public key for signing playback tokens.`, {
    field,
    suggestedFix: t`Send an Ed25519 key, or an RSA key of 2,048 to 4,096 bits, as PEM (-----BEGIN PUBLIC KEY-----).`,
  });
}

function parse(pem: string): KeyObject | null {
  try {
    return createPublicKey(pem);
  } catch {
    return null;
  }
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}
