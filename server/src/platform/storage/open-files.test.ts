import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { until } from '../../testing/until.ts';
import { OpenFiles } from './open-files.ts';
import { sendFile } from './send-file.ts';

const LARGE = 100_000;

describe('open files', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'reelgraph-open-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  function openFiles(keptMs = 60_000): OpenFiles {
    return new OpenFiles({
      keptMs,
      describe: async (path, { size }) => ({ sizeBytes: size, contentType: path, etag: '"x"', modifiedAtMs: 0 }),
    });
  }
  async function makeFile(name: string, size: number): Promise<string> {
    const path = join(root, name);
    await writeFile(path, Buffer.alloc(size, name));
    return path;
  }
  /** Descriptors of this process for the file, also after its deletion. */
  function descriptorsOf(path: string): number {
    const targets = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return ''; // that of readdir
      }
    });
    return targets.filter((target) => target.startsWith(path)).length;
  }

  it('are opened once for requests at the same time and after', async () => {
    const files = openFiles();
    const path = await makeFile('shared', LARGE);
    const [first, second] = await Promise.all([files.acquire(path), files.acquire(path)]);
    const third = await files.acquire(path);
    assert.ok(first && first === second && first === third);
    assert.deepEqual([first.info.sizeBytes, first.bytes, descriptorsOf(path)], [LARGE, null, 1]);
  });

  it('that are small are kept as bytes, without a descriptor', async () => {
    const files = openFiles();
    const path = await makeFile('small', 5);
    const file = await files.acquire(path);
    assert.equal(file?.bytes?.toString(), 'small');
    assert.deepEqual([descriptorsOf(path), files.kept], [0, { files: 1, weight: 5 + 1024 }]);
  });

  it('that do not exist are not kept, nor are folders', async () => {
    const files = openFiles();
    assert.deepEqual([await files.acquire(join(root, 'none')), await files.acquire(root)], [null, null]);
    assert.deepEqual([files.kept, descriptorsOf(root)], [{ files: 0, weight: 0 }, descriptorsOf(`${root}/`)]);
    const path = await makeFile('none', 5);
    assert.ok(await files.acquire(path));
  });

  it('stay open for their users when they are forgotten, and are opened again for others', async () => {
    const files = openFiles();
    const path = await makeFile('replaced', LARGE);
    const old = await files.acquire(path);
    await rename(await makeFile('newer', LARGE + 1), path);
    files.forget(path);
    const young = await files.acquire(path);
    assert.deepEqual([old?.info.sizeBytes, young?.info.sizeBytes, descriptorsOf(path)], [LARGE, LARGE + 1, 2]);
    old?.release();
    await until(() => descriptorsOf(path) === 1);
    files.forgetBelow(`${root}/rep`);
    young?.release();
    await until(() => descriptorsOf(path) === 0);
  });

  it('that are forgotten while they are being opened are not kept', async () => {
    const files = openFiles();
    const path = await makeFile('opening', LARGE);
    const arriving = files.acquire(path);
    files.forget(path);
    (await arriving)?.release();
    assert.equal(files.kept.files, 0);
    await until(() => descriptorsOf(path) === 0);
  });

  it('that another process deleted are gone when their time is over', async () => {
    const files = openFiles(20);
    const path = await makeFile('deleted', LARGE);
    (await files.acquire(path))?.release();
    await rm(path);
    await until(async () => {
      const file = await files.acquire(path);
      file?.release();
      return file === null;
    });
    await until(() => descriptorsOf(path) === 0);
  });

  it('are at most 256 with a descriptor, and 16 MiB of small ones', async () => {
    const files = openFiles();
    const names = (kind: string) => Array.from({ length: 300 }, (_, at) => `${kind}-${at}`);
    for (const name of names('many')) (await files.acquire(await makeFile(name, 65_537)))?.release();
    assert.deepEqual(files.kept, { files: 256, weight: 16 * 1024 ** 2 });
    await until(() => descriptorsOf(join(root, 'many')) === 256);
    for (const name of names('few')) (await files.acquire(await makeFile(name, 65_536)))?.release();
    assert.deepEqual(files.kept, { files: 252, weight: 252 * (65_536 + 1024) });
    await until(() => descriptorsOf(join(root, 'many')) === 0);
  });

  it('are released by a transfer whose receiver leaves, also while it waits', async () => {
    const files = openFiles();
    const path = await makeFile('aborted', 600_000);
    const file = (await files.acquire(path)) ?? assert.fail('it exists');
    let received = 0;
    const stuck = new Writable({
      write(chunk: Buffer) {
        received += chunk.length;
      },
    });
    const sending = sendFile(file.descriptor, { start: 0, end: 599_999 }, stuck);
    await until(() => received > 0);
    stuck.destroy();
    await sending;
    assert.equal(received, 262_144);
  });

  it('that are shorter than promised end the transfer by destroying the receiver', async () => {
    const files = openFiles();
    const file = (await files.acquire(await makeFile('short', LARGE))) ?? assert.fail('it exists');
    const out = new Writable({ write: (_chunk, _encoding, done) => done() });
    await sendFile(file.descriptor, { start: 0, end: LARGE + 9 }, out);
    assert.deepEqual([out.destroyed, out.writableFinished], [true, false]);
  });
});
