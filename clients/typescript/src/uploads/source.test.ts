import assert from 'node:assert/strict';
import { test } from 'node:test';
import { streamSource } from './source.ts';

const MIB = 1024 * 1024;

/** A stream that fills one buffer again and again, as programs that read files do. */
async function* counting(chunks: number, bytes: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(bytes);
  for (let chunk = 0; chunk < chunks; chunk += 1) yield buffer.fill(chunk % 251);
}

test('a stream gives any part that was not confirmed, again too, in any chunks', async () => {
  const source = streamSource(counting(10, 3), { name: 'numbers', sizeBytes: 30 });
  const part = async (start: number, end: number) => [...((await source.read(start, end)) as Uint8Array)];
  assert.deepEqual(await part(0, 7), [0, 0, 0, 1, 1, 1, 2]);
  assert.deepEqual(await part(0, 7), [0, 0, 0, 1, 1, 1, 2]);
  assert.deepEqual(await part(4, 5), [1]);
  assert.deepEqual(await part(4, 10), [1, 1, 2, 2, 2, 3]);
  await assert.rejects(part(3, 10), /has passed byte 3/);
  await assert.rejects(part(4, 31), /ended after 30 bytes; 30 were declared/);
});

test('a part of many small chunks takes no longer per chunk than a part of few', { timeout: 20_000 }, async () => {
  const bytes = 8 * 1024;
  const source = streamSource(counting((64 * MIB) / bytes, bytes), { name: 'long', sizeBytes: 64 * MIB });
  for (let at = 0; at < 64 * MIB; at += 32 * MIB)
    assert.equal(((await source.read(at, at + 32 * MIB)) as Uint8Array).length, 32 * MIB);
});
