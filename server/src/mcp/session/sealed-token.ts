import type { SecretPurpose, Secrets } from '../../platform/config/secret-key.ts';

/** Identifiers that are what they stand for: sealed, so that nobody keeps it, nobody else can make or change it, and any instance reads it. */
export function sealToken(secrets: Pick<Secrets, 'seal'>, purpose: SecretPurpose, value: unknown): string {
  return secrets.seal(purpose, JSON.stringify(value)).toString('base64url');
}

/** What was sealed; undefined for an id that is not ours, or is spelled in another way than we did. */
export function openToken(secrets: Pick<Secrets, 'open'>, purpose: SecretPurpose, id: string): unknown {
  const bytes = Buffer.from(id, 'base64url');
  if (bytes.toString('base64url') !== id) return undefined;
  try {
    return JSON.parse(secrets.open(purpose, bytes));
  } catch {
    return undefined;
  }
}
