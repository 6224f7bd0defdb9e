import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import type { ObjectStore } from './object-store.ts';
import type { ReceivingStore } from './receiving-store.ts';

interface Opened {
  readonly store: ObjectStore;
  /** A new adapter on the same bytes, as after a restart. */
  reopen(): ReceivingStore;
}

/** What every ReceivingStore does. Sizes cross the part size of the S3 adapter. */
export function receivingStoreContract(name: string, open: () => Promise<Opened>): void {
  describe(`${name} as a receiving store`, () => {
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
      const broken = Readable.from(
        (async function* () {
          yield Buffer.from('kept');
          throw new Error('The connection was lost.');
        })(),
      );
      assert.equal(await reopen().append('receive/broken', broken, { offset: 0, sizeBytes: 10 }), 4);
      assert.equal(await reopen().receivedBytes('receive/broken'), 4);
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

    it('deletes discarded uploads', async () => {
      const { store, reopen } = await open();
      await reopen().append('receive/gone', Readable.from([Buffer.from('ab')]), { offset: 0, sizeBytes: 3 });
      await reopen().discard('receive/gone');
      assert.equal(await reopen().receivedBytes('receive/gone'), 0);
      assert.deepEqual(await keys(store, 'receive/gone'), []);
    });
  });
}

async function keys(store: ObjectStore, start: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list('receive/')) if (key.startsWith(start)) found.push(key);
  return found;
}
