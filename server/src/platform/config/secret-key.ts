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
import type { Config } from './config.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** What SECRET_KEY is used for; each purpose has a key of its own (HKDF-SHA256, RFC 5869). */
export type SecretPurpose =
  | 'api-key-lookup'
  | 'api-key-seal'
  | 'token-lookup'
  | 'media-address'
  | 'share-pass'
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
  | 'oidc-request'
  | 'oidc-tokens'
  | 'unsubscribe';

/**
 * What is made with SECRET_KEY, and read with it or with one of SECRET_KEY_PREVIOUS (ADR 0168). Compare signatures by
 * {@link signerOf}, and find stored HMACs by `findableHash`, so that those of the other keys are accepted.
 */
export interface Secrets {
  /** HMAC-SHA256 of `text` under the key of `purpose`; 32 bytes. */
  mac(purpose: SecretPurpose, text: string): Buffer;
  /** AES-256-GCM: nonce, ciphertext, tag. */
  seal(purpose: SecretPurpose, text: string): Buffer;
  /** The sealed text. Throws when it was changed, or sealed with a key that is not accepted. */
  open(purpose: SecretPurpose, sealed: Buffer): string;
  /** A secret for a library, in hexadecimal. */
  derive(purpose: SecretPurpose): string;
  /** Names the key: 16 hexadecimal digits that say nothing about it. */
  readonly fingerprint: string;
  /** This key and the other ones that are accepted, each as secrets of one key. */
  readonly accepted: readonly Secrets[];
}

/** The keys of the settings; without SECRET_KEY the one in DATA_DIR, created with mode 0600 on the first run. */
export function loadSecrets({
  DATA_DIR,
  SECRET_KEY,
  SECRET_KEY_PREVIOUS = [],
}: Pick<Config, 'DATA_DIR' | 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS'>): Secrets {
  const [current = '', ...others] = [SECRET_KEY ?? readOrMakeKey(DATA_DIR), ...SECRET_KEY_PREVIOUS];
  return secretsFrom(
    Buffer.from(current, 'base64'),
    others.map((key) => Buffer.from(key, 'base64')),
  );
}

/** Whether there is a key: `loadSecrets` would make one otherwise. */
export function hasSecretKey({ DATA_DIR, SECRET_KEY }: Pick<Config, 'DATA_DIR' | 'SECRET_KEY'>): boolean {
  return SECRET_KEY !== undefined || existsSync(join(DATA_DIR, 'secret-key'));
}

/** Secrets derived from 32 bytes; what was made with one of the `others` is accepted. */
export function secretsFrom(master: Buffer, others: readonly Buffer[] = []): Secrets {
  const current = secretsOf(master);
  if (others.length === 0) return current;
  const known = new Map([current, ...others.map(secretsOf)].map((secrets) => [secrets.fingerprint, secrets]));
  const accepted = [...known.values()];
  return { ...current, accepted, open: (purpose, sealed) => openWithAny(accepted, purpose, sealed) };
}

/**
 * The key among the accepted ones that signed `text`, as secrets of one key; null for another signature. Signatures are
 * HMACs in base64url, compared as text in constant time, for other texts decode to the same bytes.
 */
export function signerOf(
  { accepted }: Pick<Secrets, 'accepted'>,
  purpose: SecretPurpose,
  text: string,
  signature: string,
): Secrets | null {
  const given = Buffer.from(signature);
  return accepted.find((key) => sameBytes(Buffer.from(key.mac(purpose, text).toString('base64url')), given)) ?? null;
}

function openWithAny(accepted: readonly Secrets[], purpose: SecretPurpose, sealed: Buffer): string {
  let problem: unknown;
  for (const key of accepted) {
    try {
      return key.open(purpose, sealed);
    } catch (error) {
      problem = error;
    }
  }
  throw problem;
}

function secretsOf(master: Buffer): Secrets {
  const keys = new Map<SecretPurpose, KeyObject>();
  const keyFor = (purpose: SecretPurpose): KeyObject => {
    let key = keys.get(purpose);
    if (!key) {
      key = createSecretKey(Buffer.from(hkdfSync('sha256', master, '', `reelgraph ${purpose}`, 32)));
      keys.set(purpose, key);
    }
    return key;
  };
  const mac = (purpose: SecretPurpose, text: string) => createHmac('sha256', keyFor(purpose)).update(text).digest();
  const secrets: Secrets = {
    mac,
    fingerprint: mac('fingerprint', 'reelgraph').toString('hex').slice(0, 16),
    get accepted() {
      return [secrets];
    },
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
  return secrets;
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
