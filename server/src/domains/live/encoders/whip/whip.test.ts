import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../../scripts/test-runner/cases.ts';
import { until } from '../../../../testing/until.ts';
import type { Person } from '../../../catalog/testing.ts';
import { type LiveFixture, openLiveFixture, type TestInput } from '../../live.fixture.ts';
import { headersOf, postOffer, WhipClient } from './whip.fixture.ts';

describe('WHIP', () => {
  let live: LiveFixture;
  let anna: Person;
  const clients: WhipClient[] = [];
  before(async () => {
    live = await openLiveFixture();
    anna = await live.api.person('anna');
  });
  after(async () => {
    for (const client of clients) await client.close();
    await live.close();
  });

  const connect = async (input: TestInput, codec: 'H264' | 'VP8' = 'H264') => {
    const client = new WhipClient(codec);
    clients.push(client);
    const response = await postOffer(input, await client.offer());
    assert.equal(response.status, 201, await response.clone().text());
    await client.answered(await response.text());
    await client.send(live);
    return { client, session: new URL(response.headers.get('location') ?? '', response.url) };
  };
  const remove = (session: URL, input: TestInput) => fetch(session, { method: 'DELETE', headers: headersOf(input) });
  const rows = () =>
    Promise.all([live.api.rows('select * from broadcasts'), live.api.rows('select * from live_inputs order by id')]);

  for (const codec of ['H264', 'VP8'] as const)
    it(`receives ${codec} and Opus, and ends with the session`, codec === 'H264' ? {} : THOROUGH, async () => {
      const input = await live.input(anna);
      const { session } = await connect(input, codec);
      const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('no stream');
      const stream = await live.stream(anna, id);
      const playlist = await live.text(stream.outputAssets.video.hls);
      assert.match(playlist, /CODECS="avc1\.[0-9a-f]{6},mp4a\.40\.2"/i);
      await until(
        async () => (await live.stream(anna, id)).broadcast.health?.keyframeMs > 0,
        'no second keyframe came',
      );
      assert.equal((await remove(session, input)).status, 200);
      assert.equal((await remove(session, input)).status, 404);
      await live.untilState(anna, input, 'IDLE');
      await until(
        async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED',
        'the broadcast was not recorded',
      );
    });

  it('is continued by the next session of a client that was lost', THOROUGH, async () => {
    const input = await live.input(anna);
    const first = await connect(input);
    const id = await live.untilState(anna, input, 'LIVE');
    await first.client.close();
    await live.untilState(anna, input, 'RECONNECTING');
    const second = await connect(input);
    assert.equal(await live.untilState(anna, input, 'LIVE'), id);
    await remove(second.session, input);
  });

  it('refuses a second client, other keys and what is no offer, and nothing changes', async () => {
    const input = await live.input(anna);
    const other = await live.input(anna);
    const { session } = await connect(input);
    await live.untilState(anna, input, 'LIVE');
    const client = new WhipClient('H264');
    clients.push(client);
    const offer = await client.offer();
    const before = await rows();
    const cases: [string, Promise<Response>, number][] = [
      ['a wrong key', postOffer({ ...other, streamKey: 'x'.repeat(32) }, offer), 401],
      ['no key', postOffer(other, offer, { authorization: '' }), 401],
      ['another type', postOffer(other, offer, { 'content-type': 'application/json' }), 415],
      ['no SDP', postOffer(other, 'hello'), 400],
      ['a data channel', postOffer(other, `${offer}m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\n`), 422],
      ['no pictures', postOffer(other, offer.slice(0, offer.indexOf('m=video'))), 422],
      ['too much', postOffer(other, `${offer}${'a=x\r\n'.repeat(30_000)}`), 413],
      ['a session of another input', remove(session, other), 404],
      ['trickle ICE', fetch(session, { method: 'PATCH', headers: headersOf(input), body: '' }), 405],
    ];
    for (const [what, response, status] of cases) assert.equal((await response).status, status, what);
    assert.deepEqual(withoutSigns(await rows()), withoutSigns(before));
    const second = await postOffer(input, offer);
    assert.equal(second.status, 409);
    assert.match(await second.text(), /Another encoder is publishing to this live input\./);
    await remove(session, input);
  });

  it('may be called by pages of other origins', async () => {
    const { ingest } = await live.input(anna);
    const headers = { origin: 'https://example.com', 'access-control-request-method': 'POST' };
    const preflight = await fetch(ingest.whip ?? '', { method: 'OPTIONS', headers });
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/);
  });
});

/** Without the signs of life, which come all the time. */
function withoutSigns([broadcasts, inputs]: Awaited<ReturnType<LiveFixture['api']['rows']>>[]): unknown {
  const signs = new Set(['heartbeat_at', 'health']);
  const kept = broadcasts?.map((row) => Object.entries(row).filter(([column]) => !signs.has(column)));
  return [kept, inputs];
}
