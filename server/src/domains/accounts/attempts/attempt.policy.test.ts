import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressSubject } from './attempt.policy.ts';

describe('what is counted for an address', () => {
  for (const [address, subject] of [
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:bbbb::2', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ] as const) {
    it(`is ${subject} for ${address}`, () => assert.equal(addressSubject(address), subject));
  }
});
