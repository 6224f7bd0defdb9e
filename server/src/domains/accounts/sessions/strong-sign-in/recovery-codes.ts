import { randomInt } from 'node:crypto';

const COUNT = 10;
/** Lower case without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 3;
const GROUP_LENGTH = 4;

/** New recovery codes, such as `k7mw-q2fd-x9ha`: 59 bits. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, group).join('-'));
}

function group(): string {
  return Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/**
 * A recovery code as it was made, from one with other hyphens, spaces or case. Codes of earlier versions have ten
 * characters of both cases, as `Ab3De-fGh1J`.
 */
export function readRecoveryCode(text: string): string {
  const code = text.replace(/[\s\-\u2010-\u2015]/g, '');
  if (code.length === 10) return `${code.slice(0, 5)}-${code.slice(5)}`;
  return (
    code
      .toLowerCase()
      .match(/.{1,4}/g)
      ?.join('-') ?? ''
  );
}
