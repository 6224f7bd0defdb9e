import type { SecretPurpose, Secrets } from '../../platform/config/secret-key.ts';

/**
 * Sealed tokens: identifiers that carry their own content, encrypted and authenticated, so that nothing is stored and
 * any instance can read them.
 */
export function sealToken(secrets: Pick<Secrets, 'seal'>, purpose: SecretPurpose, value: unknown): string {
  return secrets.seal(purpose, JSON.stringify(value)).toString('base64url');
}

/** The sealed content; undefined for a forged token or another spelling of one. */
export function openToken(secrets: Pick<Secrets, 'open'>, purpose: SecretPurpose, id: string): unknown {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.toString('base64url') !== id) return undefined;
  try {
    return JSON.parse(secrets.open(purpose, bytes));
  } catch {
    return undefined;
  }
}
