import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import {
  type AacEntry,
  aacStreamEntry,
  type H264Entry,
  h264StreamEntry,
  initSegment,
  StreamFragmenter,
  type StreamPart,
  VIDEO_TIMESCALE,
} from '@reelgraph/mp4';
import { PublishSession } from './session.ts';

const run = promisify(execFile);
const PACKET_SAMPLES = 1_024;

interface Received {
  readonly video: H264Entry;
  readonly audio: AacEntry;
  readonly parts: readonly StreamPart[];
}

/** What ffmpeg publishes with these arguments, in parts of half a second. */
async function received(args: readonly string[]): Promise<Received> {
  const parts: StreamPart[] = [];
  let [video, audio]: [H264Entry | null, AacEntry | null] = [null, null];
  let fragmenter: StreamFragmenter | null = null;
  const current = () => {
    const sound = { rate: audio?.sampleRate ?? assert.fail('no sound'), packetSamples: PACKET_SAMPLES };
    const options = { partSeconds: 0.5, segmentSeconds: 2, sound };
    fragmenter ??= new StreamFragmenter(options, (part) => parts.push(part));
    return fragmenter;
  };
  const server = createServer(async (socket) => {
    const session = new PublishSession({
      send: (bytes) => void socket.write(bytes),
      onPublish: async () => null,
      onVideo(timestamp, tag) {
        if (tag.kind === 'config') video = h264StreamEntry(tag.data);
        if (tag.kind === 'frame') current().video({ ...tag, timestamp });
      },
      onAudio(timestamp, tag) {
        if (tag.kind === 'config') audio = aacStreamEntry(tag.data);
        if (tag.kind === 'frame') current().audio({ ...tag, timestamp });
      },
    });
    for await (const bytes of socket as AsyncIterable<Buffer>) if (!(await session.push(bytes))) break;
    socket.end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  await run('ffmpeg', [...args, '-f', 'flv', `rtmp://127.0.0.1:${address.port}/live/key`]);
  server.close();
  current().end();
  return { video: video ?? assert.fail('no picture'), audio: audio ?? assert.fail('no sound'), parts };
}

describe('what an encoder publishes, as fragments of MP4', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rtmp-mp4-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('decodes without an error, every picture at its time and the sound with it', async () => {
    const source = ['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=25:d=5', '-f', 'lavfi', '-i', 'sine=d=5'];
    const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-bf', '2', '-g', '50'];
    const { video, audio, parts } = await received(['-loglevel', 'error', ...source, ...x264, '-c:a', 'aac']);
    assert.deepEqual(
      [video.width, video.height, video.codecs.slice(0, 5), audio.codecs],
      [...[320, 180, 'avc1.', 'mp4a.40.2']],
    );
    const write = async (name: StreamPart['track'], init: Buffer) => {
      const bytes = parts.filter(({ track }) => track === name).map((part) => part.bytes);
      await writeFile(join(folder, `${name}.mp4`), Buffer.concat([init, ...bytes]));
    };
    await write('video', initSegment({ entry: video, startTime: 0, track: { timescale: VIDEO_TIMESCALE } }));
    await write('audio', initSegment({ entry: audio, startTime: 0, track: { timescale: audio.sampleRate } }));

    const times = async (name: string) => {
      const frames = ['-v', 'warning', '-show_entries', 'frame=pts_time', '-of', 'csv=p=0'];
      const { stdout, stderr } = await run('ffprobe', [...frames, join(folder, `${name}.mp4`)]);
      assert.equal(stderr, '');
      return stdout
        .split('\n')
        .filter(Boolean)
        .map((time) => Math.round(1_000 * Number.parseFloat(time)));
    };
    const [pictures, sound] = [await times('video'), await times('audio')];
    const first = pictures[0] ?? 0;
    assert.deepEqual(
      pictures.map((time) => time - first),
      Array.from({ length: 125 }, (_, index) => 40 * index),
    );
    assert.ok(Math.abs((sound[0] ?? 0) - first) < 100, `sound begins at ${sound[0]} ms, the picture at ${first} ms`);
    for (const [index, time] of sound.entries())
      assert.ok(index === 0 || Math.abs(time - (sound[index - 1] ?? 0) - 1_024_000 / audio.sampleRate) <= 1, `${time}`);
    assert.deepEqual(
      parts
        .filter(({ completes }) => completes !== null)
        .map(({ track, segment }) => `${track} ${segment}`)
        .sort(),
      ['audio 0', 'audio 1', 'audio 2', 'video 0', 'video 1', 'video 2'],
    );
  });
});
