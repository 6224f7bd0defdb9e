import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { AppError } from '../../kernel/errors.ts';
import type { ByteRange, ObjectInfo, ObjectStore } from './object-store.ts';

type Open = () => Promise<ObjectStore>;

const type = { contentType: 'video/mp4' };

/**
 * What every ObjectStore does. Each adapter's test calls this with a way to open it; all tests share the store, each
 * its own keys.
 */
export function objectStoreContract(name: string, open: Open): void {
  describe(`${name} as an object store`, () => {
    keepsObjects(open);
    sendsObjects(open);
    replacesObjects(open);
    handlesFiles(open);
    deletesObjects(open);
    listsObjects(open);
    refusesKeys(open);
  });
}

/** What is put can be read, as a whole or in part. */
function keepsObjects(open: Open): void {
  it('returns the bytes, the size and the content type of an object', async () => {
    const store = await open();
    const bytes = randomBytes(100_000);
    const put = await store.put('round/trip.bin', bytes, { contentType: 'text/x-odd; charset=utf-8' });
    const found = await store.read('round/trip.bin');
    assert.ok(found);
    assert.deepEqual(await buffer(found.stream), bytes);
    assert.deepEqual(found.info, put);
    assert.deepEqual(await store.head('round/trip.bin'), put);
    assert.equal(put.sizeBytes, 100_000);
    assert.equal(put.contentType, 'text/x-odd; charset=utf-8');
    assert.match(put.etag, /^"[^"]+"$/);
    assert.ok(Math.abs(put.modifiedAtMs - Date.now()) < 60_000);
  });

  it('accepts streams of unknown length', async () => {
    const store = await open();
    const parts = [randomBytes(70_000), randomBytes(5), randomBytes(70_000)];
    const info = await store.put('streams/a.mp4', Readable.from(parts), type);
    assert.equal(info.sizeBytes, 140_005);
    const found = await store.read('streams/a.mp4');
    assert.deepEqual(found && (await buffer(found.stream)), Buffer.concat(parts));
  });

  it('has the checksum of what was put, also after it is replaced', async () => {
    const store = await open();
    // The check value of CRC-32: that of these nine digits.
    await store.put('sums/a.bin', Buffer.from('123456789'), type);
    assert.deepEqual(await store.checksum('sums/a.bin'), { crc32: 0xcbf43926 });
    const file = join(await mkdtemp(join(tmpdir(), 'reelgraph-sums-')), 'file');
    await writeFile(file, 'a');
    await store.putFile('sums/a.bin', file, type);
    assert.deepEqual(await store.checksum('sums/a.bin'), { crc32: 0xe8b7be43 });
    await rm(dirname(file), { recursive: true });
    await store.delete('sums/a.bin');
    assert.equal(await store.checksum('sums/a.bin'), null);
  });

  it('keeps empty objects', async () => {
    const store = await open();
    await store.put('empty/a.vtt', Buffer.alloc(0), { contentType: 'text/vtt' });
    assert.equal((await store.head('empty/a.vtt'))?.sizeBytes, 0);
  });

  it('reads a range and returns the total size', async () => {
    const store = await open();
    await store.put('ranges/a.mp4', Buffer.from('0123456789'), type);
    const found = await store.read('ranges/a.mp4', { start: 3, end: 5 });
    assert.ok(found);
    assert.equal((await buffer(found.stream)).toString(), '345');
    assert.equal(found.info.sizeBytes, 10);
  });
}

/** Objects are the responses to requests. */
function sendsObjects(open: Open): void {
  it('sends an object, a part of it, or nothing', async () => {
    const store = await open();
    const bytes = randomBytes(600_003);
    const put = await store.put('send/a.mp4', bytes, type);
    assert.deepEqual(await sent(store, 'send/a.mp4', 'whole', false), { found: true, info: put, bytes });
    const part = { start: 5, end: 300_000 };
    const expected = bytes.subarray(5, 300_001);
    assert.deepEqual(await sent(store, 'send/a.mp4', part), { found: true, info: put, bytes: expected });
    const none = { found: true, info: put, bytes: null };
    assert.deepEqual(await sent(store, 'send/a.mp4', 'nothing'), none);
    await store.put('send/small.mp4', bytes.subarray(0, 10), type);
    assert.deepEqual((await sent(store, 'send/small.mp4', { start: 3, end: 5 })).bytes, bytes.subarray(3, 6));
    await store.put('send/empty.mp4', Buffer.alloc(0), type);
    assert.deepEqual((await sent(store, 'send/empty.mp4', 'whole')).bytes, Buffer.alloc(0));
  });

  it('sends what was last put, and nothing after a deletion', async () => {
    const store = await open();
    const missing = { found: false, info: null, bytes: null };
    assert.deepEqual(await sent(store, 'resend/1/a.mp4', 'whole'), missing);
    for (const text of ['first', 'second']) {
      await store.put('resend/1/a.mp4', Buffer.from(text), type);
      assert.equal((await sent(store, 'resend/1/a.mp4', 'whole', false)).bytes?.toString(), text);
    }
    await store.delete('resend/1/a.mp4');
    assert.deepEqual(await sent(store, 'resend/1/a.mp4', 'whole', false), missing);
    await store.put('resend/2/a.mp4', Buffer.from('x'), type);
    assert.equal((await sent(store, 'resend/2/a.mp4', 'whole')).found, true);
    await store.deletePrefix('resend/2/');
    assert.deepEqual(await sent(store, 'resend/2/a.mp4', 'whole'), missing);
  });

  it('rejects with what `begin` throws, before the first byte', async () => {
    const store = await open();
    await store.put('begin/a.mp4', Buffer.from('x'), type);
    for (const conditional of [true, false]) {
      const begin = () => {
        throw new Error('outside');
      };
      const { touched } = await respond((out) =>
        assert.rejects(store.send('begin/a.mp4', out, { conditional, begin }), /outside/),
      );
      assert.equal(touched, false);
    }
  });
}

/** A put replaces the object, or changes nothing. */
function replacesObjects(open: Open): void {
  it('replaces an object and its type, and changes the etag', async () => {
    const store = await open();
    const first = await store.put('replace/a.mp4', Buffer.from('first'), { contentType: 'application/x-first' });
    const second = await store.put('replace/a.mp4', Buffer.from('second'), type);
    assert.notEqual(first.etag, second.etag);
    assert.equal((await store.head('replace/a.mp4'))?.contentType, 'video/mp4');
  });

  it('keeps the old object when a put fails midway, and nothing of the new one', async () => {
    const store = await open();
    await store.put('atomic/a.mp4', Buffer.from('old'), type);
    const failing = () =>
      Readable.from(
        (async function* () {
          yield randomBytes(50_000);
          throw new Error('The source failed.');
        })(),
      );
    await assert.rejects(store.put('atomic/a.mp4', failing(), type), /The source failed/);
    await assert.rejects(store.put('atomic/b.mp4', failing(), type), /The source failed/);
    const found = await store.read('atomic/a.mp4');
    assert.equal(found && (await buffer(found.stream)).toString(), 'old');
    assert.deepEqual(await keys(store, 'atomic/'), ['atomic/a.mp4']);
  });
}

/** Objects come from local files, and are lent as such. */
function handlesFiles(open: Open): void {
  it('stores local files', async () => {
    const store = await open();
    const folder = await mkdtemp(join(tmpdir(), 'reelgraph-store-'));
    try {
      const path = join(folder, 'clip.mp4');
      await writeFile(path, 'a clip');
      await store.putFile('files/clip.mp4', path, type);
      const found = await store.read('files/clip.mp4');
      assert.equal(found && (await buffer(found.stream)).toString(), 'a clip');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('provides objects as local files', async () => {
    const store = await open();
    await store.put('lend/a.mp4', Buffer.from('to be read'), type);
    assert.equal(await store.withLocalFile('lend/a.mp4', (path) => readFile(path, 'utf8')), 'to be read');
    await assert.rejects(
      store.withLocalFile('lend/none.mp4', async () => assert.fail('must not be called')),
      (error) => error instanceof AppError && error.code === 'RESOURCE_NOT_FOUND',
    );
    assert.ok(await store.head('lend/a.mp4'));
  });
}

/** Missing objects, and deletions. */
function deletesObjects(open: Open): void {
  it('returns null for missing objects, and deletes them without an error', async () => {
    const store = await open();
    assert.equal(await store.head('none/a.mp4'), null);
    assert.equal(await store.read('none/a.mp4'), null);
    await store.delete('none/a.mp4');
    await store.deletePrefix('none/');
    await store.put('some/dir/a.mp4', Buffer.from('x'), type);
    assert.equal(await store.head('some/dir'), null);
    assert.equal(await store.read('some/dir'), null);
    await store.delete('some/dir');
    assert.ok(await store.head('some/dir/a.mp4'));
  });

  it('deletes one object, or all under a prefix and no others', async () => {
    const store = await open();
    for (const key of ['del/1/a.mp4', 'del/1/b/c.mp4', 'del/10/a.mp4', 'del/1.mp4'])
      await store.put(key, Buffer.from(key), type);
    await store.deletePrefix('del/1/');
    assert.deepEqual(await keys(store, 'del/'), ['del/1.mp4', 'del/10/a.mp4']);
    await store.delete('del/1.mp4');
    assert.deepEqual(await keys(store, 'del/'), ['del/10/a.mp4']);
  });
}

/** Objects by the beginning of their keys. */
function listsObjects(open: Open): void {
  it('lists keys with sizes and times', async () => {
    const store = await open();
    await store.put('list/b.x', Buffer.from('12'), { contentType: 'application/odd' });
    await store.put('list/a/c.mp4', Buffer.from('1'), type);
    const found = [];
    for await (const { modifiedAtMs, ...entry } of store.list('list/')) {
      assert.ok(Math.abs(modifiedAtMs - Date.now()) < 60_000);
      found.push(entry);
    }
    assert.deepEqual(
      found.sort((a, b) => (a.key < b.key ? -1 : 1)),
      [
        { key: 'list/a/c.mp4', sizeBytes: 1 },
        { key: 'list/b.x', sizeBytes: 2 },
      ],
    );
  });

  it('lists and deletes more keys than a page holds, those of a folder together', async () => {
    const store = await open();
    const written = ['a', 'b', 'c'].flatMap((folder) =>
      Array.from({ length: 20 }, (_, index) => `pages/${folder}/${index}.ts`),
    );
    for (const key of written) await store.put(key, Buffer.from('x'), { contentType: 'video/mp2t' });
    const listed: string[] = [];
    for await (const { key } of store.list('pages/')) listed.push(key);
    const folders = listed.map((key) => key.split('/')[1]);
    assert.equal(folders.filter((folder, index) => folder !== folders[index - 1]).length, 3);
    assert.deepEqual(listed.sort(), written.sort());
    for await (const { key } of store.list('pages/')) {
      assert.ok(listed.includes(key));
      break;
    }
    await store.deletePrefix('pages/');
    assert.deepEqual(await keys(store, 'pages/'), []);
  });
}

/** What is no key. */
function refusesKeys(open: Open): void {
  for (const key of [
    '',
    '/etc/passwd',
    '../up',
    'a/../../b',
    'a/./b',
    'a//b',
    'a/',
    'a b',
    'a\\b',
    'a\0b',
    'ü',
    'a,b',
    'x'.repeat(600),
  ]) {
    it(`refuses the key ${JSON.stringify(key.slice(0, 20))}`, async () => {
      const store = await open();
      await assert.rejects(store.put(key, Buffer.from('x'), type), /Not an object key/);
      await assert.rejects(async () => store.head(key), /Not an object key/);
      await assert.rejects(async () => store.read(key), /Not an object key/);
      await assert.rejects(async () => store.delete(key), /Not an object key/);
      await assert.rejects(async () => store.deletePrefix(`${key}/`), /Not an object key/);
    });
  }

  it('refuses a prefix that could match other folders', async () => {
    const store = await open();
    await assert.rejects(store.deletePrefix('media/1'), /A prefix ends with/);
  });
}

/** What `send` writes; `bytes` is null when it does not touch the response. */
async function sent(
  store: ObjectStore,
  key: string,
  part: ByteRange | 'whole' | 'nothing',
  conditional = true,
): Promise<{ found: boolean; info: ObjectInfo | null; bytes: Buffer | null }> {
  let info: ObjectInfo | null = null;
  const begin = (object: ObjectInfo) => {
    info = object;
    return part;
  };
  const { result, touched, bytes } = await respond((out) => store.send(key, out, { conditional, begin }));
  return { found: result, info, bytes: touched ? bytes : null };
}

/** Lets `answer` write the response to one request over HTTP. */
async function respond<Result>(
  answer: (out: ServerResponse) => Promise<Result>,
): Promise<{ result: Result; touched: boolean; bytes: Buffer }> {
  let answered = Promise.resolve<{ result: Result; touched: boolean } | null>(null);
  const server = createServer((_request, out) => {
    answered = answer(out).then((result) => {
      const touched = out.headersSent;
      if (!touched) out.end();
      return { result, touched };
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const { port } = server.address() as AddressInfo; // a TCP server has one
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const bytes = Buffer.from(await response.arrayBuffer());
    return { ...((await answered) ?? assert.fail('a request was sent')), bytes };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function keys(store: ObjectStore, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { key } of store.list(prefix)) found.push(key);
  return found.sort();
}
