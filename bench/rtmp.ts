import { parseArgs } from 'node:util';
import { PublishSession } from '@reelgraph/rtmp';
import { type Amf0Value, writeAmf0 } from '../packages/rtmp/src/amf0.ts';
import { ChunkWriter } from '../packages/rtmp/src/chunk-writer.ts';
import { MESSAGE } from '../packages/rtmp/src/messages.ts';
import { table } from './results.ts';

const FRAMES_PER_SECOND = 30;
const SOUNDS_PER_SECOND = 47;
const VIDEO_BYTES_PER_SECOND = 3_000_000 / 8;
const SOUND_BYTES = 340;
/** What a socket gives at once. */
const READ_BYTES = 64 * 1024;
/** As OBS sends them. */
const CHUNK_BYTES = 4096;

/**
 * CPU time for reading a stream of 3 Mbit/s at 30 pictures a second with AAC, beside copying its bytes. `--seconds` is
 * the length of the stream.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '600' } } });
  const seconds = Number(values.seconds);
  const stream = streamOf(seconds);
  let frames = 0;
  const count = () => {
    frames += 1;
  };
  const session = new PublishSession({
    send: () => {},
    onPublish: async () => null,
    onVideo: count,
    onAudio: count,
  });
  const reading = await cpuMs(async () => {
    for (let at = 0; at < stream.length; at += READ_BYTES) await session.push(stream.subarray(at, at + READ_BYTES));
  });
  const copying = await cpuMs(async () => {
    for (let at = 0; at < stream.length; at += READ_BYTES) Buffer.from(stream.subarray(at, at + READ_BYTES));
  });
  const expected = seconds * (FRAMES_PER_SECOND + SOUNDS_PER_SECOND);
  if (frames !== expected) throw new Error(`${frames} frames were read, ${expected} were sent.`);
  const row = (what: string, ms: number) => [
    ...[what, ms.toFixed(0), ((1_000 * ms) / frames).toFixed(1), ((100 * ms) / (1_000 * seconds)).toFixed(3)],
    (ms / copying).toFixed(1),
  ];
  console.log(
    table([
      [`${seconds} s of 3 Mbit/s`, 'CPU ms', 'µs a frame', '% of a core', 'to copying'],
      row('read', reading),
      row('copy', copying),
    ]),
  );
}

async function cpuMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function streamOf(seconds: number): Buffer {
  const writer = new ChunkWriter();
  const command = (...values: readonly Amf0Value[]) =>
    writer.write(3, { type: MESSAGE.commandAmf0, timestamp: 0, streamId: 0, payload: writeAmf0(...values) });
  const size = Buffer.alloc(4);
  size.writeUInt32BE(CHUNK_BYTES);
  const parts = [
    Buffer.from([3]),
    Buffer.alloc(2 * 1536),
    command('connect', 1, { app: 'live' }),
    command('publish', 2, null, 'key', 'live'),
    writer.write(2, { type: MESSAGE.setChunkSize, timestamp: 0, streamId: 0, payload: size }),
  ];
  const picture = Buffer.concat([
    Buffer.from('2701000000', 'hex'),
    Buffer.alloc(VIDEO_BYTES_PER_SECOND / FRAMES_PER_SECOND, 5),
  ]);
  const sound = Buffer.concat([Buffer.from('af01', 'hex'), Buffer.alloc(SOUND_BYTES, 6)]);
  for (let second = 0; second < seconds; second += 1) {
    const add = (type: number, chunkStream: number, payload: Buffer, count: number) => {
      for (let index = 0; index < count; index += 1)
        parts.push(
          writer.write(chunkStream, {
            type,
            streamId: 1,
            payload,
            timestamp: 1_000 * second + Math.floor((1_000 * index) / count),
          }),
        );
    };
    add(MESSAGE.video, 6, picture, FRAMES_PER_SECOND);
    add(MESSAGE.audio, 4, sound, SOUNDS_PER_SECOND);
  }
  return Buffer.concat(parts);
}
