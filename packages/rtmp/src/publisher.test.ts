import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { writeAmf0 } from './amf0.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { MESSAGE } from './messages.ts';
import { Publisher } from './publisher.ts';
import { PublishSession, type Refusal } from './session.ts';

const KEYFRAME = Buffer.from('1701000000da', 'hex');
const SOUND = Buffer.from('af01da', 'hex');
const target = {
  url: 'rtmp://video.example/live/app?backup=1',
  streamKey: 'a-key',
  encoder: 'FMLE/3.0 (compatible; Test)',
};

/** A publisher and a session that are connected, without sockets. */
class Pair {
  readonly events: string[] = [];
  readonly publisher: Publisher;
  readonly session: PublishSession;
  /** What each has sent. */
  readonly #toServer: Buffer[] = [];
  readonly #toClient: Buffer[] = [];

  constructor(refusal: Refusal | null = null) {
    this.publisher = new Publisher(target, {
      send: (bytes) => void this.#toServer.push(bytes),
      onStarted: () => void this.events.push('started'),
    });
    this.session = new PublishSession({
      send: (bytes) => void this.#toClient.push(bytes),
      onPublish: async ({ app, streamKey, url, encoder }) => {
        this.events.push(`${app} ${streamKey} ${url} ${encoder}`);
        return refusal;
      },
      onVideo: (timestamp, { kind }, message) =>
        void this.events.push(`video ${timestamp} ${kind} ${message.toString('hex')}`),
      onAudio: (timestamp, { kind }) => void this.events.push(`audio ${timestamp} ${kind}`),
      onMetadata: (metadata) => void this.events.push(`metadata ${JSON.stringify(metadata)}`),
    });
  }

  /** Passes everything on, in parts of `step` bytes. */
  async settle(step = 100): Promise<boolean> {
    let isOpen = true;
    while (this.#toServer.length + this.#toClient.length > 0) {
      const [up, down] = [this.#toServer, this.#toClient].map((sent) => Buffer.concat(sent.splice(0)));
      for (let at = 0; up && at < up.length && isOpen; at += step)
        isOpen = await this.session.push(up.subarray(at, at + step));
      for (let at = 0; down && at < down.length; at += step) this.publisher.push(down.subarray(at, at + step));
    }
    return isOpen;
  }
}

describe('a publisher', () => {
  it('forwards messages as they are, once the server takes them', async () => {
    const pair = new Pair();
    pair.publisher.video(0, KEYFRAME);
    pair.publisher.start();
    await pair.settle();
    assert.equal(pair.publisher.isStarted, true);
    pair.publisher.metadata({ width: 1280 });
    pair.publisher.video(40, KEYFRAME);
    pair.publisher.audio(0x1_00_0000, SOUND);
    await pair.settle(7);
    assert.deepEqual(pair.events, [
      'live/app?backup=1 a-key rtmp://video.example/live/app?backup=1 FMLE/3.0 (compatible; Test)',
      'started',
      'metadata {"width":1280}',
      'video 40 frame 1701000000da',
      'audio 16777216 frame',
    ]);
    pair.publisher.end();
    assert.equal(await pair.settle(), false);
    assert.equal(pair.publisher.isStarted, false);
  });

  it('says why the server refuses it', async () => {
    const pair = new Pair({ description: 'No stream has this key.' });
    pair.publisher.start();
    await assert.rejects(pair.settle(), {
      name: 'PublishRefusedError',
      message: /refuses the stream: No stream has this key\./,
    });
    assert.deepEqual(pair.events.length, 1);
  });

  it('is refused by an error of connect, and by another protocol', () => {
    const publisher = new Publisher(target, { send: () => {}, onStarted: assert.fail });
    publisher.start();
    const error = writeAmf0('_error', 1, null, { level: 'error', code: 'NetConnection.Connect.Rejected' });
    const written = new ChunkWriter().write(3, {
      type: MESSAGE.commandAmf0,
      timestamp: 0,
      streamId: 0,
      payload: error,
    });
    const handshake = Buffer.concat([Buffer.from([3]), Buffer.alloc(2 * 1536)]);
    assert.throws(() => publisher.push(Buffer.concat([handshake, written])), /NetConnection\.Connect\.Rejected/);
    const other = new Publisher(target, { send: () => {}, onStarted: assert.fail });
    assert.throws(() => other.push(Buffer.from('HTTP/1.1 400 Bad Request\r\n')), /does not answer with RTMP/);
  });

  it('answers a ping, and acknowledges what it has received', async () => {
    const pair = new Pair();
    pair.publisher.start();
    await pair.settle();
    const sent: Buffer[] = [];
    const publisher = new Publisher(target, { send: (bytes) => void sent.push(bytes), onStarted: () => {} });
    publisher.start();
    publisher.push(Buffer.concat([Buffer.from([3]), Buffer.alloc(2 * 1536)]));
    sent.length = 0;
    const writer = new ChunkWriter();
    const control = (type: number, hex: string) =>
      writer.write(2, { type, timestamp: 0, streamId: 0, payload: Buffer.from(hex, 'hex') });
    publisher.push(control(MESSAGE.windowSize, '00000064'));
    publisher.push(control(MESSAGE.userControl, '000600000539'));
    const answers = Buffer.concat(sent).toString('hex');
    assert.match(answers, /000700000539/, 'the same time as the ping has');
    publisher.push(control(MESSAGE.userControl, `0000${'00'.repeat(100)}`));
    assert.match(Buffer.concat(sent).toString('hex'), /02000000000004030000000000000/, 'an acknowledgement');
  });
});

describe('a stream that is forwarded', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtmp-forward-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('arrives whole at ffmpeg, which listens as a server', async () => {
    const port = await freePort();
    const quiet = ['-hide_banner', '-loglevel', 'error'];
    const copy = ['-map', '0', '-c', 'copy', '-f', 'framemd5', join(folder, 'arrived')];
    const receiver = spawn('ffmpeg', [...quiet, '-listen', '1', '-i', `rtmp://127.0.0.1:${port}/app/key`, ...copy]);
    const socket = await connected(port);
    const publisher = new Publisher(
      { url: `rtmp://127.0.0.1:${port}/app`, streamKey: 'key', encoder: target.encoder },
      { send: (bytes) => void socket.write(bytes), onStarted: () => {} },
    );
    socket.on('data', (bytes: Buffer) => publisher.push(bytes));
    publisher.start();
    while (!publisher.isStarted) await pause(10);
    const sent = await publishedThrough(publisher);
    publisher.end();
    socket.end();
    const [code] = await once(receiver, 'exit');
    assert.equal(code, 0);
    const lines = (await readFile(join(folder, 'arrived'), 'utf8')).split('\n').filter((line) => /^\d/.test(line));
    assert.equal(lines.length, sent);
    assert.ok(sent > 25 + 40, `${sent} frames`);
  });

  /** Has ffmpeg publish a second to a session that forwards it; how many frames it sent. */
  async function publishedThrough(publisher: Publisher): Promise<number> {
    let frames = 0;
    const server = createServer(async (socket) => {
      const session = new PublishSession({
        send: (bytes) => void socket.write(bytes),
        onPublish: async () => null,
        onVideo(timestamp, { kind }, message) {
          if (kind === 'frame') frames += 1;
          publisher.video(timestamp, message);
        },
        onAudio(timestamp, { kind }, message) {
          if (kind === 'frame') frames += 1;
          publisher.audio(timestamp, message);
        },
        onMetadata: (metadata) => publisher.metadata(metadata),
      });
      for await (const bytes of socket as AsyncIterable<Buffer>) if (!(await session.push(bytes))) break;
      socket.end();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    assert.ok(typeof address === 'object' && address);
    const source = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=1', '-f', 'lavfi', '-i', 'sine=d=1'];
    const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-f', 'flv'];
    const url = `rtmp://127.0.0.1:${address.port}/live/key`;
    await once(spawn('ffmpeg', ['-loglevel', 'error', ...source, ...codecs, url]), 'exit');
    server.close();
    return frames;
  }
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  await new Promise((done) => server.close(done));
  return address.port;
}

/** Once something listens there. */
async function connected(port: number) {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      await pause(20);
    }
  }
}
