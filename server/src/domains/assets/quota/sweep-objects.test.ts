import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { sql } from '../../../platform/db/statement.ts';
import type { ObjectStore } from '../../../platform/storage/object-store.ts';
import { type AssetsTestPlatform, createAssetsTestPlatform } from '../testing.ts';
import { claimObjectPurges, orderObjectPurge } from './object-purges.store.ts';
import { sweepObjects } from './sweep-objects.ts';

const MINUTE_MS = 60_000;

describe('scheduled deletion of objects', () => {
  let platform: AssetsTestPlatform;
  before(async () => {
    platform = await createAssetsTestPlatform();
  });
  after(() => platform.close());

  const sweep = (store: ObjectStore = platform.store) =>
    sweepObjects({ platform: { ...platform, store }, receiving: platform.receiving });
  const order = (prefix: string, dueMs = platform.clock.now()) => orderObjectPurge(platform.db, prefix, dueMs);
  const put = (key: string) => platform.store.put(key, Buffer.from('x'), { contentType: 'text/plain' });
  const there = async (key: string) => (await platform.store.head(key)) !== null;
  const orders = async () =>
    (await platform.db.run<{ n: number }>(sql('orders', 'select count(*)::int as n from object_purges'), []))[0]?.n;

  it('deletes everything below a prefix, single objects and unfinished uploads, and no others', async () => {
    const [one, other, upload] = [newId(), newId(), newId()];
    for (const key of [
      `media/${one}/a/master.m3u8`,
      `media/${one}/b/x.ts`,
      `media/${other}/a/master.m3u8`,
      `sources/${one}`,
    ])
      await put(key);
    await platform.receiving.append(`uploads/${upload}`, Readable.from([Buffer.from('abc')]), {
      offset: 0,
      sizeBytes: 10,
    });
    for (const prefix of [`media/${one}/`, `sources/${one}`, `uploads/${upload}`]) await order(prefix);
    await sweep();
    assert.deepEqual(
      await Promise.all(
        [`media/${one}/a/master.m3u8`, `media/${one}/b/x.ts`, `sources/${one}`, `media/${other}/a/master.m3u8`].map(
          there,
        ),
      ),
      [false, false, false, true],
    );
    assert.equal(await platform.receiving.receivedBytes(`uploads/${upload}`), 0);
    assert.equal(await orders(), 0);
    await order(`media/${one}/`);
    await sweep();
    assert.equal(await orders(), 0, 'missing objects succeed');
  });

  it('waits until a deletion is due', async () => {
    const id = newId();
    await put(`sources/${id}`);
    await order(`sources/${id}`, platform.clock.now() + MINUTE_MS);
    await sweep();
    assert.equal(await there(`sources/${id}`), true);
    platform.clock.advance(MINUTE_MS);
    await sweep();
    assert.equal(await there(`sources/${id}`), false);
  });

  it('retries with growing delays while the store fails, without delaying others', async () => {
    const [bad, good] = [newId(), newId()];
    await put(`media/${bad}/x.ts`);
    await put(`sources/${good}`);
    await order(`media/${bad}/`);
    await order(`sources/${good}`);
    const failing = new Proxy(platform.store, {
      get: (store, name) =>
        name === 'deletePrefix'
          ? () => Promise.reject(new AppError('SERVICE_UNAVAILABLE'))
          : Reflect.get(store, name).bind(store),
    });
    await sweep(failing);
    assert.deepEqual(
      [await there(`media/${bad}/x.ts`), await there(`sources/${good}`), await orders()],
      [true, false, 1],
    );
    platform.clock.advance(14 * MINUTE_MS);
    await sweep(failing);
    platform.clock.advance(MINUTE_MS);
    await sweep(failing);
    const [row] = await platform.db.run<{ attempts: number }>(
      sql('attempts', 'select attempts from object_purges'),
      [],
    );
    assert.equal(row?.attempts, 2);
    platform.clock.advance(29 * MINUTE_MS);
    await sweep();
    assert.equal(await there(`media/${bad}/x.ts`), true);
    platform.clock.advance(MINUTE_MS);
    await sweep();
    assert.deepEqual([await there(`media/${bad}/x.ts`), await orders()], [false, 0]);
  });

  it('continues after a killed worker, with one worker per deletion', async () => {
    const ids = Array.from({ length: 30 }, () => newId());
    for (const id of ids) await order(`sources/${id}`);
    const now = platform.clock.now();
    const claims = await Promise.all([1, 2, 3].map(() => claimObjectPurges(platform.db, now, 20)));
    const taken = claims.flat().map(({ keyPrefix }) => keyPrefix);
    assert.deepEqual([taken.length, new Set(taken).size], [30, 30]);
    platform.clock.advance(15 * MINUTE_MS);
    assert.equal(await sweep(), true, 'there may be more');
    assert.equal(await sweep(), false);
    assert.equal(await orders(), 0);
  });
});
