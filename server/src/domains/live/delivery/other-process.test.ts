import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { AppError } from '../../../kernel/errors.ts';
import { testRunner } from '../../../media/testing.ts';
import { freePort } from '../../../platform/config/free-port.ts';
import { secretsFrom } from '../../../platform/config/secret-key.ts';
import { until } from '../../../testing/until.ts';
import type { Person } from '../../catalog/testing.ts';
import { PLAYER_REQUEST } from '../../delivery/files/file-request.fixture.ts';
import { type LiveFixture, openLiveFixture } from '../live.fixture.ts';
import { type LiveDomain, registerLive } from '../register.ts';
import { nodeAuthorization } from './node-requests.ts';

describe('a process that does not receive a broadcast', () => {
  let live: LiveFixture;
  let anna: Person;
  let other: LiveDomain;
  /** Of the process that receives it, and what others ask it for. */
  let gate: Server;
  const asked: string[] = [];
  let folder: string;
  let hls: string;
  before(async () => {
    const port = await freePort();
    live = await openLiveFixture({ NODE_URL: `http://127.0.0.1:${port}` });
    gate = createServer(async ({ url = '', headers: { authorization = '' } }, response) => {
      asked.push(url);
      const answer = await fetch(live.address + url, { headers: { authorization } });
      const etag = answer.headers.get('etag') ?? '';
      response.writeHead(answer.status, { etag }).end(Buffer.from(await answer.arrayBuffer()));
    });
    await new Promise<void>((listening) => gate.listen(port, '127.0.0.1', listening));
    anna = await live.api.person('anna');
    const { platform } = live.api;
    const config = { ...platform.config, NODE_URL: 'http://127.0.0.1:9' };
    other = registerLive(
      { ...platform, config, databaseUrl: platform.test.url },
      testRunner,
      () => live.api.domains.media.imageDecoder,
    );
    const input = await live.input(anna);
    live.publish(input, { seconds: 300 });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    ({ hls } = (await live.stream(anna, id)).outputAssets.video);
    folder = new URL(hls).pathname.split('/').slice(-3, -1).join('/');
  });
  after(async () => {
    await other.close();
    gate.close();
    await live.close();
  });

  const keyOf = (name: string) => `media/${folder}/live/video/${name}`;
  const load = async (name: string, query = '') => {
    const request = { ...PLAYER_REQUEST, query: new URLSearchParams(query) };
    const file = await other.files(live.api.platform, keyOf(name), request);
    return file === 'missing' ? assert.fail('it is missing') : file;
  };
  const text = async (query = '') => String((await load('index.m3u8', query))?.body);
  const codeOf = async (work: Promise<unknown>) => {
    const error = await work.then(
      () => assert.fail('it is answered'),
      (thrown: unknown) => thrown,
    );
    return error instanceof AppError ? error.code : assert.fail(String(error));
  };

  it('offers its playlists, parts and segments', async () => {
    const [, part = ''] = /URI="(seg-\d+\.\d+\.m4s)",?/.exec(await text()) ?? [];
    for (const name of ['init.mp4', 'seg-00000.m4s', part]) {
      const file = (await load(name)) ?? assert.fail(`${name} is not there`);
      const local = await fetch(hls.replace('master.m3u8', `live/video/${name}`));
      assert.deepEqual(file.body, Buffer.from(await local.arrayBuffer()));
      assert.deepEqual([file.contentType, file.lifetime], [local.headers.get('content-type'), 'IMMUTABLE']);
    }
    assert.equal(await load('seg-99999.m4s'), null);
  });

  it('offers its DASH manifest, and its own time', async () => {
    const path = (name: string) => `media/${folder}/live/${name}`;
    const file = async (name: string) => {
      const found = await other.files(live.api.platform, path(name), PLAYER_REQUEST);
      return found === null || found === 'missing' ? assert.fail(`${name} is not there`) : found;
    };
    const manifest = await file('index.mpd');
    assert.match(String(manifest.body), / type="dynamic"[\s\S]*<S t="\d+" d="180000"/);
    assert.deepEqual([manifest.contentType, manifest.lifetime], ['application/dash+xml', 'LIVE']);
    assert.equal(String((await file('time.txt')).body), new Date(live.api.clock.now()).toISOString());
    assert.equal(await other.files(live.api.platform, path('other.mpd'), PLAYER_REQUEST), null);
  });

  it('waits for what is made next, and refuses what is too far ahead', async () => {
    const [, number = ''] = /PRELOAD-HINT:TYPE=PART,URI="seg-(\d+)\./.exec(await text()) ?? [];
    const next = Number(number) + 1;
    assert.match(await text(`_HLS_msn=${next}&_HLS_part=0`), new RegExp(`URI="seg-0*${next}\\.0\\.m4s"`));
    assert.equal(await codeOf(load('index.m3u8', '_HLS_msn=99999')), 'INVALID_INPUT');
  });

  it('asks once for what many viewers ask for', async () => {
    const [, next = ''] = /PRELOAD-HINT:TYPE=PART,URI="(seg-\d+\.\d+\.m4s)"/.exec(await text()) ?? [];
    asked.length = 0;
    const [parts, texts] = await Promise.all([
      Promise.all(Array.from({ length: 200 }, () => load(next))),
      Promise.all(Array.from({ length: 200 }, () => text('_HLS_skip=YES'))),
    ]);
    assert.equal(new Set(parts.map((part) => String(part?.etag))).size, 1);
    assert.equal(new Set(texts).size, 1);
    await load(next);
    assert.equal(asked.length, 2, asked.join('\n'));
  });

  it('is the only one to whom they are offered there', async () => {
    const target = `/internal/live/${keyOf('index.m3u8')}`;
    const { secrets, clock } = live.api.platform;
    const ask = async (authorization: string) =>
      (await fetch(live.address + target, { headers: { authorization } })).status;
    assert.equal(await ask(nodeAuthorization(secrets, target, clock.now())), 200);
    for (const refused of [
      '',
      'Bearer x',
      'Reelgraph-Node x',
      nodeAuthorization(secrets, `${target}?_HLS_skip=YES`, clock.now()),
      nodeAuthorization(secrets, target, clock.now() - 61_000),
      nodeAuthorization(secretsFrom(randomBytes(32)), target, clock.now()),
    ])
      assert.equal(await ask(refused), 404, refused);
  });

  it('says so while the other one cannot be reached, and offers what is stored once that is dead', async () => {
    await live.api.domains.live.close();
    const [{ id } = { id: '' }] = await live.api.rows<{ id: string }>('select id from broadcasts');
    const at = (seconds: number) => new Date(live.api.clock.now() - 1_000 * seconds).toISOString();
    const connect = 'update broadcasts set connection_id = id, node = $2, heartbeat_at = $3 where id = $1';
    await live.api.rows(connect, [id, 'http://127.0.0.1:9', at(0)]);
    live.api.clock.advance(2_000);
    await until(
      async () => (await load('seg-00000.m4s').catch(() => 'not yet')) === null,
      'stored ones are not missing',
    );
    for (const name of ['index.m3u8', 'seg-00000.0.m4s', 'seg-00099.0.m4s'])
      assert.equal(await codeOf(load(name)), 'SERVICE_UNAVAILABLE', `it was started again itself: ${name}`);
    await live.api.rows(connect, [id, `http://127.0.0.1:${await freePort()}`, at(0)]);
    live.api.clock.advance(2_000);
    assert.equal(await codeOf(load('index.m3u8')), 'SERVICE_UNAVAILABLE');
    live.api.clock.advance(10_000);
    assert.match(await text(), /seg-00000\.m4s\n/);
  });
});
