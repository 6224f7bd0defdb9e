import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What SECRET_KEY is used for; each purpose has a key of its own (HKDF-SHA256, RFC 5869). */
export type SecretPurpose =
  | 'api-key-lookup'
  | 'api-key-seal'
  | 'token-lookup'
  | 'media-address'
  | 'upload-token'
  | 'session'
  | 'oauth-token'
  | 'agent-task'
  | 'webhook-secret'
  | 'stream-key'
  | 'stream-key-lookup'
  | 'live-node'
  | 'live-preview'
  | 'srt-passphrase'
  | 'simulcast-key'
  | 'youtube-token'
  | 'agent-session'
  | 'agent-question'
  | 'viewer'
  | 'fingerprint'
  | 'youtube-upload'
  | 'invitation'
  | 'operator-code'
  | 'attempt-counter'
  | 'idempotent-response'
  | 'segment-key'
  | 'export-address'
  | 'mail'
  | 'password-reset'
  | 'known-browser'
  | 'sign-up'
  | 'email-confirmation'
  | 'unsubscribe';

export interface Secrets {
  /** HMAC-SHA256 of `text` under the key of `purpose`; 32 bytes. */
  mac(purpose: SecretPurpose, text: string): Buffer;
  /** AES-256-GCM: nonce, ciphertext, tag. */
  seal(purpose: SecretPurpose, text: string): Buffer;
  /** The sealed text. Throws when it was changed or sealed with another key. */
  open(purpose: SecretPurpose, sealed: Buffer): string;
  /** A secret for a library, in hexadecimal. */
  derive(purpose: SecretPurpose): string;
}

/** The given key (base64), or the one in `dataDir`, created with mode 0600 on the first run. */
export function loadSecrets(dataDir: string, given: string | undefined): Secrets {
  return secretsFrom(Buffer.from(given ?? readOrMakeKey(dataDir), 'base64'));
}

/** Secrets derived from 32 bytes. */
export function secretsFrom(master: Buffer): Secrets {
  const keys = new Map<SecretPurpose, KeyObject>();
  const keyFor = (purpose: SecretPurpose): KeyObject => {
    let key = keys.get(purpose);
    if (!key) {
      key = createSecretKey(Buffer.from(hkdfSync('sha256', master, '', `reelgraph ${purpose}`, 32)));
      keys.set(purpose, key);
    }
    return key;
  };
  return {
    mac: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
    seal(purpose, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce);
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(purpose, sealed) {
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      return Buffer.concat([
        decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)),
        decipher.final(),
      ]).toString('utf8');
    },
    derive: (purpose) => keyFor(purpose).export().toString('hex'),
  };
}

/** Whether two byte strings are equal, in constant time. */
export function sameBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

function readOrMakeKey(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' });
  }
  return readFileSync(file, 'utf8').trim();
}
