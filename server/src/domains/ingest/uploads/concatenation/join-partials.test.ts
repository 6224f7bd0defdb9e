import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { open as openFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { after, afterEach, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../../scripts/test-runner/cases.ts';
import { makeViewer } from '../../../../gql/index.ts';
import { StorageFullError } from '../../../../kernel/errors.ts';
import type { AppendOptions, ReceivingStore } from '../../../../platform/storage/receiving-store.ts';
import { until } from '../../../../testing/until.ts';
import { TestSpace } from '../../../assets/quota/storage-space.fixture.ts';
import { groupStates } from '../../../delivery/verification/orphans.store.ts';
import { errorOf, type Owner, openTestClientSurface, type TestClientSurface } from '../../client-surface.fixture.ts';
import { tusRequests } from '../transfer/tus-requests.fixture.ts';
import { uploadEndpoint } from '../upload-address.ts';
import { newestVideoUpload } from '../video-uploads.store.ts';
import { concatenation, sha256 } from './concatenation.fixture.ts';

const DAY_MS = 24 * 3_600_000;

/** Called for every append to a final upload, instead of it. */
type Intervention = (
  append: (body?: Readable) => Promise<number>,
  body: Readable,
  options: AppendOptions,
) => Promise<number>;

describe('joining the parts of an upload', () => {
  const space = new TestSpace();
  let surface: TestClientSurface;
  let intervene: Intervention | null = null;
  before(async () => {
    surface = await openTestClientSurface(({ store, receiving }) => ({
      ...{ store, space, receiving: intervening(receiving) },
    }));
  });
  after(() => surface.close());
  afterEach(() => {
    intervene = null;
    space.reading = null;
  });
  /** The appends of requests have no comparison here. */
  const intervening = (inner: ReceivingStore): ReceivingStore => ({
    receivedBytes: (key) => inner.receivedBytes(key),
    complete: (key, sizeBytes) => inner.complete(key, sizeBytes),
    discard: (key) => inner.discard(key),
    append(key, body, options) {
      const append = (given = body) => inner.append(key, given, options);
      return intervene && options.comparison ? intervene(append, body, options) : append();
    },
  });
  const { ask, post, part, open, final, idOf, rowOf, stateOf, storedOf, everything } = concatenation(() => surface);
  const { metadataOf } = tusRequests(() => surface);
  const parts = (owner: Owner, slices: readonly Buffer[]) => Promise.all(slices.map((slice) => part(owner, slice)));
  const threeOf = (bytes: Buffer) => [bytes.subarray(0, 100), bytes.subarray(100, 90_000), bytes.subarray(90_000)];
  const received = (address: string) => surface.receiving.receivedBytes(`uploads/${idOf(address)}`);
  const untilFinished = (address: string) => until(async () => (await stateOf(address)) === 'FINISHED');
  const offsetIn = async (address: string) => {
    const { status, headers } = await ask(address, 'HEAD');
    return [status, headers.get('upload-offset'), headers.get('upload-length')];
  };
  const eventsOf = async ({ channelId }: Owner) =>
    (
      await surface.rows<{ type: string }>(
        `select type from events where channel_id = $1 and type like 'upload.%' order by id`,
        [channelId],
      )
    ).map(({ type }) => type);
  const fileOf = (address: string) =>
    join(surface.platform.config.DATA_DIR, 'objects', ',receiving', 'uploads', idOf(address));
  /** The address of the owner's upload that is being joined. */
  const joiningOf = async ({ channelId }: Owner) => {
    const { id } = await surface.row<{ id: string }>(
      'select id from ingestions where channel_id = $1 and upload_concat is not null',
      [channelId],
    );
    return uploadEndpoint(surface.baseUrl, surface.platform.secrets, id);
  };

  it('goes on after a kill in the middle, from the last part that was stored whole', async () => {
    const owner = await surface.owner();
    const bytes = randomBytes(200_000);
    const addresses = await parts(owner, threeOf(bytes));
    const offsets: number[] = [];
    intervene = async (append, _, { offset }) => {
      offsets.push(offset);
      if (offset !== 100) return append();
      // As a killed process leaves it: some of the bytes are written, and the write never ends.
      const begun = new PassThrough();
      void append(begun);
      begun.write(bytes.subarray(100, 50_000));
      const path = fileOf(await joiningOf(owner));
      await until(async () => {
        const file = await openFile(path, 'r');
        return file
          .stat()
          .then(({ size }) => size === 50_000)
          .finally(() => file.close());
      });
      throw new Error('killed');
    };
    const created = await final(owner, addresses);
    assert.equal(created.status, 201);
    const address = created.headers.get('location') ?? '';
    assert.deepEqual(await offsetIn(address), [200, null, '200000']);
    assert.deepEqual(await Promise.all([address, ...addresses].map(received)), [100, 0, 89_900, 110_000]);
    assert.deepEqual(await eventsOf(owner), []);
    intervene = async (append, _, { offset }) => {
      offsets.push(offset);
      return append();
    };
    await surface.restart();
    // Long after an idle upload would have expired.
    surface.platform.clock.advance(2 * DAY_MS);
    await surface.uploads.sweep();
    await untilFinished(address);
    assert.deepEqual(offsets, [0, 100, 100, 90_000]);
    assert.equal(await storedOf(address), sha256(bytes));
    assert.deepEqual(await offsetIn(address), [200, '200000', '200000']);
    assert.deepEqual(await Promise.all(addresses.map(received)), [0, 0, 0]);
    assert.deepEqual(await eventsOf(owner), ['upload.finished']);
  });

  it('goes on after the process was stopped, and is not interrupted by HEAD or the same request again', async () => {
    const owner = await surface.owner();
    const bytes = randomBytes(200_000);
    const addresses = await parts(owner, threeOf(bytes));
    const reached = Promise.withResolvers<void>();
    let [begun, isInterrupted] = [0, false];
    intervene = async (append, body, { offset }) => {
      begun += 1;
      if (offset === 100) {
        reached.resolve();
        await once(body, 'close');
        isInterrupted = true;
      }
      return append();
    };
    const creating = final(owner, addresses);
    await reached.promise;
    const address = await joiningOf(owner);
    const other = await surface.another();
    const again = await fetch(`${other.address}/uploads`, {
      method: 'POST',
      headers: {
        ...{ 'tus-resumable': '1.0.0', authorization: owner.authorization, 'upload-metadata': metadataOf(owner) },
        'upload-concat': `final;${addresses.join(' ')}`,
      },
    });
    assert.deepEqual([again.status, again.headers.get('location')], [201, address]);
    await other.uploads.sweep();
    for (let count = 0; count < 3; count += 1) assert.deepEqual(await offsetIn(address), [200, null, '200000']);
    assert.deepEqual([begun, isInterrupted], [2, false]);
    const upload = await newestVideoUpload(surface.platform.db, owner.contentId, null);
    assert.deepEqual([upload?.state, upload?.receivedBytes, upload?.sizeBytes], ['OPEN', 200_000, 200_000]);
    const groups = await groupStates(
      surface.platform.db,
      addresses.map((one) => ({
        prefix: `uploads/${idOf(one)}`,
        owner: { area: 'uploads', id: idOf(one), contentId: null },
      })),
    );
    assert.deepEqual([...new Set(groups.values())], ['inUse']);
    await surface.uploads.stop();
    assert.equal((await creating).status, 201);
    assert.equal(await stateOf(address), 'OPEN');
    intervene = null;
    await other.uploads.sweep();
    await untilFinished(address);
    assert.equal(await storedOf(address), sha256(bytes));
    await surface.restart();
  });

  it('does not keep the request waiting for long', THOROUGH, async () => {
    const owner = await surface.owner();
    const addresses = await parts(owner, [Buffer.from('12345'), Buffer.from('67890')]);
    const goOn = Promise.withResolvers<void>();
    intervene = async (append) => {
      await goOn.promise;
      return append();
    };
    const created = await final(owner, addresses);
    assert.equal(created.status, 201);
    const address = created.headers.get('location') ?? '';
    assert.deepEqual(await offsetIn(address), [200, null, '10']);
    goOn.resolve();
    await untilFinished(address);
  });

  it('waits while the disk is full', async () => {
    const owner = await surface.owner();
    const addresses = await parts(owner, [Buffer.from('12345'), Buffer.from('67890')]);
    intervene = async () => {
      throw new StorageFullError();
    };
    const created = await final(owner, addresses);
    assert.equal(created.status, 201);
    const address = created.headers.get('location') ?? '';
    await surface.uploads.sweep();
    assert.deepEqual([await stateOf(address), ...(await Promise.all(addresses.map(received)))], ['OPEN', 5, 5]);
    intervene = null;
    await until(async () => {
      await surface.uploads.sweep();
      return (await stateOf(address)) === 'FINISHED';
    });
    assert.equal(await storedOf(address), sha256(Buffer.from('1234567890')));
  });

  it('needs the space of the largest part beside the parts', async () => {
    const owner = await surface.owner();
    const addresses = await parts(owner, [Buffer.alloc(30), Buffer.alloc(50)]);
    const earlier = await everything(owner);
    space.disk(10_000, 149, 100);
    const error = await errorOf(await final(owner, addresses));
    assert.deepEqual([error.status, error.code, error.field], [503, 'SERVICE_UNAVAILABLE', 'Upload-Concat']);
    assert.deepEqual(await everything(owner), earlier);
    space.disk(10_000, 150, 100);
    assert.equal((await final(owner, addresses)).status, 201);
  });

  it('ends with an error where a part was damaged or lost in the storage', async () => {
    const damages: [what: string, damage: (path: string) => Promise<unknown>][] = [
      [
        'other bytes',
        async (path) => {
          const file = await openFile(path, 'r+');
          await file.write('X', 2);
          await file.close();
        },
      ],
      ['no bytes', (path) => rm(path)],
    ];
    for (const [what, damage] of damages) {
      const owner = await surface.owner();
      const addresses = await parts(owner, [Buffer.from('12345'), Buffer.from('67890')]);
      await damage(fileOf(addresses[1] ?? ''));
      const error = await errorOf(await final(owner, addresses));
      assert.deepEqual(
        [error.status, error.code, error.message],
        [422, 'UPLOAD_FAILED', 'The bytes of part 2 that arrived are damaged in the storage.'],
        what,
      );
      const address = await joiningOf(owner);
      assert.deepEqual([await stateOf(address), await received(address)], ['FAILED', 0], what);
      assert.deepEqual(await eventsOf(owner), ['upload.failed'], what);
      assert.equal((await ask(address, 'HEAD')).status, 410, what);
    }
  });

  it('answers the error of an image that cannot be decoded', async () => {
    const owner = await surface.owner();
    const addresses = await parts(owner, [Buffer.from('no '), Buffer.from('image')]);
    const poster = { 'upload-metadata': metadataOf(owner, { hint: 'POSTER' }) };
    const error = await errorOf(await final(owner, addresses, poster));
    assert.deepEqual([error.status, error.code], [422, 'TRANSCODE_FAILED']);
    assert.equal(await stateOf(await joiningOf(owner)), 'FAILED');
  });

  it('ends when the upload is cancelled, and leaves nothing', async () => {
    const owner = await surface.owner();
    const addresses = await parts(owner, threeOf(randomBytes(200_000)));
    const reached = Promise.withResolvers<void>();
    intervene = async (append, body, { offset }) => {
      if (offset > 0) {
        reached.resolve();
        await once(body, 'close');
      }
      return append();
    };
    const creating = final(owner, addresses);
    await reached.promise;
    const address = await joiningOf(owner);
    assert.equal((await ask(address, 'DELETE')).status, 204);
    await creating;
    assert.equal(await stateOf(address), 'FAILED');
    assert.deepEqual(await Promise.all([address, ...addresses].map(received)), [0, 0, 0, 0]);
    assert.deepEqual(await eventsOf(owner), ['upload.failed']);
    assert.equal((await ask(address, 'HEAD')).status, 410);
    assert.equal((await final(owner, addresses)).status, 409);
  });

  it('has parts that expire as every upload does, without an event, and are forgotten later', async () => {
    const owner = await surface.owner();
    const [whole, begun] = [await part(owner, Buffer.from('12345')), await open(owner, 10)];
    surface.platform.clock.advance(25 * 3_600_000);
    assert.equal((await ask(whole, 'HEAD')).status, 410);
    const error = await errorOf(await final(owner, [whole]));
    assert.deepEqual([error.status, error.code], [410, 'TOKEN_EXPIRED']);
    await surface.uploads.sweep();
    assert.deepEqual([await stateOf(whole), await stateOf(begun), await received(whole)], ['EXPIRED', 'EXPIRED', 0]);
    assert.deepEqual(await eventsOf(owner), []);
    const used = await part(owner, Buffer.from('67890'));
    const address = (await final(owner, [used])).headers.get('location') ?? '';
    surface.platform.clock.advance(8 * DAY_MS + 1);
    await surface.uploads.sweep();
    const left = await surface.rows<{ id: string }>('select id from ingestions where channel_id = $1', [
      owner.channelId,
    ]);
    assert.deepEqual(
      left.map(({ id }) => id),
      [idOf(address)],
    );
    assert.equal(await storedOf(address), sha256(Buffer.from('67890')));
  });

  it('is given up after 7 days', async () => {
    const owner = await surface.owner();
    const addresses = await parts(owner, [Buffer.from('12345'), Buffer.from('67890')]);
    intervene = async () => {
      throw new StorageFullError();
    };
    const address = (await final(owner, addresses)).headers.get('location') ?? '';
    surface.platform.clock.advance(6 * DAY_MS);
    await surface.uploads.sweep();
    assert.equal(await stateOf(address), 'OPEN');
    surface.platform.clock.advance(DAY_MS);
    await until(async () => {
      await surface.uploads.sweep();
      return (await stateOf(address)) === 'EXPIRED';
    });
    assert.deepEqual(await Promise.all(addresses.map(received)), [0, 0]);
    assert.deepEqual(await eventsOf(owner), ['upload.failed']);
  });

  it('keeps a token to its channels', async () => {
    const [owner, host] = [await surface.owner(), await surface.owner()];
    await surface.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'EDITOR')`, [
      ...[host.channelId, owner.accountId],
    ]);
    const own = await part(owner, Buffer.from('12345'));
    const viewer = makeViewer({
      ...{ accountId: owner.accountId, channelId: owner.channelId, username: 'somebody', plan: 'FREE' },
      ...{ state: 'ACTIVE', accessUntilMs: Number.POSITIVE_INFINITY, isOperator: false, credential: 'token' },
      token: {
        id: 'token',
        name: 'host only',
        permissions: ['asset:upload'],
        channels: [host.channelId],
        isTest: false,
      },
    });
    Object.assign(owner, viewer);
    const there = await part(owner, Buffer.from('67890'));
    assert.equal((await rowOf(there)).channel_id, host.channelId);
    const target = { 'upload-metadata': metadataOf(host) };
    const refused = await post(owner, { 'upload-concat': `final;${there} ${own}`, ...target });
    assert.deepEqual([refused.status, (await errorOf(refused)).code], [404, 'RESOURCE_NOT_FOUND']);
    assert.equal((await final(owner, [there], target)).status, 201);
  });
});
