import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { after, before, describe, it } from 'node:test';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { until } from '../../../testing/until.ts';
import { type Person, uuidOf } from '../../catalog/testing.ts';
import { CREATE_INPUT, END_BROADCAST, type LiveFixture, openLiveFixture, type TestInput } from '../live.fixture.ts';

const UPDATE = `mutation ($id: DID!, $input: UpdateLiveInputInput!) { updateLiveInput(id: $id, input: $input) {
  liveInput { srt srtPassphrase ingest { srt } revision } } }`;
const ROTATE = 'mutation ($id: DID!) { rotateLiveInputKey(id: $id) { liveInput { streamKey srtPassphrase } } }';
const DELETE = 'mutation ($id: DID!) { deleteLiveInput(id: $id) { id } }';

/** UDP ports of the loopback interface that nothing uses at present. */
async function freePorts(count: number): Promise<number[]> {
  const sockets = Array.from({ length: count }, () => createSocket('udp4'));
  const ports = sockets.map(
    (socket) => new Promise<number>((done) => socket.bind(0, '127.0.0.1', () => done(socket.address().port))),
  );
  const found = await Promise.all(ports);
  for (const socket of sockets) socket.close();
  return found.sort((one, other) => one - other);
}

describe('SRT', () => {
  let live: LiveFixture;
  let ports: number[];
  let anna: Person;
  before(async () => {
    ports = await freePorts(2);
    live = await openLiveFixture({ SRT_PORTS: ports.join(',') });
    anna = await live.api.person('anna');
  });
  after(() => live.close());

  const stored = () => live.api.rows('select * from live_inputs order by id');
  const broadcasts = () => live.api.rows('select * from broadcasts order by id');
  const remove = ({ id }: TestInput) => live.api.ok(anna, DELETE, { id });
  const update = async ({ id }: TestInput, input: Record<string, unknown>) =>
    (await live.api.ok(anna, UPDATE, { id, input })).updateLiveInput.liveInput;
  /** Publishes by SRT with a passphrase, in real time, or faster where what is lost does not matter. */
  const publish = (
    input: TestInput,
    { passphrase = input.srtPassphrase, args = [] as readonly string[], seconds = 300 } = {},
  ) => {
    const output = ['-f', 'mpegts', `${input.ingest.srt}?passphrase=${passphrase}&connect_timeout=60000`];
    return live.publish(input, { seconds, args, output });
  };
  /**
   * Publishes until a condition holds. As encoders do, it connects again: a former listener may have refused it, and
   * SRT drops what comes too late on a busy machine.
   */
  const publishUntil = async (
    condition: () => Promise<boolean>,
    input: TestInput,
    options: Parameters<typeof publish>[1],
    complaint: () => string,
  ) => {
    let encoder = publish(input, options);
    await until(async () => {
      if (encoder.process.exitCode !== null) encoder = publish(input, options);
      return condition();
    }, complaint);
    return encoder;
  };
  /** Whether a program has the port. */
  const isBound = (port: number) =>
    new Promise<boolean>((done) => {
      const socket = createSocket('udp4');
      socket.once('error', () => done(true));
      socket.bind(port, '127.0.0.1', () => socket.close(() => done(false)));
    });
  const portOf = ({ ingest }: TestInput) => Number(new URL(ingest.srt ?? assert.fail('it receives SRT')).port);
  const listening = (input: TestInput) => until(() => isBound(portOf(input)), 'nothing listens');

  it('gives each input that receives it a port and a passphrase, as long as there are ports', async () => {
    const [one, other] = [await live.input(anna, { srt: true }), await live.input(anna, { srt: true })];
    assert.deepEqual(
      [one, other].map(({ ingest }) => ingest.srt),
      ports.map((port) => `srt://127.0.0.1:${port}`),
    );
    for (const { srtPassphrase } of [one, other]) assert.match(srtPassphrase ?? '', /^[A-Za-z0-9]{32}$/);
    assert.notEqual(one.srtPassphrase, other.srtPassphrase);
    const text = await live.api.rows<{ text: string }>(
      `select encode(srt_passphrase, 'escape') as text from live_inputs`,
    );
    assert.ok(text.every((row) => row.text !== one.srtPassphrase && row.text !== other.srtPassphrase));

    const third = await live.input(anna);
    assert.deepEqual([third.ingest.srt, third.srtPassphrase], [null, null]);
    const before = await stored();
    for (const error of [
      await live.api.refused(anna, CREATE_INPUT, { input: { name: 'Third', srt: true } }),
      await live.api.refused(anna, UPDATE, { id: third.id, input: { srt: true } }),
    ]) {
      assert.deepEqual([error.code, error.field, error.retryable], ['SERVICE_UNAVAILABLE', 'input.srt', false]);
      assert.equal(error.message, 'All ports of this server for SRT are taken.');
    }
    assert.deepEqual(await stored(), before);

    await remove(one);
    const { ingest, srtPassphrase, revision } = await update(third, { srt: true });
    assert.deepEqual([ingest.srt, revision], [`srt://127.0.0.1:${ports[0]}`, 2]);
    assert.notEqual(srtPassphrase, one.srtPassphrase);
    assert.deepEqual(await update(third, { name: 'Desk' }), { srt: true, srtPassphrase, ingest, revision: 3 });
    assert.deepEqual(await update(third, { srt: false }), {
      ...{ srt: false, srtPassphrase: null, ingest: { srt: null }, revision: 4 },
    });
    await remove(other);
  });

  it('brings an encoder on air, which continues the same broadcast when it was lost', async () => {
    const input = await live.input(anna, { srt: true });
    await listening(input);
    const first = publish(input);
    const id = (await live.untilState(anna, input, 'LIVE')) ?? assert.fail('there is a stream');
    const { outputAssets } = await live.stream(anna, id);
    assert.match(await live.text(outputAssets.video.hls), /CODECS="avc1\.[^"]*mp4a\.40\.2".*RESOLUTION=320x180/);
    await until(async () => (await live.stream(anna, id)).broadcast.health?.frameRate > 0);

    const before = await broadcasts();
    const second = live.publish(input, { seconds: 5, isFast: true });
    assert.notEqual(await second.ended, '');
    assert.equal(await live.refusal(anna, input), 'Another encoder is publishing to this live input.');
    assert.equal((await broadcasts()).length, before.length);

    await first.kill();
    assert.equal(await live.untilState(anna, input, 'RECONNECTING'), id);
    await listening(input);
    publish(input);
    assert.equal(await live.untilState(anna, input, 'LIVE'), id);

    await live.api.ok(anna, END_BROADCAST, { id });
    await until(async () => (await live.stream(anna, id)).broadcast.state === 'RECORDED');
    await listening(input);
    publish(input, { seconds: 30 });
    await until(async () => /^The broadcast was ended\./.test((await live.refusal(anna, input)) ?? ''));
    assert.deepEqual(
      await live.api.rows('select id from broadcasts where input_id = $1 and ended_at is null', [uuidOf(input.id)]),
      [],
    );
    await remove(input);
  });

  it('admits nobody with another passphrase, or one that was replaced', async () => {
    const input = await live.input(anna, { srt: true });
    await listening(input);
    const before = [await broadcasts(), await stored()];
    for (const passphrase of ['x'.repeat(32), `${input.srtPassphrase}x`])
      assert.notEqual(await publish(input, { passphrase, seconds: 5 }).ended, '');
    assert.deepEqual([await broadcasts(), await stored()], before);

    const { srtPassphrase, streamKey } = (await live.api.ok(anna, ROTATE, { id: input.id })).rotateLiveInputKey
      .liveInput;
    assert.notEqual(srtPassphrase, input.srtPassphrase);
    assert.notEqual(streamKey, input.streamKey);
    const rotated = [await broadcasts(), await stored()] as const;
    const isRejected = async () => /Input\/output error/.test(await publish(input, { seconds: 5 }).ended);
    await until(isRejected, 'the former passphrase is admitted');
    assert.deepEqual([await broadcasts(), await stored()], rotated);

    const isOnAir = async () => (await broadcasts()).length > rotated[0].length;
    await publishUntil(isOnAir, { ...input, srtPassphrase }, {}, () => 'the new passphrase is not admitted');
    await live.untilState(anna, input, 'LIVE');
    await remove(input);
    await until(async () => !(await isBound(portOf(input))), 'the port is not free');
  });

  const REFUSED = [
    [
      ['-c:v', 'libx265'],
      'Pictures in hevc cannot be received by SRT. Set the video encoder to H.264, or publish by RTMP.',
    ],
    [['-c:a', 'ac3'], 'Sound in ac3 cannot be broadcast. Set the audio encoder to AAC.'],
    [['-c:a', 'mp2'], 'The encoder sends a codec that cannot be received by SRT. Set it to H.264 and AAC.'],
    [['-c:a', 'libmp3lame'], 'Sound in .mp3 cannot be broadcast. Set the audio encoder to AAC.'],
    [['-vn'], 'The encoder sends sound and no picture. Add a video source.'],
  ] as const;
  for (const [number, [args, reason]] of REFUSED.entries()) {
    it(`says what it cannot receive: ${args.join(' ')}`, number === 0 ? {} : THOROUGH, async () => {
      const input = await live.input(anna, { srt: true });
      await listening(input);
      let said: string | null = null;
      const isSaid = async () => {
        said = await live.refusal(anna, input);
        return said === reason;
      };
      const encoder = await publishUntil(isSaid, input, { args }, () => `${said} instead of: ${reason}`);
      await live.untilState(anna, input, 'IDLE');
      await encoder.kill();
      await remove(input);
    });
  }
});
