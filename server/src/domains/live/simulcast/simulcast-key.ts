import type { Secrets } from '../../../platform/config/secret-key.ts';

/** The stored form of the stream key of a target. */
export function sealTargetKey(secrets: Secrets, key: string): Buffer {
  return secrets.seal('simulcast-key', key);
}

/** The stream key of a target. Throws when it was encrypted under another SECRET_KEY. */
export function openTargetKey(secrets: Secrets, sealed: Buffer): string {
  return secrets.open('simulcast-key', sealed);
}
