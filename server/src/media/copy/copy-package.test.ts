import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import {
  bufferSource,
  cutSegment,
  directoryBytes,
  HEAD_BYTES,
  readBlock,
  readDirectory,
  readTopLevelBox,
} from '@reelgraph/mp4';
import { inputArg } from '@reelgraph/sandbox';
import { casesOf } from '../../../../scripts/test-runner/cases.ts';
import { openClips, QUICK_H264, realMedia, testVideo, tone } from '../clips.fixture.ts';
import { qualitiesOf } from '../package/stream-manifests.ts';
import { createRunner } from '../runner.ts';
import { INDEX_PATH, planCopy, type StandardPlan } from './copy-package.ts';
import { planCopyOf } from './plan-copy.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());
const LIMITS = { cpuSeconds: 60, memoryBytes: 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 60_000 };

const ten = await clips.make('ten.mp4', [
  ...testVideo('320x180', 25, 10.2),
  ...tone('stereo', 10.2),
  ...QUICK_H264,
  ...['-bf', '2', '-g', '50', '-sc_threshold', '0', '-c:a', 'aac'],
]);

async function planned(path: string): Promise<{ plan: StandardPlan; bytes: Buffer }> {
  const bytes = await readFile(path);
  const plan = await planCopyOf({ ...bufferSource(bytes), key: 'a', etag: '"1"' });
  assert.ok(plan.standard, JSON.stringify(plan));
  return { plan, bytes };
}
const fileOf = ({ files }: StandardPlan, path: string): Buffer => {
  const file = files.find((one) => one.path === path) ?? assert.fail(`no ${path}`);
  return Buffer.from(file.bytes);
};

/** All segments of a track, cut with the index alone. */
async function segmentsOf(plan: StandardPlan, bytes: Buffer, track: 'video' | 'audio'): Promise<Buffer[]> {
  const index = fileOf(plan, INDEX_PATH);
  const blocks = HEAD_BYTES + directoryBytes(index);
  const { source, tracks } = readDirectory(index.subarray(HEAD_BYTES, blocks));
  assert.deepEqual(source, { key: 'a', sizeBytes: bytes.length, etag: '"1"' });
  return Promise.all(
    (tracks[track] ?? []).map(([position, length], at) => {
      const samples = readBlock(index.subarray(blocks + position, blocks + position + length));
      return cutSegment(bufferSource(bytes), samples, track, at + 1);
    }),
  );
}

async function frames(path: string, stream: 'v' | 'a'): Promise<string[]> {
  const folder = clips.fresh('frames');
  await runner.prepareWorkDir(folder);
  const args = ['-i', inputArg(0), '-map', `0:${stream}:0`, '-f', 'framemd5', 'frames.txt'];
  await runner.run('ffmpeg', args, { cwd: folder, limits: LIMITS, inputs: [path] });
  const lines = (await readFile(join(folder, 'frames.txt'), 'utf8')).split('\n');
  return lines.filter((line) => /^\d/.test(line)).map((line) => line.replaceAll(' ', ''));
}

const digests = (lines: readonly string[]) => lines.map((line) => line.split(',').at(-1));

describe('a package that repeats the streams of its file', () => {
  const recordings = casesOf(['realshort.mp4', 'bikes.mp4'], 0).flatMap((name) => realMedia(name) ?? []);
  for (const path of [ten, ...recordings])
    it(`shows every picture and plays every sample of ${path.split('/').at(-1)}`, async () => {
      const { plan, bytes } = await planned(path);
      for (const [track, stream] of [['video', 'v'] as const, ['audio', 'a'] as const]) {
        if (!plan.files.some((file) => file.path === `${track}/init.mp4`)) continue;
        const segments = await segmentsOf(plan, bytes, track);
        const joined = await clips.write(
          `${track}.mp4`,
          Buffer.concat([fileOf(plan, `${track}/init.mp4`), ...segments]),
        );
        const expected = await frames(path, stream);
        assert.ok(expected.length > 0);
        const found = await frames(joined, stream);
        if (track === 'video') assert.deepEqual(found, expected);
        // ffmpeg decodes the priming of AAC, which the edit list hides, in fragments only.
        else assert.deepEqual(digests(found).slice(found.length - expected.length), digests(expected));
      }
    });

  it('has the playlists of RFC 8216, with the true peak', async () => {
    const { plan, bytes } = await planned(ten);
    assert.equal(
      fileOf(plan, 'video/index.m3u8').toString(),
      '#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n' +
        '#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4.000000,\n1.m4s\n#EXTINF:4.000000,\n2.m4s\n#EXTINF:2.200000,\n3.m4s\n' +
        '#EXT-X-ENDLIST\n',
    );
    const [quality] = qualitiesOf(plan.renditions);
    assert.ok(quality);
    assert.deepEqual([plan.durationMs, quality.label, quality.frameRate], [10_200, '180p', '25/1']);
    // Pictures of 1/25 s; packets of 1,024 samples that begin before 4 and 8 s, and to the end.
    assert.deepEqual(
      plan.renditions.map(({ durations, timescale }) => `${durations} / ${timescale}`),
      ['51200,51200,28160 / 12800', '192512,191488,105600 / 48000'],
    );
    const lengths = async (track: 'video' | 'audio') =>
      (await segmentsOf(plan, bytes, track)).map((segment) => 8 * segment.length);
    const [video, audio] = [await lengths('video'), await lengths('audio')];
    const peak = Math.max(...video.map((bits, at) => (bits + (audio[at] ?? 0)) / (at === 2 ? 2.2 : 4)));
    assert.ok(quality.bandwidthBps >= peak, `${quality.bandwidthBps} below ${peak}`);
    assert.ok(quality.bandwidthBps < peak * 1.1, `${quality.bandwidthBps} far above ${peak}`);
  });

  it('is refused for a file beyond the limits', async () => {
    const bytes = await readFile(ten);
    const movie = await readTopLevelBox(bufferSource(bytes), 'moov');
    assert.ok(movie);
    const limits = { maxDurationMs: 60_000, maxSidePixels: 8192, maxFrameRate: 120 };
    const source = { key: 'a', sizeBytes: bytes.length, etag: '"1"' };
    assert.ok(planCopy(movie, source, { limits }).standard);
    for (const [limit, reason] of [
      [{ maxDurationMs: 10_000 }, /lasts 10\.2 s/],
      [{ maxSidePixels: 319 }, /320 x 180/],
      [{ maxFrameRate: 24 }, /per second/],
    ] as const) {
      const plan = planCopy(movie, source, { limits: { ...limits, ...limit } });
      assert.ok(!plan.standard);
      assert.match(plan.reason, reason);
    }
  });

  it('is planned in a thread, whose errors are those of the file', async () => {
    const bytes = Buffer.from(await readFile(ten));
    bytes.writeUInt32BE(0x7fff_ffff, bytes.indexOf('stsz') + 12);
    await assert.rejects(planCopyOf({ ...bufferSource(bytes), key: 'a', etag: '"1"' }), {
      name: 'Mp4Error',
      message: /samples/,
    });
  });

  it('has an index whose damaged blocks are refused', async () => {
    const { plan } = await planned(ten);
    const index = fileOf(plan, INDEX_PATH);
    const blocks = HEAD_BYTES + directoryBytes(index);
    const [position = 0, length = 0] = readDirectory(index.subarray(HEAD_BYTES, blocks)).tracks.video?.[0] ?? [];
    const block = index.subarray(blocks + position, blocks + position + length);
    for (const end of [0, 4, 20, 30, length - 1])
      assert.throws(() => readBlock(block.subarray(0, end)), { name: 'Mp4Error' }, `${end}`);
    assert.throws(() => directoryBytes(Buffer.from('JUNKJUNK')), { name: 'Mp4Error' });
  });
});
