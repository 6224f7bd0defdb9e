import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { until } from '../../testing/until.ts';
import { type Person, uuidOf } from '../catalog/testing.ts';
import { END_BROADCAST, type LiveFixture, openLiveFixture } from './live.fixture.ts';

const run = promisify(execFile);
const ENCRYPT = `mutation ($id: DID!) {
  updateChannel(id: $id, input: { encryptPrivateVideos: true }) { channel { id } } }`;

const LISTS = `query ($channel: DID!) {
  contents(first: 9, filter: { broadcastStates: [LIVE], channel: $channel }) { totalCount edges { node { id } } }
  channel(id: $channel) { streams(first: 9) { totalCount edges { node { id } } } } }`;
const SHOWN = 'query ($id: DID!) { stream(id: $id) { id broadcast { state viewers health { bitrateBps } } } }';

interface Page {
  readonly totalCount: number;
  readonly edges: readonly { readonly node: { readonly id: string } }[];
}

describe('a broadcast', () => {
  let live: LiveFixture;
  let anna: Person;
  let carl: Person;
  before(async () => {
    live = await openLiveFixture();
    [anna, carl] = [await live.api.person('anna'), await live.api.person('carl')];
  });
  after(() => live.close());

  it('of a private stream is for the members of its channel, by signed addresses', async () => {
    const input = await live.input(anna);
    const encoder = live.publish(input, { seconds: 300 });
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    const { hls, dash } = (await live.stream(anna, id)).broadcast;
    assert.equal((await live.api.run(carl, 'query ($id: DID!) { stream(id: $id) { id } }', { id })).data.stream, null);
    const playlist = hls.replace('master.m3u8', 'live/video/index.m3u8');
    const part = hls.replace('master.m3u8', 'live/video/seg-00000.0.m4s');
    const segment = hls.replace('master.m3u8', 'live/audio/seg-00000.m4s');
    const time = new URL('time.txt', dash).href;
    for (const address of [hls, playlist, part, segment, dash, time]) {
      assert.equal((await fetch(address)).status, 200, address);
      assert.equal((await fetch(address.replace(/\/media\/s\/[^/]+\//, '/media/'))).status, 404, address);
      const forged = address.replace(/(?<=\/media\/s\/\d+\.)./, (first: string) => (first === 'x' ? 'y' : 'x'));
      assert.equal((await fetch(forged)).status, 403, address);
    }
    await encoder.kill();
  });

  it('of a private or unlisted stream is in no list, feed or count of others', async () => {
    const inputs = await Promise.all(
      ['PRIVATE', 'UNLISTED', 'PUBLIC'].map((visibility) => live.input(anna, { visibility })),
    );
    const encoders = inputs.map((input) => live.publish(input, { seconds: 300 }));
    const ids = await Promise.all(inputs.map((input) => live.untilState(anna, input, 'LIVE')));
    const [hidden, unlisted, listed] = ids.map((id) => id ?? assert.fail('there is a stream'));
    const lists = await live.api.ok(carl, LISTS, { channel: anna.channel });
    for (const { totalCount, edges } of [lists.contents, lists.channel.streams] as Page[])
      assert.deepEqual([totalCount, edges.map(({ node }) => node.id)], [1, [listed]]);
    const shown = await Promise.all([hidden, unlisted, listed].map((id) => live.api.run(carl, SHOWN, { id })));
    assert.deepEqual(
      shown.map(({ data }) => data.stream),
      [null, ...[unlisted, listed].map((id) => ({ id, broadcast: { state: 'LIVE', viewers: 0, health: null } }))],
    );
    assert.ok(shown[0]?.errors.every(({ code }) => code === 'RESOURCE_NOT_FOUND'));
    for (const encoder of encoders) await encoder.kill();
  });

  it('of a private stream is sent encrypted where its channel encrypts them', async () => {
    const emil = await live.api.person('emil');
    await live.api.ok(emil, ENCRYPT, { id: emil.channel });
    const input = await live.input(emil);
    const encoder = live.publish(input, { seconds: 300 });
    const id = (await live.untilState(emil, input, 'LIVE')) ?? assert.fail('there is a stream');
    const { hls, dash } = (await live.stream(emil, id)).broadcast;
    assert.equal(dash, null);
    const master = await fetch(hls);
    assert.match(master.url, /\/media\/e\//);
    for (const address of [hls, master.url])
      assert.equal((await fetch(address.replace('master.m3u8', 'live/index.mpd'))).status, 404);
    const folder = new URL('live/video/', master.url).href;
    await until(async () => (await live.text(`${folder}index.m3u8`)).includes('seg-00002.m4s'));
    const playlist = await live.text(`${folder}index.m3u8`);
    assert.match(playlist, /#EXT-X-MAP:URI="init.mp4"\n#EXT-X-KEY:METHOD=AES-128,URI="segments.key"\n/);
    assert.doesNotMatch(playlist, /PART|SKIP/);
    assert.equal((await fetch(`${folder}seg-00000.0.m4s`)).status, 404);
    const decode = async (url: string) =>
      (await run('ffmpeg', ['-v', 'error', '-i', url, '-t', '2', '-f', 'null', '-'])).stderr;
    assert.equal(await decode(hls), '');
    await encoder.kill();
    await live.api.ok(emil, END_BROADCAST, { id });
    await until(async () => (await live.stream(emil, id)).broadcast.state === 'RECORDED');
    assert.equal(await decode(hls), '');
  });

  it('ends when the account of its channel is suspended', async () => {
    const dora = await live.api.person('dora');
    const input = await live.input(dora);
    const encoder = live.publish(input, { seconds: 300 });
    const id = (await live.untilState(dora, input, 'LIVE')) ?? assert.fail('there is a stream');
    await live.api.rows(`update accounts set suspended_at = now(), suspension_reason = 'Spam' where id = $1`, [
      dora.accountId,
    ]);
    await encoder.ended;
    const state = () =>
      live.api.row<{ state: string }>('select state from broadcasts where content_id = $1', [uuidOf(id)]);
    await until(async () => (await state()).state === 'RECORDED');
    assert.notEqual(await live.publish(input, { seconds: 5, isFast: true }).ended, '');
  });
});
