import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * An API key or scoped token: a prefix, 32 random base62 characters (190 bits) and 6 base62 characters of CRC-32 over
 * everything before them. The checksum lets the server refuse mistyped keys without the database, and lets secret
 * scanners recognise keys; only the random part is secret.
 */
export const KEY_PREFIX = 'rg_';
/** Of scoped tokens. */
export const TOKEN_PREFIX = 'rgt_';
/** Of scoped tokens in test mode. */
export const TEST_TOKEN_PREFIX = 'test_';
type Prefix = typeof KEY_PREFIX | typeof TOKEN_PREFIX | typeof TEST_TOKEN_PREFIX;

const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BODY = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
/** Bytes from here on are discarded, so that every character is equally likely: 248 = 4 * 62. */
const UNBIASED_LIMIT = 248;

/** A new key or token from the system's random source. */
export function makeApiKey(prefix: Prefix = KEY_PREFIX): string {
  const body = `${prefix}${randomBase62(RANDOM_LENGTH)}`;
  return body + checksum(body);
}

/** Whether `text` has the shape and checksum of a key or token; does not tell whether it exists. */
export function isApiKeyWellFormed(text: string, prefix: Prefix = KEY_PREFIX): boolean {
  return (
    text.startsWith(prefix) &&
    BODY.test(text.slice(prefix.length)) &&
    checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
  );
}

/** A hint that identifies a key or token without revealing it: `rg_Ab3d…9xYz`. */
export function apiKeyHint(key: string): string {
  return `${key.slice(0, key.indexOf('_') + 5)}…${key.slice(-4)}`;
}

/** `length` random base62 characters, each equally likely. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < UNBIASED_LIMIT && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return text;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}
