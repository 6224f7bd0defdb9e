import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { writeAudio, writeVideo } from '@reelgraph/rtmp';
import { THOROUGH } from '../../../../../scripts/test-runner/cases.ts';
import { secretsFrom } from '../../../platform/config/secret-key.ts';
import { readFetchAllow } from '../../../platform/fetch/fetch-allow.ts';
import { createGuardedSockets } from '../../../platform/fetch/guarded-socket.ts';
import { createLogger } from '../../../platform/log.ts';
import { until } from '../../../testing/until.ts';
import { Receiver, type ReceiverOptions } from './receiver.fixture.ts';
import { sealTargetKey } from './simulcast-key.ts';
import type { SimulcastMessage } from './simulcast-message.ts';
import type { SimulcastSource } from './target-connection.ts';
import { TargetPublisher } from './target-publisher.ts';

const KEY = 'key-of-the-other-service';
const secrets = secretsFrom(Buffer.alloc(32, 1));
const sockets = createGuardedSockets({ allow: readFetchAllow('127.0.0.1') });
const ID = '01a1fbd9-f9ef-7000-a2d5-0118192635b4';

const picture = (atMs: number, isKeyframe: boolean, bytes = 100): SimulcastMessage => {
  const tag = { kind: 'frame', codec: 'avc1', isKeyframe, compositionMs: 0, nanoseconds: 0 } as const;
  return { track: 'video', atMs, isKeyframe, bytes: writeVideo({ ...tag, data: Buffer.alloc(bytes, 7) }) };
};
const sound = (atMs: number): SimulcastMessage => {
  const tag = { kind: 'frame', codec: 'mp4a', nanoseconds: 0, data: Buffer.alloc(10) } as const;
  return { track: 'audio', atMs, isKeyframe: false, bytes: writeAudio(tag) };
};
const source: SimulcastSource = {
  configs: () => [
    { track: 'video', bytes: writeVideo({ kind: 'config', codec: 'avc1', data: Buffer.alloc(10) }) },
    { track: 'audio', bytes: writeAudio({ kind: 'config', codec: 'mp4a', data: Buffer.from('1190', 'hex') }) },
  ],
  metadata: () => ({ width: 1280 }),
};

describe('a target', () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'trace', destination: { write: (text) => void lines.push(text) } });
  const opened: { receiver: Receiver; publisher: TargetPublisher }[] = [];
  let good: Receiver;
  const publishAt = (receiver: Receiver, url = receiver.url): TargetPublisher => {
    const target = { id: ID, inputId: ID, name: 'Other', url, streamKey: sealTargetKey(secrets, KEY) };
    const publisher = new TargetPublisher({ log, secrets, sockets }, target, source);
    opened.push({ receiver, publisher });
    return publisher;
  };
  const open = async (options: ReceiverOptions = {}) => {
    const receiver = await Receiver.open(options);
    return { receiver, publisher: publishAt(receiver) };
  };
  /** Sends keyframes until a condition holds. */
  const sendUntil = async (publisher: TargetPublisher, condition: () => boolean, complaint: string, bytes?: number) => {
    let atMs = 100_000;
    await until(() => {
      if (condition()) return true;
      publisher.push(picture(atMs, true, bytes));
      atMs += 40;
      return condition();
    }, complaint);
    return atMs;
  };
  before(async () => {
    good = await Receiver.open();
  });
  after(() => {
    for (const { receiver, publisher } of opened) {
      publisher.stop(false);
      receiver.close();
    }
  });

  it('gets the decoder configurations and a keyframe first, and times from 0 on', async () => {
    const publisher = publishAt(good);
    await until(() => good.stream !== undefined);
    assert.deepEqual([good.stream?.request.app, good.stream?.request.streamKey], ['app', KEY]);
    assert.match(good.stream?.request.encoder ?? '', /Reelgraph/);
    // The server takes it, which the publisher learns a little later.
    await until(() => {
      publisher.push(picture(900, false));
      publisher.push(sound(950));
      return (good.stream?.arrivals.length ?? 0) > 0;
    });
    assert.equal(publisher.status.state, 'CONNECTING');
    for (const message of [
      picture(1_000, true),
      sound(980),
      sound(1_005),
      picture(1_040, false),
      picture(1_030, false),
    ])
      publisher.push(message);
    await until(() => good.stream?.arrivals.at(-1)?.timestamp === 40 && good.stream.arrivals.length >= 7);
    assert.deepEqual(
      good.stream?.arrivals.map(({ what, timestamp }) => `${what} ${timestamp}`),
      ['metadata 0', 'picture config 0', 'sound config 0', 'keyframe 0', 'sound 5', 'picture 40', 'picture 40'],
    );
    assert.deepEqual([publisher.status.state, publisher.status.error], ['LIVE', null]);
    publisher.stop(true);
    await until(() => good.stream?.isClosed === true);
    assert.equal(good.stream?.hasEnded, true);
  });

  it('that is slow misses pictures up to a keyframe', async () => {
    const { receiver, publisher } = await open();
    await sendUntil(publisher, () => publisher.status.state === 'LIVE', 'it is not live');
    await until(() => (receiver.stream?.arrivals.length ?? 0) > 3);
    receiver.isPaused = true;
    const isSlow = () => publisher.status.error !== null;
    const slowAt = await sendUntil(publisher, isSlow, 'it is never too slow', 512 * 1024);
    assert.equal(publisher.status.state, 'LIVE');
    assert.match(String(publisher.status.error), /^The server does not take the stream fast enough/);
    for (let count = 0; count < 100; count += 1) publisher.push(picture(slowAt + 40 * count, true, 512 * 1024));
    receiver.isPaused = false;
    const arrivals = receiver.stream?.arrivals ?? [];
    const gap = () =>
      arrivals.findIndex(({ timestamp }, at) => timestamp - (arrivals[at - 1]?.timestamp ?? 0) > 10_000);
    await until(() => {
      publisher.push(picture(slowAt + 60_000, true));
      return gap() > 0 && arrivals.length > gap() + 2;
    }, 'it never goes on');
    assert.deepEqual(
      arrivals.slice(gap(), gap() + 3).map(({ what }) => what),
      ['picture config', 'sound config', 'keyframe'],
    );
    assert.ok(arrivals.every(({ timestamp }, at) => timestamp >= (arrivals[at - 1]?.timestamp ?? 0)));
    assert.equal(receiver.connections, 1);
  });

  it('that takes nothing any more is connected to again', THOROUGH, async () => {
    const { receiver, publisher } = await open();
    await sendUntil(publisher, () => publisher.status.state === 'LIVE', 'it is not live');
    receiver.isPaused = true;
    const isGivenUp = () => publisher.status.state === 'RETRYING';
    await sendUntil(publisher, isGivenUp, 'it is never given up', 512 * 1024);
    await sendUntil(publisher, () => receiver.streams.length === 2, 'it does not come again');
  });

  it('that refuses the key is tried again, and neither status nor log repeats the key', async () => {
    const refusal = ({ streamKey }: { streamKey: string }) => {
      return { description: `No stream\nhas the key ${streamKey}.` };
    };
    const { receiver, publisher } = await open({ refusal });
    await until(() => receiver.connections >= 2, 'there is no other attempt');
    const { state, error, outages } = publisher.status;
    assert.deepEqual([state, outages], ['RETRYING', 1]);
    assert.equal(String(error), 'The server refuses the stream: No stream has the key ….');
    const said = lines.filter((line) => line.includes('cannot be published'));
    assert.ok(said.length > 0);
    assert.ok(!lines.join('').includes(KEY));
  });

  const FAILING = [
    ['rtmp://127.0.0.2/app', '127.0.0.2 is not on the public internet.'],
    ['rtmps://127.0.0.1:1/app', 'The server does not accept connections.'],
  ] as const;
  for (const [url, reason] of FAILING)
    it(`says why it cannot be reached: ${url}`, async () => {
      const publisher = publishAt(good, url);
      await until(() => publisher.status.state === 'RETRYING');
      assert.equal(String(publisher.status.error), reason);
      publisher.stop(false);
    });

  it('says that its server does not speak RTMP, or TLS', async () => {
    const web = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((done) => web.listen(0, '127.0.0.1', done));
    const { port } = web.address() as AddressInfo;
    const plain = publishAt(good, `rtmp://127.0.0.1:${port}/app`);
    const encrypted = publishAt(good, `rtmps://127.0.0.1:${port}/app`);
    await until(() => plain.status.error !== null && encrypted.status.error !== null);
    assert.match(String(plain.status.error), /^The server does not follow RTMP/);
    assert.match(String(encrypted.status.error), /^The server does not encrypt connections/);
    plain.stop(false);
    encrypted.stop(false);
    web.close();
  });
});
