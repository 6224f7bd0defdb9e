import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../../platform/config/secret-key.ts';

/** Bytes of a secret (Standard Webhooks, "Signature scheme": 24 to 64). */
const SECRET_BYTES = 32;

/** How long the previous secret also signs after a rotation, in milliseconds. */
export const OLD_SECRET_MS = 24 * 3_600_000;

/** A new secret in the receivers' format: `whsec_` and base64. */
export function makeWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** The stored form of a secret. */
export function sealWebhookSecret(secrets: Secrets, secret: string): Buffer {
  return secrets.seal('webhook-secret', secret);
}

/** The stored secret. Throws when it was encrypted under another SECRET_KEY. */
export function openWebhookSecret(secrets: Secrets, sealed: Buffer): string {
  return secrets.open('webhook-secret', sealed);
}
