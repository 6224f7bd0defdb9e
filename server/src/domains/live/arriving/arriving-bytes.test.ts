import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { ArrivingBytes, LostBytesError } from './arriving-bytes.ts';

const MIB = 1024 ** 2;
const WHOLE = randomBytes(20 * MIB);

/** A store that has the first bytes of the file. */
const storeOf = (bytes: Buffer) => ({
  read: async (_: string, position: number, length: number) => bytes.subarray(position, position + length),
});

async function all(bytes: ArrivingBytes): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes.chunks()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function push(to: ArrivingBytes, from: number, end: number): void {
  for (let at = from; at < end; at += MIB) to.push(WHOLE.subarray(at, Math.min(end, at + MIB)), at);
}

describe('the bytes of an upload that arrives', () => {
  it('are taken in order while they come', async () => {
    const bytes = new ArrivingBytes({}, 'key', 1_000);
    const taken = all(bytes);
    push(bytes, 0, 4 * MIB);
    bytes.stored(4 * MIB);
    bytes.end();
    assert.ok((await taken).equals(WHOLE.subarray(0, 4 * MIB)));
    assert.equal(bytes.isWhole, true);
  });

  it('are read from the store where they do not fit into memory, and are never waited for', async () => {
    const bytes = new ArrivingBytes(storeOf(WHOLE), 'key', 1_000);
    push(bytes, 0, WHOLE.length);
    bytes.stored(WHOLE.length);
    bytes.end();
    assert.ok((await all(bytes)).equals(WHOLE));
    assert.equal(bytes.isWhole, true);
  });

  it('are lost where they do not fit, and the store cannot read them yet', async () => {
    const bytes = new ArrivingBytes({}, 'key', 1_000);
    push(bytes, 0, WHOLE.length);
    await assert.rejects(all(bytes), LostBytesError);
  });

  it('begin with the first one where earlier ones came to another process', async () => {
    const bytes = new ArrivingBytes(storeOf(WHOLE), 'key', 1_000);
    push(bytes, 10 * MIB, WHOLE.length);
    bytes.stored(WHOLE.length);
    bytes.end();
    assert.ok((await all(bytes)).equals(WHOLE));
  });

  it('are taken once where some are sent again', async () => {
    const bytes = new ArrivingBytes({}, 'key', 1_000);
    push(bytes, 0, 2 * MIB);
    push(bytes, MIB, 3 * MIB);
    bytes.push(WHOLE.subarray(2.5 * MIB, 4 * MIB), 2.5 * MIB);
    bytes.end();
    assert.ok((await all(bytes)).equals(WHOLE.subarray(0, 4 * MIB)));
  });

  it('end without being whole after a pause, where they are stopped, and where they were removed', async () => {
    const paused = new ArrivingBytes({}, 'key', 1);
    push(paused, 0, MIB);
    assert.equal((await all(paused)).length, MIB);
    assert.equal(paused.isWhole, false);
    const stopped = new ArrivingBytes({}, 'key', 60_000);
    push(stopped, 0, MIB);
    const taken = all(stopped);
    stopped.stop();
    await taken;
    assert.equal(stopped.isWhole, false);
    const removed = new ArrivingBytes(storeOf(Buffer.alloc(0)), 'key', 60_000);
    removed.stored(MIB);
    removed.end();
    assert.equal((await all(removed)).length, 0);
    assert.equal(removed.isWhole, false);
  });
});
