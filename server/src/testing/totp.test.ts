import assert from 'node:assert/strict';
import { it } from 'node:test';
import { totp } from './totp.ts';

it('computes the codes of RFC 6238, appendix B', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'; // "12345678901234567890"
  assert.deepEqual(
    [59_000, 1_111_111_109_000, 20_000_000_000_000].map((atMs) => totp(secret, atMs)),
    ['287082', '081804', '353130'],
  );
});
