import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../kernel/errors.ts';
import { DiskReceivingStore } from './disk-receiving.ts';
import { clearTemporaryFiles, DiskStore } from './disk-store.ts';
import { objectStoreContract } from './object-store.contract.ts';
import { receivingStoreContract } from './receiving-store.contract.ts';

let root: string;
before(async () => {
  root = await mkdtemp(join(tmpdir(), 'reelgraph-disk-'));
});
after(() => rm(root, { recursive: true, force: true }));

objectStoreContract('The disk', async () => new DiskStore(root));
receivingStoreContract('The disk', async () => ({
  store: new DiskStore(root),
  reopen: () => new DiskReceivingStore(root),
}));

it('reports a full disk as SERVICE_UNAVAILABLE, with nothing left behind and the old object in place', async () => {
  const store = new DiskStore(root);
  await store.put('full/a.mp4', Buffer.from('old'), { contentType: 'video/mp4' });
  const full = () =>
    Readable.from(
      (async function* () {
        yield Buffer.alloc(1000);
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      })(),
    );
  await assert.rejects(
    store.put('full/a.mp4', full(), { contentType: 'video/mp4' }),
    (error) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE' && /full/.test(error.message),
  );
  assert.equal((await store.head('full/a.mp4'))?.sizeBytes, 3);
  assert.deepEqual(await readdir(join(root, ',tmp')), []);
});

it('keeps an open reader valid while the object is replaced', async () => {
  const store = new DiskStore(root);
  await store.put('open/a.mp4', Buffer.from('old bytes'), { contentType: 'video/mp4' });
  const found = await store.read('open/a.mp4');
  await store.put('open/a.mp4', Buffer.from('new'), { contentType: 'video/mp4' });
  assert.equal(found && (await buffer(found.stream)).toString(), 'old bytes');
});

it('writes no type file for an object whose name implies its type', async () => {
  const store = new DiskStore(root);
  await store.put('plain/seg.m4s', Buffer.from('x'), { contentType: 'video/iso.segment' });
  await store.put('plain/odd.mp4', Buffer.from('x'), { contentType: 'text/odd' });
  const names = async () => (await readdir(join(root, 'plain'))).sort();
  assert.deepEqual(await names(), ['odd.mp4', 'odd.mp4,crc', 'odd.mp4,type', 'seg.m4s', 'seg.m4s,crc']);
  await store.delete('plain/odd.mp4');
  assert.deepEqual(await names(), ['seg.m4s', 'seg.m4s,crc']);
});

it('has the checksum of a stream, and none where what is stored beside the object is torn or of another one', async () => {
  const store = new DiskStore(root);
  await store.put('sums/b.bin', Readable.from([Buffer.from('12345'), Buffer.from('6789')]), {
    contentType: 'text/odd',
  });
  assert.deepEqual(await store.checksum('sums/b.bin'), { crc32: 0xcbf43926 });
  for (const torn of ['', 'cbf439', 'cbf43926 8\n', 'cbf43926 9']) {
    await writeFile(join(root, 'sums/b.bin,crc'), torn);
    assert.equal(await store.checksum('sums/b.bin'), null, torn);
  }
});

it('computes the checksum of an upload while it arrives, also of bytes whose request a crash ended', async () => {
  const [receiving, store] = [new DiskReceivingStore(root), new DiskStore(root)];
  const append = (text: string, offset: number) =>
    new DiskReceivingStore(root).append('sums/c', Readable.from([Buffer.from(text)]), { offset, sizeBytes: 9 });
  await append('12', 0);
  await append('345', 2);
  // What a process wrote that was killed before it could note the checksum.
  await appendFile(join(root, ',receiving/sums/c'), '67');
  assert.equal(await receiving.receivedBytes('sums/c'), 7);
  await append('89', 7);
  await receiving.complete('sums/c', 9);
  assert.deepEqual(await store.checksum('sums/c'), { crc32: 0xcbf43926 });
  // Begun again from its start: nothing of the earlier bytes counts.
  await append('xxxx', 0);
  await append('123456789', 0);
  await receiving.complete('sums/c', 9);
  assert.deepEqual(await store.checksum('sums/c'), { crc32: 0xcbf43926 });
  assert.deepEqual(await readdir(join(root, ',receiving/sums')), []);
});

it('drops what a crash left of a body with a checksum, whatever is appended next', async () => {
  const path = join(root, ',receiving/crashed/a');
  const receiving = new DiskReceivingStore(root);
  await receiving.append('crashed/a', Readable.from([Buffer.from('ab')]), { offset: 0, sizeBytes: 4 });
  await appendFile(path, 'xxxx');
  await writeFile(`${path},verified`, '2\n');
  assert.equal(await receiving.receivedBytes('crashed/a'), 2);
  assert.equal(await receiving.append('crashed/a', Readable.from([Buffer.from('c')]), { offset: 2, sizeBytes: 4 }), 3);
  assert.equal(await receiving.receivedBytes('crashed/a'), 3);
  await receiving.append('crashed/a', Readable.from([Buffer.from('d')]), { offset: 3, sizeBytes: 4 });
  await receiving.complete('crashed/a', 4);
  const stored = await new DiskStore(root).read('crashed/a');
  assert.equal(stored && (await buffer(stored.stream)).toString(), 'abcd');
  assert.deepEqual(await readdir(join(root, ',receiving/crashed')), []);
});

it('stores segments as nothing else', async () => {
  const store = new DiskStore(root);
  const put = store.put('fixed/seg.m4s', Buffer.from('x'), { contentType: 'text/odd' });
  await assert.rejects(put, /cannot be stored as text\/odd/);
  assert.equal(await store.head('fixed/seg.m4s'), null);
  assert.deepEqual(await readdir(join(root, ',tmp')), []);
});

it('removes the folder with the last object in it', async () => {
  const store = new DiskStore(root);
  await store.put('deep/a/b/c.mp4', Buffer.from('x'), { contentType: 'video/mp4' });
  await store.delete('deep/a/b/c.mp4');
  assert.equal((await readdir(root)).includes('deep'), false);
});

it('sweeps files of killed writers that are a day old, and only those', async () => {
  await mkdir(join(root, ',tmp'), { recursive: true });
  await writeFile(join(root, ',tmp', 'old'), 'x');
  await writeFile(join(root, ',tmp', 'young'), 'x');
  const longAgo = new Date(Date.now() - 2 * 86_400_000);
  await utimes(join(root, ',tmp', 'old'), longAgo, longAgo);
  await clearTemporaryFiles(root);
  assert.deepEqual(await readdir(join(root, ',tmp')), ['young']);
  await rm(join(root, ',tmp', 'young'));
});

describe('permissions', () => {
  let umask: number;
  beforeEach(() => {
    umask = process.umask(0);
  });
  afterEach(() => {
    process.umask(umask);
  });
  const modeOf = async (path: string): Promise<string> => ((await stat(join(root, path))).mode & 0o777).toString(8);

  it('allow only the owner to access objects, folders and types, with any umask', async () => {
    const store = new DiskStore(root);
    const source = join(root, 'other-source');
    await writeFile(source, 'x', { mode: 0o666 });
    await store.put('modes/put/a.mp4', Buffer.from('x'), { contentType: 'text/odd' });
    await store.putFile('modes/file/b.mp4', source, { contentType: 'video/mp4' });
    const files = ['modes/put/a.mp4', 'modes/put/a.mp4,type', 'modes/file/b.mp4'];
    assert.deepEqual(await Promise.all(files.map(modeOf)), ['600', '600', '600']);
    assert.deepEqual(await Promise.all(['modes', 'modes/put', 'modes/file', ',tmp'].map(modeOf)), [
      '700',
      '700',
      '700',
      '700',
    ]);
  });

  it('allow only the owner to access uploads in progress', async () => {
    const receiving = new DiskReceivingStore(root);
    await receiving.append('modes/upload/c.mp4', Readable.from([Buffer.from('xy')]), { offset: 0, sizeBytes: 2 });
    assert.equal(await modeOf(',receiving/modes/upload/c.mp4'), '600');
    assert.equal(await modeOf(',receiving/modes/upload'), '700');
    await receiving.complete('modes/upload/c.mp4', 2);
    assert.equal(await modeOf('modes/upload/c.mp4'), '600');
  });
});

it('keeps every byte of a file that is flushed while it is written', THOROUGH, async () => {
  const store = new DiskStore(root);
  const chunks = Array.from({ length: 35 }, (_, index) => Buffer.alloc(2_000_001, index + 1));
  const { sizeBytes } = await store.put('large/a.bin', Readable.from(chunks), { contentType: 'video/mp4' });
  assert.equal(sizeBytes, 70_000_035);
  const found = (await store.read('large/a.bin')) ?? assert.fail('nothing was stored');
  assert.ok(Buffer.concat(chunks).equals(await buffer(found.stream)));
  await store.delete('large/a.bin');
});
