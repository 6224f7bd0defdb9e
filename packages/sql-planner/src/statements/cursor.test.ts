import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CursorCodec } from './cursor.ts';

describe('cursors', () => {
  const codec = new CursorCodec('Channel.features', 2);
  const values = ['2026-03-01 12:00:00.123456+00', '0190a6f0-0000-7000-8000-000000000001'];

  test('decode to their values', () => assert.deepEqual(codec.decode(codec.encode(values)), values));

  test('can contain any text', () => {
    const odd = ['ünï "\\\n', '😀'];
    assert.deepEqual(codec.decode(codec.encode(odd)), odd);
  });

  test('can have one or three order values', () => {
    for (const length of [1, 3]) {
      const other = new CursorCodec('x', length);
      const some = Array.from({ length }, (_, index) => `v${index}`);
      assert.deepEqual(other.decode(other.encode(some)), some);
    }
  });

  test('of another list are rejected', () =>
    assert.equal(codec.decode(new CursorCodec('Query.features', 2).encode(values)), null));

  test('with one changed character are rejected', () => {
    const cursor = codec.encode(values);
    for (let index = 0; index < cursor.length; index += 1) {
      const changed = `${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`;
      // base64url ignores the bits after the last byte.
      if (!Buffer.from(changed, 'base64url').equals(Buffer.from(cursor, 'base64url')))
        assert.equal(codec.decode(changed), null, changed);
    }
  });

  for (const text of ['', 'x', '====', 'not a cursor', '💥', 'A'.repeat(5_000)]) {
    test(`${JSON.stringify(text.slice(0, 20))} is rejected`, () => assert.equal(codec.decode(text), null));
  }
});
