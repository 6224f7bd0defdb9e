import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTicket, writeTicket } from './signed-ticket.ts';

const SIGNATURE = 'a'.repeat(43);
const KEY = '0199c0de-0000-7000-8000-000000000001';

describe('tickets of signed addresses', () => {
  for (const ticket of [
    { expires: 1_790_000_000, keyId: null, signature: SIGNATURE },
    { expires: 1, keyId: KEY, signature: SIGNATURE },
  ]) {
    it(`are read as they are written: ${writeTicket(ticket)}`, () =>
      assert.deepEqual(readTicket(writeTicket(ticket)), ticket));
  }

  const others: readonly (readonly [what: string, text: string])[] = [
    ['a leading zero', `01790000000.${SIGNATURE}`],
    ['zero', `0.${SIGNATURE}`],
    ['a sign', `+1790000000.${SIGNATURE}`],
    ['another notation', `179e7.${SIGNATURE}`],
    ['a fraction', `1790000000.0.${SIGNATURE}`],
    ['a space', ` 1790000000.${SIGNATURE}`],
    ['digits of another script', `\u0661790000000.${SIGNATURE}`],
    ['a number beyond the safe ones', `9007199254740993.${SIGNATURE}`],
    ['a padded signature', `1790000000.${SIGNATURE}=`],
    ['the other alphabet', `1790000000.${SIGNATURE.slice(1)}+`],
    ['a short signature', `1790000000.${SIGNATURE.slice(1)}`],
    ['a key in capitals', `1790000000.${KEY.toUpperCase()}-${SIGNATURE}`],
    ['a key with misplaced hyphens', `1790000000.${'-'.repeat(36)}-${SIGNATURE}`],
    ['a line break at the end', `1790000000.${SIGNATURE}\n`],
  ];
  for (const [what, text] of others) {
    it(`have one spelling: not ${what}`, () => assert.equal(readTicket(text), null));
  }
});
