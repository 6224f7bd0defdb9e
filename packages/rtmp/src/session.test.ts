import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { Amf0Object } from './amf0.ts';
import type { AudioTag } from './flv-audio.ts';
import type { VideoTag } from './flv-video.ts';
import { MESSAGE } from './messages.ts';
import { playMutated } from './mutations.fixture.ts';
import { KEYFRAME, Peer } from './peer.fixture.ts';
import { type PublishRequest, PublishSession, type Refusal } from './session.ts';

interface Received {
  readonly requests: PublishRequest[];
  readonly video: { readonly timestamp: number; readonly tag: VideoTag }[];
  readonly audio: { readonly timestamp: number; readonly tag: AudioTag }[];
  readonly metadata: Amf0Object[];
  /** Bytes of each connection, as they came. */
  readonly bytes: Buffer[][];
  readonly errors: unknown[];
}

/** A server of one session for each connection, on a free port. */
async function listen(refusal: Refusal | null) {
  const received: Received = { requests: [], video: [], audio: [], metadata: [], bytes: [], errors: [] };
  const server = createServer((socket) => void serve(socket, received, refusal));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  after(() => void server.close());
  return { received, url: `rtmp://127.0.0.1:${address.port}/live` };
}

async function serve(socket: Socket, received: Received, refusal: Refusal | null): Promise<void> {
  const session = new PublishSession({
    send: (bytes) => void socket.write(bytes),
    onPublish: async (request) => {
      received.requests.push(request);
      return refusal;
    },
    onVideo: (timestamp, tag) => void received.video.push({ timestamp, tag }),
    onAudio: (timestamp, tag) => void received.audio.push({ timestamp, tag }),
    onMetadata: (metadata) => void received.metadata.push(metadata),
  });
  const bytes: Buffer[] = [];
  received.bytes.push(bytes);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      bytes.push(chunk);
      if (!(await session.push(chunk))) break;
    }
  } catch (error) {
    received.errors.push(error);
  }
  socket.end();
}

const SECOND = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=1', '-f', 'lavfi', '-i', 'sine=d=1'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '2', '-c:a', 'aac', '-f', 'flv'];
const quiet = ['-hide_banner', '-loglevel', 'error'];

describe('a session', () => {
  it('receives what ffmpeg publishes, every frame with its time', async () => {
    const { received, url } = await listen(null);
    await promisify(execFile)('ffmpeg', [...quiet, ...SECOND, ...H264, `${url}/a-key`]);
    assert.deepEqual(received.errors, []);
    const [request] = received.requests;
    assert.deepEqual([request?.app, request?.streamKey, request?.url], ['live', 'a-key', url]);
    assert.match(request?.encoder ?? '', /Lavf|FMLE/);
    assert.deepEqual([received.metadata[0]?.['width'], received.metadata[0]?.['framerate']], [320, 25]);
    const [first, ...frames] = received.video;
    assert.deepEqual([first?.tag.kind, first?.tag.codec], ['config', 'avc1']);
    const pictures = frames.flatMap(({ timestamp, tag }) =>
      tag.kind === 'frame' ? { shown: timestamp + tag.compositionMs, tag } : [],
    );
    const shown = pictures.map((each) => each.shown).toSorted((a, b) => a - b);
    assert.deepEqual(
      shown.map((ms) => ms - (shown[0] ?? 0)),
      Array.from({ length: 25 }, (_, index) => 40 * index),
    );
    assert.ok(pictures[0]?.tag.isKeyframe);
    assert.equal(frames.at(-1)?.tag.kind, 'end');
    const sound = received.audio.map(({ tag }) => tag.kind);
    assert.deepEqual([sound[0], sound.filter((kind) => kind === 'frame').length >= 43], ['config', true]);
  });

  it('refuses a publisher before it has begun, and it does not come again', async () => {
    const { received, url } = await listen({ description: 'No stream has this key.' });
    const ended = await promisify(execFile)('ffmpeg', [...quiet, ...SECOND, ...H264, `${url}/wrong`]).then(
      () => null,
      (error: { stderr: string }) => error.stderr,
    );
    assert.match(ended ?? '', /No stream has this key/);
    assert.deepEqual([received.requests.length, received.video.length, received.errors], [1, 0, []]);
  });

  it('refuses a player', async () => {
    const { received, url } = await listen(null);
    const child = spawn('ffmpeg', [...quiet, '-i', `${url}/a-key`, '-f', 'null', '-'], { stdio: 'ignore' });
    const code = await new Promise((done) => child.once('exit', done));
    assert.notEqual(code, 0);
    assert.deepEqual([received.requests, received.errors], [[], []]);
  });
});

describe('the protocol of a session', () => {
  it('answers the handshake with what the peer has sent, and tells what it takes', async () => {
    const peer = new Peer();
    await peer.publish();
    const handshake = Buffer.concat(peer.sent).subarray(0, 1 + 2 * 1536);
    assert.deepEqual([handshake[0], handshake.subarray(1 + 1536)], [3, Buffer.alloc(1536, 1)]);
    const [connected, created, began] = peer.answers();
    assert.deepEqual(connected?.slice(0, 2), ['_result', 1]);
    const { code, fourCcList } = connected?.[3] as Amf0Object;
    assert.equal(code, 'NetConnection.Connect.Success');
    assert.ok(Array.isArray(fourCcList) && fourCcList.includes('hvc1') && fourCcList.includes('Opus'));
    assert.deepEqual(created, ['_result', 4, null, 1]);
    assert.deepEqual([began?.[0], (began?.[3] as Amf0Object)['code']], ['onStatus', 'NetStream.Publish.Start']);
    assert.equal(peer.session.isPublishing, true);
  });

  it('ignores commands that it does not know, before and after', async () => {
    const peer = new Peer();
    await peer.handshake();
    await peer.command('connect', 1, { app: 'live' });
    for (const name of ['_checkbw', 'getStreamLength', '']) assert.equal(await peer.command(name, 2, null), true);
    await peer.command('publish', 5, null, 'a-key', 'live');
    assert.equal(await peer.command('setBandwidth', 6, null), true);
    assert.equal(await peer.send(MESSAGE.video, KEYFRAME, 40), true);
    assert.deepEqual(peer.events, ['publish a-key', 'video 40 frame']);
  });

  it('reads the parts of an aggregate message, with times from that of the message', async () => {
    const peer = new Peer();
    await peer.publish();
    const part = (type: string, time: string) => `${type} 000006 ${time} 00 000000 1701000000da 00000011`;
    const parts = Buffer.from(`${part('09', '000064')} ${part('09', '00008c')}`.replaceAll(' ', ''), 'hex');
    await peer.send(MESSAGE.aggregate, parts, 1_000);
    assert.deepEqual(peer.events.slice(1), ['video 1000 frame', 'video 1040 frame']);
  });

  for (const command of ['FCUnpublish', 'closeStream', 'deleteStream'])
    it(`ends with ${command}`, async () => {
      const peer = new Peer();
      await peer.publish();
      assert.equal(await peer.command(command, 0, null, 'a-key'), false);
      assert.equal(peer.session.isPublishing, false);
    });

  for (const [what, act, message] of [
    ['another protocol', (peer: Peer) => peer.session.push(Buffer.from('GET / HTTP/1.1\r\n')), /not that of RTMP/],
    [
      'picture before it may',
      (peer: Peer) => peer.handshake().then(() => peer.send(MESSAGE.video, KEYFRAME)),
      /before it was asked for/,
    ],
    [
      'to publish without connect',
      (peer: Peer) => peer.handshake().then(() => peer.command('publish', 5, null, 'key')),
      /out of order/,
    ],
    [
      'to publish twice',
      (peer: Peer) => peer.publish().then(() => peer.command('publish', 5, null, 'other')),
      /out of order/,
    ],
    ['connect twice', (peer: Peer) => peer.publish().then(() => peer.command('connect', 1, {})), /sent twice/],
    [
      'a command of 17 KiB before it may',
      (peer: Peer) => peer.handshake().then(() => peer.command('x'.repeat(17_408), 1)),
      /16384 at most/,
    ],
  ] as const)
    it(`refuses ${what}, and publishes nothing more`, async () => {
      const peer = new Peer();
      await assert.rejects(act(peer), { name: 'RtmpError', message });
      assert.ok(!peer.events.some((event) => /other|video/.test(event)), peer.events.join());
    });

  it('survives thousands of changed sessions: each ends with an RtmpError, or goes on', async () => {
    const { whole, published, errors } = await playMutated(2_000, 20_261_129);
    assert.deepEqual(errors, []);
    assert.ok(whole > 100 && whole < 1_900, `${whole} were not refused`);
    assert.ok(published > 100, `${published} came to publish`);
  });
});
