import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { errorOf, type Owner, openTestClientSurface, type TestClientSurface } from '../../client-surface.fixture.ts';
import { BYTES, tusRequests } from '../transfer/tus-requests.fixture.ts';
import { concatenation, sha256 } from './concatenation.fixture.ts';

describe('tus 1.0.0, concatenation', () => {
  let surface: TestClientSurface;
  before(async () => {
    surface = await openTestClientSurface();
  });
  after(() => surface.close());
  const { ask, post, open, patch, part, final, idOf, rowOf, stateOf, storedOf, everything } = concatenation(
    () => surface,
  );
  const { metadataOf, pairs } = tusRequests(() => surface);
  const headersOf = ({ status, headers }: Response, names: readonly string[]) => [
    status,
    ...names.map((name) => headers.get(name)),
  ];
  const STATE = ['upload-concat', 'upload-offset', 'upload-length'];

  describe('a partial upload', () => {
    it('takes bytes as any other, and is no file of its own', async () => {
      const owner = await surface.owner();
      const metadata = pairs({ note: 'first part' });
      const created = await post(
        owner,
        { 'upload-concat': 'partial', 'upload-length': '10', 'upload-metadata': metadata },
        Buffer.from('1234'),
      );
      assert.deepEqual(headersOf(created, ['upload-offset']), [201, '4']);
      assert.match(created.headers.get('ratelimit') ?? '', /"open-uploads";r=999\b/);
      const address = created.headers.get('location') ?? '';
      const head = await ask(address, 'HEAD');
      assert.deepEqual(headersOf(head, STATE), [200, 'partial', '4', '10']);
      assert.equal(head.headers.get('upload-metadata'), metadata);
      assert.equal((await patch(address, 4, Buffer.from('567890'))).status, 204);
      assert.deepEqual(headersOf(await ask(address, 'HEAD'), STATE), [200, 'partial', '10', '10']);
      const { state, content_id, channel_id } = await rowOf(address);
      assert.deepEqual([state, content_id, channel_id], ['OPEN', null, owner.channelId]);
      assert.deepEqual(
        await surface.row(
          `select (select count(*) from contents where channel_id = $1) as contents,
             (select count(*) from video_assets where channel_id = $1) as videos,
             (select count(*) from events where channel_id = $1 and type like 'upload.%') as events,
             counter_value('channel:ingestions', $1) as listed, counter_value('channel:storage', $1) as bytes`,
          [owner.channelId],
        ),
        { contents: 1, videos: 0, events: 0, listed: 0, bytes: 10 },
      );
    });

    it('may name its length later', async () => {
      const owner = await surface.owner();
      const created = await post(owner, { 'upload-concat': 'partial', 'upload-defer-length': '1' });
      const address = created.headers.get('location') ?? '';
      assert.equal((await patch(address, 0, Buffer.from('12345'))).status, 204);
      const error = await errorOf(await final(owner, [address]));
      assert.deepEqual([error.status, error.code], [400, 'UPLOAD_FAILED']);
      const declared = { 'Upload-Length': '5', 'Upload-Offset': '5', 'Content-Type': BYTES, 'Tus-Resumable': '1.0.0' };
      assert.equal((await ask(address, 'PATCH', declared)).status, 204);
      const joined = await final(owner, [address]);
      assert.equal(joined.status, 201);
      assert.equal(await storedOf(joined.headers.get('location') ?? ''), sha256(Buffer.from('12345')));
    });

    it('is sent by tus only', async () => {
      const address = await open(await surface.owner(), 5);
      const put = await errorOf(await ask(address, 'PUT', {}, '12345'));
      assert.deepEqual([put.status, put.code], [400, 'INVALID_INPUT']);
      const parts = await errorOf(await ask(`${address}/parts`, 'POST', {}, '{}'));
      assert.deepEqual([parts.status, parts.message], [400, 'This is a part of an upload: its bytes are sent by tus.']);
      assert.deepEqual(headersOf(await ask(address, 'HEAD'), STATE), [200, 'partial', '0', '5']);
    });

    it('can be cancelled until it is used, also when it is complete', async () => {
      const owner = await surface.owner();
      const [cancelled, used] = [await part(owner, Buffer.from('12345')), await part(owner, Buffer.from('67890'))];
      assert.equal((await ask(cancelled, 'DELETE')).status, 204);
      assert.deepEqual(
        [await stateOf(cancelled), await surface.receiving.receivedBytes(`uploads/${idOf(cancelled)}`)],
        ['FAILED', 0],
      );
      assert.equal((await final(owner, [used])).status, 201);
      assert.equal((await ask(used, 'DELETE')).status, 204);
      assert.equal(await stateOf(used), 'FINISHED');
    });

    it('counts for storage and open uploads as any other', async () => {
      const owner = await surface.owner();
      await surface.rows(`update subscriptions set plan = 'FREE' where account_id = $1`, [owner.accountId]);
      const large = await errorOf(
        await post(owner, { 'upload-concat': 'partial', 'upload-length': String(2 * 1024 ** 3 + 1) }),
      );
      assert.deepEqual([large.status, large.field], [413, 'Upload-Length']);
      // Ten of 2 GiB fill the 20 GiB of the plan.
      for (let count = 0; count < 10; count += 1) await open(owner, 2 * 1024 ** 3);
      const full = await errorOf(await post(owner, { 'upload-concat': 'partial', 'upload-length': '1' }));
      assert.deepEqual([full.status, full.code, full.field], [400, 'INVALID_INPUT', 'Upload-Length']);
      assert.match(full.message, /of storage in the Free plan/);
      assert.deepEqual(
        await surface.row('select count(*) as open from ingestions where channel_id = $1', [owner.channelId]),
        { open: 10 },
      );
    });
  });

  describe('a final upload', () => {
    it('has the bytes of its parts in their order, and is an upload like any other', async () => {
      const owner = await surface.owner();
      const bytes = randomBytes(300_000);
      const slices = [bytes.subarray(0, 1), bytes.subarray(1, 200_000), bytes.subarray(200_000)];
      const addresses = (await Promise.all(slices.toReversed().map((slice) => part(owner, slice)))).reverse();
      const list = `final;${addresses[0]} ${new URL(addresses[1] ?? '').pathname} ${addresses[2]}`;
      const metadata = metadataOf(owner, { filetype: 'video/mp4' });
      const created = await post(owner, { 'upload-concat': list, 'upload-metadata': metadata });
      assert.equal(created.status, 201);
      const address = created.headers.get('location') ?? '';
      const head = await ask(address, 'HEAD');
      assert.deepEqual(headersOf(head, STATE), [200, list, '300000', '300000']);
      assert.deepEqual(headersOf(head, ['upload-metadata', 'tus-resumable', 'cache-control']), [
        ...[200, metadata, '1.0.0', 'no-store'],
      ]);
      assert.equal(await storedOf(address), sha256(bytes));
      assert.deepEqual(
        await surface.row(
          `select (select jsonb_agg(size_bytes) from video_assets where content_id = $2) as videos,
             (select jsonb_agg(type) from events where channel_id = $1 and type like 'upload.%') as events,
             counter_value('channel:ingestions', $1) as listed, counter_value('channel:storage', $1) as bytes`,
          [owner.channelId, owner.contentId],
        ),
        { videos: [300_000], events: ['upload.finished'], listed: 1, bytes: 300_000 },
      );
      for (const used of addresses) {
        assert.equal(await surface.receiving.receivedBytes(`uploads/${idOf(used)}`), 0);
        assert.equal((await ask(used, 'HEAD')).headers.get('upload-concat'), 'partial');
      }
    });

    it('has the checksum of the bytes that arrived', async () => {
      const owner = await surface.owner();
      const created = await final(owner, [
        await part(owner, Buffer.from('1234')),
        await part(owner, Buffer.from('56789')),
      ]);
      const key = `uploads/${idOf(created.headers.get('location') ?? '')}`;
      // The check value of CRC-32.
      assert.deepEqual(await surface.platform.store.checksum(key), { crc32: 0xcbf43926 });
    });

    it('makes a draft where it names no content', async () => {
      const owner = await surface.owner();
      const created = await final(owner, [await part(owner, Buffer.from('1234567890'))], {
        'upload-metadata': pairs({ filename: 'By the sea.mp4' }),
      });
      assert.equal(created.status, 201);
      const { content_id, auto_process, drafted } = await rowOf(created.headers.get('location') ?? '');
      assert.deepEqual([auto_process, drafted], [true, true]);
      const { title } = await surface.row<{ title: string }>('select title from contents where id = $1', [content_id]);
      assert.equal(title, 'By the sea');
    });

    it('is the same one for the same request, whose response may have been lost', async () => {
      const owner = await surface.owner();
      const addresses = [await part(owner, Buffer.from('12345')), await part(owner, Buffer.from('67890'))];
      const first = await final(owner, addresses);
      const before = await everything(owner);
      const again = await final(owner, addresses);
      assert.deepEqual([again.status, again.headers.get('location')], [201, first.headers.get('location')]);
      const other = await final(owner, addresses, { 'upload-metadata': metadataOf(owner, { hint: 'SHORT' }) });
      assert.deepEqual([other.status, (await errorOf(other)).code], [409, 'RESOURCE_ALREADY_EXISTS']);
      assert.equal((await final(owner, addresses.toReversed())).status, 409);
      assert.equal((await final(owner, addresses.slice(0, 1))).status, 409);
      assert.deepEqual(await everything(owner), before);
    });

    it('is one of two that want the same part at the same time', async () => {
      const owner = await surface.owner();
      const shared = await part(owner, Buffer.from('12345'));
      const others = [await part(owner, Buffer.from('a')), await part(owner, Buffer.from('b'))];
      const results = await Promise.all(
        others.map((other, index) => final(owner, index === 0 ? [other, shared] : [shared, other])),
      );
      assert.deepEqual(results.map(({ status }) => status).sort(), [201, 409]);
      const refused = others[results.findIndex(({ status }) => status === 409)] ?? '';
      assert.equal(await stateOf(refused), 'OPEN');
      assert.equal((await final(owner, [refused])).status, 201);
    });

    it('takes no bytes and no length of its own', async () => {
      const owner = await surface.owner();
      const addresses = [await part(owner, Buffer.from('12345'))];
      const before = await everything(owner);
      for (const [headers, field] of [
        [{ 'upload-length': '5' }, 'Upload-Length'],
        [{ 'upload-defer-length': '1' }, 'Upload-Defer-Length'],
      ] as const) {
        const error = await errorOf(await final(owner, addresses, headers));
        assert.deepEqual([error.status, error.code, error.field], [400, 'INVALID_INPUT', field]);
      }
      const body = await post(owner, { 'upload-concat': `final;${addresses[0]}` }, Buffer.from('1'));
      assert.deepEqual([body.status, (await errorOf(body)).field], [400, 'Upload-Concat']);
      assert.deepEqual(await everything(owner), before);
      const address = (await final(owner, addresses)).headers.get('location') ?? '';
      for (const response of [
        await patch(address, 5, Buffer.alloc(0)),
        await patch(address, 0, Buffer.from('1')),
        await ask(address, 'PUT', {}, '12345'),
        await ask(`${address}/parts`, 'POST', {}, '{}'),
        await ask(`${address}/complete`, 'POST', {}, '{"etags":["a"]}'),
      ])
        assert.deepEqual([response.status, (await errorOf(response)).code], [403, 'UPLOAD_FAILED']);
      assert.equal((await ask(address, 'HEAD', {})).status, 412);
      assert.equal(await storedOf(address), sha256(Buffer.from('12345')));
    });

    it('counts once for the storage of the plan, and not with its parts', async () => {
      const owner = await surface.owner();
      await surface.rows(`update subscriptions set plan = 'FREE' where account_id = $1`, [owner.accountId]);
      await surface.rows(
        `insert into video_assets (id, channel_id, content_id, hint, filename, source_key, size_bytes)
         values (gen_random_uuid(), $1, $2, 'LANDSCAPE_VIDEO', 'a.mp4', 'sources/' || gen_random_uuid(), $3)`,
        [owner.channelId, owner.contentId, 20 * 1024 ** 3 - 10],
      );
      const addresses = [await part(owner, Buffer.from('12345')), await part(owner, Buffer.from('67890'))];
      assert.equal((await final(owner, addresses)).status, 201);
      assert.deepEqual(
        await surface.row(`select counter_value('channel:storage', $1)::bigint as bytes`, [owner.channelId]),
        { bytes: 20 * 1024 ** 3 },
      );
    });

    it('may belong to another channel than its parts, which move to it', async () => {
      const [owner, host] = [await surface.owner(), await surface.owner()];
      await surface.rows(`insert into channel_members (channel_id, account_id, role) values ($1, $2, 'EDITOR')`, [
        host.channelId,
        owner.accountId,
      ]);
      const address = await part(owner, Buffer.from('12345'));
      const created = await final(owner, [address], { 'upload-metadata': metadataOf(host) });
      assert.equal(created.status, 201);
      assert.equal((await rowOf(address)).channel_id, host.channelId);
      assert.deepEqual(
        await surface.row(
          `select counter_value('channel:storage', $1) as own, counter_value('channel:storage', $2) as host,
             counter_value('channel:ingestions', $1) as listed`,
          [owner.channelId, host.channelId],
        ),
        { own: 0, host: 5, listed: 0 },
      );
      const there = await open(owner, 5, {
        'upload-metadata': pairs({ channelId: `did:reelgraph:channel/${host.channelId}` }),
      });
      assert.equal((await rowOf(there)).channel_id, host.channelId);
      const ofContent = await open(owner, 5, { 'upload-metadata': metadataOf(host) });
      assert.equal((await rowOf(ofContent)).channel_id, host.channelId);
    });
  });

  describe('what is refused changes nothing:', () => {
    const refusals: [what: string, expected: unknown[], list: (owner: Owner, good: string) => Promise<string>][] = [
      ['no address', [400, 'INVALID_INPUT'], async () => 'final;'],
      ['another word', [400, 'INVALID_INPUT'], async (_, good) => `whole;${good}`],
      ['an address that is none', [404, 'RESOURCE_NOT_FOUND'], async (_, good) => `final;${good} nonsense`],
      [
        'another server',
        [404, 'RESOURCE_NOT_FOUND'],
        async (_, good) => `final;https://other.example/uploads/${idOf(good)}`,
      ],
      [
        'an unknown part',
        [404, 'RESOURCE_NOT_FOUND'],
        async () => 'final;/uploads/019aa000-0000-7000-8000-000000000000',
      ],
      [
        'a part of another account',
        [404, 'RESOURCE_NOT_FOUND'],
        async (_, good) => `final;${good} ${await part(await surface.owner(), Buffer.from('1'))}`,
      ],
      [
        'an upload of its own',
        [400, 'INVALID_INPUT'],
        async (owner) => `final;${(await surface.open(owner, { sizeBytes: 10 })).endpoint}`,
      ],
      ['an incomplete part', [400, 'UPLOAD_FAILED'], async (owner, good) => `final;${good} ${await open(owner, 5)}`],
      ['a part that is named twice', [400, 'INVALID_INPUT'], async (_, good) => `final;${good} ${good}`],
      [
        'a part that was cancelled',
        [410, 'TOKEN_EXPIRED'],
        async (owner, good) => {
          const address = await part(owner, Buffer.from('1'));
          await ask(address, 'DELETE');
          return `final;${good} ${address}`;
        },
      ],
      [
        'a part of another file',
        [409, 'RESOURCE_ALREADY_EXISTS'],
        async (owner, good) => {
          const address = await part(owner, Buffer.from('1'));
          await final(owner, [address]);
          return `final;${good} ${address}`;
        },
      ],
      ['too many parts', [400, 'INVALID_INPUT'], async () => `final;${Array(101).fill('/uploads/x').join(' ')}`],
    ];
    for (const [what, expected, list] of refusals)
      it(what, async () => {
        const owner = await surface.owner();
        const good = await part(owner, Buffer.from('12345'));
        const header = await list(owner, good);
        const before = await everything(owner);
        const error = await errorOf(
          await post(owner, { 'upload-concat': header, 'upload-metadata': pairs({ filename: 'a.mp4' }) }),
        );
        assert.deepEqual([error.status, error.code, error.field], [...expected, 'Upload-Concat']);
        assert.deepEqual(await everything(owner), before);
        assert.equal((await final(owner, [good])).status, 201);
      });

    it('a file that is larger than the plan allows, or than an image may be', async () => {
      const owner = await surface.owner();
      const good = await part(owner, Buffer.from('12345'));
      const other = await part(owner, Buffer.from('6'));
      await surface.rows('update ingestions set size_bytes = $2, received_bytes = $2 where id = $1', [
        ...[idOf(other), 250 * 1024 ** 3],
      ]);
      const before = await everything(owner);
      const error = await errorOf(await final(owner, [good, other]));
      assert.deepEqual([error.status, error.code, error.field], [413, 'INVALID_INPUT', 'Upload-Concat']);
      const image = await errorOf(
        await final(owner, [good, other], { 'upload-metadata': metadataOf(owner, { hint: 'POSTER' }) }),
      );
      assert.deepEqual([image.status, image.field], [413, 'Upload-Concat']);
      assert.deepEqual(await everything(owner), before);
    });

    it('a part without a credential, or of an unknown channel', async () => {
      const owner = await surface.owner();
      const before = await everything(owner);
      assert.equal(
        (await post({ authorization: '' }, { 'upload-concat': 'partial', 'upload-length': '1' })).status,
        401,
      );
      const stranger = await surface.owner();
      for (const metadata of [
        pairs({ channelId: `did:reelgraph:channel/${stranger.channelId}` }),
        metadataOf(stranger),
      ])
        assert.equal(
          (await post(owner, { 'upload-concat': 'partial', 'upload-length': '1', 'upload-metadata': metadata })).status,
          404,
        );
      assert.deepEqual(await everything(owner), before);
    });
  });
});
