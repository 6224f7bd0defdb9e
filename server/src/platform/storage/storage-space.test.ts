import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { ConfigError, readConfig } from '../config/config.ts';
import { DiskReceivingStore } from './disk-receiving.ts';
import { DiskStore } from './disk-store.ts';
import { DiskSpace, reservedBytes } from './storage-space.ts';

const GIB = 1024 ** 3;
const MIB = 1024 ** 2;

describe('the reserve of a disk', () => {
  const cases: [setting: string | undefined, totalBytes: number, expected: number][] = [
    [undefined, 20 * GIB, 2 * GIB],
    [undefined, 40 * GIB, 2 * GIB],
    [undefined, 1000 * GIB, 50 * GIB],
    ['10%', 20 * GIB, 2 * GIB],
    ['2.5%', 1000, 25],
    ['0%', 1000, 0],
    ['512MiB', 20 * GIB, 536_870_912],
    ['3GB', 20 * GIB, 3_000_000_000],
    ['1.5 KiB', 20 * GIB, 1536],
    ['4096', 20 * GIB, 4096],
  ];
  for (const [setting, totalBytes, expected] of cases) {
    it(`is ${expected} of ${totalBytes} bytes with ${setting ?? 'no setting'}`, () => {
      assert.equal(reservedBytes(readConfig({ STORAGE_RESERVE: setting }).STORAGE_RESERVE, totalBytes), expected);
    });
  }
  for (const setting of ['5 %', '%', '101%', '-1', '2 gib', 'much', '2GiB!', '1,5GiB'])
    it(`refuses ${setting}`, () => assert.throws(() => readConfig({ STORAGE_RESERVE: setting }), ConfigError));
});

it('the capacity of a bucket is a size', () => {
  assert.equal(readConfig({ STORAGE_CAPACITY: '2TiB' }).STORAGE_CAPACITY, 2_199_023_255_552);
  assert.equal(readConfig({}).STORAGE_CAPACITY, undefined);
  assert.throws(() => readConfig({ STORAGE_CAPACITY: '80%' }), /STORAGE_CAPACITY: a size such as 500GiB/);
});

describe('a disk', () => {
  let root: string;
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'reelgraph-space-'));
  });
  after(() => rm(root, { recursive: true, force: true }));

  it('is measured before its folder exists', async () => {
    const reading = await new DiskSpace(join(root, 'not', 'yet'), { bytes: 7 }).read();
    assert.equal(reading.reserveBytes, 7);
    assert.ok(reading.freeBytes > 0 && reading.freeBytes < reading.totalBytes, JSON.stringify(reading));
  });

  const full = { name: 'StorageFullError', code: 'SERVICE_UNAVAILABLE', httpStatus: 503, retryAfterSeconds: 300 };
  /** A disk that is below its reserve after `left` checks. */
  class FillingDisk extends DiskSpace {
    left: number;
    constructor(left: number) {
      super(root, { bytes: 100 });
      this.left = left;
    }
    override async read() {
      this.left -= 1;
      return { kind: 'disk', totalBytes: 1000, freeBytes: this.left < 0 ? 99 : 100, reserveBytes: 100 } as const;
    }
  }
  const chunks = (count: number) => Readable.from(Array.from({ length: count }, () => Buffer.alloc(MIB)));
  const type = { contentType: 'video/mp4' };

  it('below its reserve refuses objects and chunks, and keeps existing ones', async () => {
    const before = new DiskReceivingStore(root);
    await before.append('a', Readable.from([Buffer.from('12345')]), { offset: 0, sizeBytes: 10 });
    await new DiskStore(root).put('b.mp4', Buffer.from('old'), type);
    const space = new FillingDisk(0);
    const receiving = new DiskReceivingStore(root, space);
    for (const offset of [5, 0])
      await assert.rejects(
        receiving.append('a', Readable.from([Buffer.from('67890')]), { offset, sizeBytes: 10 }),
        full,
      );
    await assert.rejects(new DiskStore(root, space).put('b.mp4', Buffer.from('new'), type), full);
    assert.equal(await receiving.receivedBytes('a'), 5);
    assert.equal(await readFile(join(root, 'b.mp4'), 'utf8'), 'old');
  });

  it('that fills up during a write removes unacknowledged bytes immediately', THOROUGH, async () => {
    const sizeBytes = 200 * MIB;
    const keeps = new DiskReceivingStore(root);
    await keeps.append('piece', Readable.from([Buffer.from('12345')]), { offset: 0, sizeBytes });
    await assert.rejects(
      new DiskReceivingStore(root, new FillingDisk(2)).append('piece', chunks(100), { offset: 5, sizeBytes }),
      full,
    );
    assert.equal(await keeps.receivedBytes('piece'), 5);
    await assert.rejects(
      new DiskReceivingStore(root, new FillingDisk(2)).append('whole', chunks(100), { offset: 0, sizeBytes }),
      full,
    );
    const kept = ['a', 'a,crc', 'piece', 'piece,crc'];
    assert.deepEqual((await readdir(join(root, ',receiving'))).sort(), kept, 'nothing of the whole file');
    await assert.rejects(new DiskStore(root, new FillingDisk(2)).put('c.mp4', chunks(100), type), full);
    assert.deepEqual(await readdir(join(root, ',tmp')), []);
  });

  it('with free space accepts everything', THOROUGH, async () => {
    const receiving = new DiskReceivingStore(root, new FillingDisk(5));
    assert.equal(await receiving.append('large', chunks(100), { offset: 0, sizeBytes: 100 * MIB }), 100 * MIB);
  });
});
