import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { type ByteComparison, comparisonWith } from './checksums.ts';
import type { ObjectStore } from './object-store.ts';
import { ChecksumMismatchError, type ReceivingStore } from './receiving-store.ts';

interface Opened {
  readonly store: ObjectStore;
  /** A new adapter on the same bytes, as after a restart. */
  reopen(): ReceivingStore;
}

type Open = () => Promise<Opened>;

/** What every ReceivingStore does. Sizes cross the part size of the S3 adapter. */
export function receivingStoreContract(name: string, open: Open): void {
  describe(`${name} as a receiving store`, () => {
    receivesPieces(open);
    completesObjects(open);
    comparesBodies(open);
    discardsUploads(open);
  });
}

/** Bytes arrive in pieces, which may be interrupted. */
function receivesPieces(open: Open): void {
  it('has no bytes for a new key', async () => {
    const { reopen } = await open();
    assert.equal(await reopen().receivedBytes('receive/none'), 0);
    await reopen().discard('receive/none');
  });

  it('appends chunks across restarts and creates the object', async () => {
    const { store, reopen } = await open();
    const bytes = randomBytes(9_500_000);
    const key = 'receive/pieces';
    let offset = 0;
    for (const end of [1, 300_000, 300_001, 8_400_000, bytes.length]) {
      offset = await reopen().append(key, Readable.from([bytes.subarray(offset, end)]), {
        offset,
        sizeBytes: bytes.length,
      });
      assert.equal(offset, end);
      assert.equal(await reopen().receivedBytes(key), end);
      assert.equal(await store.head(key), null);
    }
    await reopen().complete(key, bytes.length);
    const found = await store.read(key);
    assert.ok(found && bytes.equals(await buffer(found.stream)));
    assert.equal(await reopen().receivedBytes(key), bytes.length);
    assert.deepEqual(await keys(store, 'receive/pieces'), ['receive/pieces']);
  });

  it('keeps the received bytes of an interrupted body', async () => {
    const { reopen } = await open();
    const body = Readable.from(broken(Buffer.from('kept')));
    assert.equal(await reopen().append('receive/broken', body, { offset: 0, sizeBytes: 10 }), 4);
    assert.equal(await reopen().receivedBytes('receive/broken'), 4);
  });

  it('passes on the bytes of a body that is not compared, once those before them are stored', async () => {
    const { reopen } = await open();
    const passed: [bytes: string, offset: number][] = [];
    const onBytes = (bytes: Buffer, offset: number) => passed.push([bytes.toString(), offset]);
    const append = (texts: string[], offset: number, comparison?: ByteComparison) => {
      const body = Readable.from(texts.map((text) => Buffer.from(text)));
      const options = { offset, sizeBytes: 9, onBytes, ...(comparison ? { comparison } : {}) };
      return reopen().append('receive/passed', body, options);
    };
    await append(['ab', 'cd'], 0);
    await append(['ef'], 4, comparisonWith({ crc32: crc32('ef') }));
    await append(['ghij'], 6);
    assert.deepEqual(passed, [
      ['ab', 0],
      ['cd', 2],
      ['ghi', 6],
    ]);
  });

  it('reads what has arrived, where it can', async () => {
    const { reopen } = await open();
    const store = reopen();
    if (!store.read) return;
    assert.equal((await store.read('receive/read', 0, 10)).length, 0);
    await store.append('receive/read', Readable.from([Buffer.from('0123456789')]), { offset: 0, sizeBytes: 12 });
    assert.equal((await store.read('receive/read', 3, 4)).toString(), '3456');
    await store.append('receive/read', Readable.from([Buffer.from('ab')]), { offset: 10, sizeBytes: 12 });
    await store.complete('receive/read', 12);
    assert.equal((await store.read('receive/read', 8, 100)).toString(), '89ab');
    assert.equal((await store.read('receive/read', 12, 100)).length, 0);
  });

  it('accepts no more than the missing bytes', async () => {
    const { store, reopen } = await open();
    const offset = await reopen().append('receive/more', Readable.from([Buffer.from('12345'), Buffer.from('678')]), {
      offset: 0,
      sizeBytes: 6,
    });
    assert.equal(offset, 6);
    await reopen().complete('receive/more', 6);
    assert.equal((await store.head('receive/more'))?.sizeBytes, 6);
  });
}

/** The object is created once, when all bytes are there. */
function completesObjects(open: Open): void {
  it('creates the object of a size that was a bound while its bytes arrived', async () => {
    const { store, reopen } = await open();
    const bytes = randomBytes(9_000_000);
    const [whole, bound] = ['receive/deferred', 1_000_000_000];
    let offset = 0;
    for (const end of [300_000, 8_500_000, bytes.length]) {
      const part = Readable.from([bytes.subarray(offset, end)]);
      offset = await reopen().append(whole, part, { offset, sizeBytes: bound });
      assert.equal(offset, end);
    }
    await assert.rejects(reopen().complete(whole, bound), /Received 9000000 of 1000000000 bytes/);
    await reopen().complete(whole, bytes.length);
    await reopen().complete(whole, bytes.length);
    const found = await store.read(whole);
    assert.ok(found && bytes.equals(await buffer(found.stream)));
    assert.deepEqual(await keys(store, whole), [whole]);

    await reopen().append('receive/known', Readable.from([Buffer.from('ab')]), { offset: 0, sizeBytes: bound });
    await reopen().append('receive/known', Readable.from([Buffer.from('cd')]), { offset: 2, sizeBytes: 4 });
    await reopen().complete('receive/known', 4);
    assert.equal((await store.head('receive/known'))?.sizeBytes, 4);
  });

  it('starts over at offset 0', async () => {
    const { store, reopen } = await open();
    await reopen().append('receive/restarted', Readable.from([Buffer.from('abcdefgh')]), {
      offset: 0,
      sizeBytes: 10,
    });
    await reopen().append('receive/restarted', Readable.from([Buffer.from('xyz')]), { offset: 0, sizeBytes: 3 });
    await reopen().complete('receive/restarted', 3);
    const found = await store.read('receive/restarted');
    assert.equal(found && (await buffer(found.stream)).toString(), 'xyz');
  });

  it('refuses to complete an incomplete upload, and is idempotent', async () => {
    const { store, reopen } = await open();
    await reopen().append('receive/twice', Readable.from([Buffer.from('ab')]), { offset: 0, sizeBytes: 3 });
    await assert.rejects(reopen().complete('receive/twice', 3), /Received 2 of 3 bytes/);
    await reopen().append('receive/twice', Readable.from([Buffer.from('c')]), { offset: 2, sizeBytes: 3 });
    await reopen().complete('receive/twice', 3);
    await reopen().complete('receive/twice', 3);
    assert.equal((await store.head('receive/twice'))?.sizeBytes, 3);
  });
}

/** Bodies are compared with what their sender says. */
function comparesBodies(open: Open): void {
  it('keeps a body that is as its sender says', async () => {
    const { store, reopen } = await open();
    const bytes = randomBytes(17_000_000);
    const key = 'receive/compared';
    const append = (offset: number, end: number) => {
      const body = bytes.subarray(offset, end);
      const comparison = comparisonWith({ crc32: crc32(body) });
      return reopen().append(key, Readable.from([body]), { offset, sizeBytes: bytes.length, comparison });
    };
    assert.equal(await append(0, 300_000), 300_000);
    assert.equal(await append(300_000, 16_900_000), 16_900_000);
    assert.equal(await append(16_900_000, bytes.length), bytes.length);
    await reopen().complete(key, bytes.length);
    const found = await store.read(key);
    assert.ok(found && bytes.equals(await buffer(found.stream)));
    assert.deepEqual(await keys(store, key), [key]);
  });

  it('keeps nothing of a body that is not as its sender says, or is interrupted', async () => {
    const { store, reopen } = await open();
    const bytes = randomBytes(9_500_000);
    const key = 'receive/other';
    const comparison = () => comparisonWith({ crc32: 1 });
    const refused = (offset: number, body: Readable) =>
      assert.rejects(
        reopen().append(key, body, { offset, sizeBytes: bytes.length, comparison: comparison() }),
        ChecksumMismatchError,
      );
    await refused(0, Readable.from([bytes.subarray(0, 1_000)]));
    assert.equal(await reopen().receivedBytes(key), 0);
    await reopen().append(key, Readable.from([bytes.subarray(0, 500_000)]), { offset: 0, sizeBytes: bytes.length });
    await refused(500_000, Readable.from([randomBytes(8_900_000)]));
    await refused(500_000, Readable.from(broken(randomBytes(10))));
    assert.equal(await reopen().receivedBytes(key), 500_000);
    const rest = Readable.from([bytes.subarray(500_000)]);
    await reopen().append(key, rest, { offset: 500_000, sizeBytes: bytes.length });
    await reopen().complete(key, bytes.length);
    const found = await store.read(key);
    assert.ok(found && bytes.equals(await buffer(found.stream)));
  });

  it('counts no bytes of a body before it was compared, as after a crash', async () => {
    const { reopen } = await open();
    const key = 'receive/comparing';
    await reopen().append(key, Readable.from([Buffer.from('ab')]), { offset: 0, sizeBytes: 20_000_000 });
    const body = new PassThrough();
    const comparison = comparisonWith({ crc32: 1 });
    const appended = reopen().append(key, body, { offset: 2, sizeBytes: 20_000_000, comparison });
    const ended = assert.rejects(appended, ChecksumMismatchError);
    for (let chunk = 0; chunk < 12; chunk += 1) if (!body.write(randomBytes(1_000_000))) await once(body, 'drain');
    assert.equal(await reopen().receivedBytes(key), 2);
    body.end();
    await ended;
  });
}

/** Uploads are given up. */
function discardsUploads(open: Open): void {
  it('deletes discarded uploads', async () => {
    const { store, reopen } = await open();
    await reopen().append('receive/gone', Readable.from([Buffer.from('ab')]), { offset: 0, sizeBytes: 3 });
    await reopen().discard('receive/gone');
    assert.equal(await reopen().receivedBytes('receive/gone'), 0);
    assert.deepEqual(await keys(store, 'receive/gone'), []);
  });
}

/** A body of which no more than this arrives. */
async function* broken(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
  throw new Error('The connection was lost.');
}

async function keys(store: ObjectStore, start: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list('receive/')) if (key.startsWith(start)) found.push(key);
  return found;
}
