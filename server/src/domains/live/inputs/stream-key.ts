import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../../platform/config/secret-key.ts';
import type { Executor } from '../../../platform/db/database.ts';
import { findableHash } from '../../../platform/secret-columns/findable-hash.ts';

/** Letters and digits: encoders and addresses take them as they are. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** 190 bits. */
const CHARACTERS = 32;
/** The largest multiple of the alphabet's size in a byte: bytes above are drawn again, so that all are as likely. */
const FAIR = 256 - (256 % ALPHABET.length);

/** A new stream key. */
export function makeStreamKey(): string {
  let key = '';
  while (key.length < CHARACTERS)
    for (const byte of randomBytes(CHARACTERS))
      if (byte < FAIR && key.length < CHARACTERS) key += ALPHABET[byte % ALPHABET.length];
  return key;
}

/** The stored forms of a stream key: encrypted, and by which its input is looked up. */
export interface StoredStreamKey {
  readonly sealed: Buffer;
  readonly hash: Buffer;
}

export function storedStreamKey(secrets: Secrets, key: string): StoredStreamKey {
  return { sealed: secrets.seal('stream-key', key), hash: secrets.mac('stream-key-lookup', key) };
}

/** By which the input of a publisher is found. */
export function streamKeyHash(db: Executor, secrets: Secrets, key: string): Promise<Buffer> {
  return findableHash(db, secrets, 'streamKeys', key);
}

/** The stored form of a new passphrase of SRT, which takes 10 to 79 characters. */
export function newPassphrase(secrets: Secrets): Buffer {
  return secrets.seal('srt-passphrase', makeStreamKey());
}

/** The stored passphrase of SRT. Throws when it was encrypted under another SECRET_KEY. */
export function openPassphrase(secrets: Secrets, sealed: Buffer): string {
  return secrets.open('srt-passphrase', sealed);
}

/** The stored key. Throws when it was encrypted under another SECRET_KEY. */
export function openStreamKey(secrets: Secrets, sealed: Buffer): string {
  return secrets.open('stream-key', sealed);
}
