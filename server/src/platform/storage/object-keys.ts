const KEY = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const MAX_KEY_LENGTH = 512;

/** Whether an object can have this key. */
export function isKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && KEY.test(key) && !key.split('/').some((name) => name === '.' || name === '..');
}

/**
 * Throws a plain Error unless `key` has the form that the port documents; an invalid key is a bug in the server, never
 * a client error.
 */
export function checkKey(key: string): void {
  if (!isKey(key)) throw new Error(`Not an object key: ${JSON.stringify(key)}`);
}

/** The same for a prefix, which ends with `/` so that `a/1/` never means `a/10/`. */
export function checkPrefix(prefix: string): void {
  if (!prefix.endsWith('/')) throw new Error(`A prefix ends with "/": ${JSON.stringify(prefix)}`);
  checkKey(prefix.slice(0, -1));
}
