import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type Amf0Object, type Amf0Value, readAmf0, writeAmf0 } from './amf0.ts';
import { ChunkReader } from './chunk-reader.ts';
import { ChunkWriter } from './chunk-writer.ts';
import type { AudioTag } from './flv-audio.ts';
import type { VideoTag } from './flv-video.ts';
import { MESSAGE } from './messages.ts';
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

/** Bytes of a client: the handshake, and messages. */
class Peer {
  readonly sent: Buffer[] = [];
  readonly events: string[] = [];
  readonly session: PublishSession;
  readonly #writer = new ChunkWriter();

  constructor(refusal: Refusal | null = null) {
    this.session = new PublishSession({
      send: (bytes) => void this.sent.push(bytes),
      onPublish: async ({ streamKey }) => {
        this.events.push(`publish ${streamKey}`);
        return refusal;
      },
      onVideo: (timestamp, { kind }) => void this.events.push(`video ${timestamp} ${kind}`),
      onAudio: (timestamp, { kind }) => void this.events.push(`audio ${timestamp} ${kind}`),
    });
  }

  async handshake(): Promise<void> {
    await this.session.push(Buffer.concat([Buffer.from([3]), Buffer.alloc(1536, 1)]));
    await this.session.push(Buffer.alloc(1536, 2));
  }

  send(type: number, payload: Buffer, timestamp = 0): Promise<boolean> {
    return this.session.push(this.#writer.write(4, { type, timestamp, streamId: 1, payload }));
  }

  command(...values: Amf0Value[]): Promise<boolean> {
    return this.send(MESSAGE.commandAmf0, writeAmf0(...values));
  }

  async publish(): Promise<void> {
    await this.handshake();
    await this.command('connect', 1, { app: 'live' });
    await this.command('createStream', 4, null);
    await this.command('publish', 5, null, 'a-key', 'live');
  }

  /** The commands that were sent to it. */
  answers(): Amf0Value[][] {
    const reader = new ChunkReader({ messageBytes: 10_000, chunkStreams: 8 });
    const messages = [...reader.read(Buffer.concat(this.sent).subarray(1 + 2 * 1536))];
    return messages.filter(({ type }) => type === MESSAGE.commandAmf0).map(({ payload }) => readAmf0(payload));
  }
}

const KEYFRAME = Buffer.from('1701000000da', 'hex');

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
    const whole = await recordedSession();
    const random = generator(20_261_129);
    const accepted = { key: 0, ended: 0 };
    for (let round = 0; round < 2_000; round += 1) {
      const changed = mutated(whole, random);
      const peer = new Peer();
      try {
        for (let at = 0; at < changed.length; at += 700)
          if (!(await peer.session.push(changed.subarray(at, at + 700)))) break;
        accepted.ended += 1;
      } catch (error) {
        assert.equal(error instanceof Error && error.name, 'RtmpError', String(error));
      }
      if (peer.events.includes('publish a-key')) accepted.key += 1;
    }
    assert.ok(accepted.ended > 100 && accepted.ended < 1_900, `${accepted.ended} were not refused`);
    assert.ok(accepted.key > 100, `${accepted.key} came to publish`);
  });
});

/** The bytes of a short session. */
async function recordedSession(): Promise<Buffer> {
  const writer = new ChunkWriter();
  const command = (...values: Amf0Value[]) =>
    writer.write(3, { type: MESSAGE.commandAmf0, timestamp: 0, streamId: 0, payload: writeAmf0(...values) });
  const media = Array.from({ length: 10 }, (_, index) =>
    writer.write(4, {
      ...{ type: index % 2 ? MESSAGE.audio : MESSAGE.video, timestamp: 20 * index, streamId: 1 },
      payload: Buffer.concat([index % 2 ? Buffer.from('af01', 'hex') : KEYFRAME, Buffer.alloc(300, index)]),
    }),
  );
  return Buffer.concat([
    Buffer.from([3]),
    Buffer.alloc(2 * 1536),
    command('connect', 1, { app: 'live', tcUrl: 'rtmp://127.0.0.1/live', list: [1, 2] }),
    command('releaseStream', 2, null, 'a-key'),
    command('createStream', 4, null),
    command('publish', 5, null, 'a-key', 'live'),
    ...media,
    command('deleteStream', 6, null, 1),
  ]);
}

/** One to four changes behind the handshake: a byte, a part that is left out, repeated, or random. */
function mutated(bytes: Buffer, random: () => number): Buffer {
  const start = 1 + 2 * 1536;
  let changed = Buffer.from(bytes);
  for (let changes = 1 + Math.floor(4 * random()); changes > 0; changes -= 1) {
    const at = start + Math.floor((changed.length - start) * random());
    const length = 1 + Math.floor(40 * random());
    const [before, part, behind] = [
      changed.subarray(0, at),
      changed.subarray(at, at + length),
      changed.subarray(at + length),
    ];
    const kind = Math.floor(4 * random());
    if (kind === 0) changed[at] = Math.floor(256 * random());
    else if (kind === 1) changed = Buffer.concat([before, behind]);
    else if (kind === 2) changed = Buffer.concat([before, part, part, behind]);
    else changed = Buffer.concat([before, part.map(() => Math.floor(256 * random())), behind]);
  }
  return changed;
}

/** Numbers from 0 to 1 by a linear congruential generator (Numerical Recipes, chapter 7.1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
