import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inputArg } from '@reelgraph/sandbox';
import { casesOf, THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { QUICK_H264, realMedia, testVideo, tone } from '../clips.fixture.ts';
import { PackageError } from '../encode/encoded.ts';
import { planLadder } from '../ladder/ladder.ts';
import { indexDownloads } from './downloads.ts';
import { assembled, clips, LIMITS, packaged, playedBack, runner } from './packaging.fixture.ts';

/** Decoded frames of a stream with their times in milliseconds, as ffmpeg finds them in an input. */
async function frames(
  map: string,
  input: readonly string[],
  options: { cwd?: string; inputs?: string[] },
): Promise<{ ms: number; digest: string }[]> {
  const args = ['-copyts', ...input, '-map', map, '-fps_mode', 'passthrough', '-f', 'framemd5', 'pipe:1'];
  const { stdout } = await runner.run('ffmpeg', args, { ...options, limits: LIMITS });
  const lines = stdout.split('\n');
  const [, num, den] = /^#tb 0: (\d+)\/(\d+)$/m.exec(stdout) ?? assert.fail(stdout);
  return lines
    .filter((line) => /^0,/.test(line))
    .map((line) => {
      const [, , pts, , , digest = ''] = line.split(',').map((part) => part.trim());
      return { ms: (1000 * Number(pts) * Number(num)) / Number(den), digest };
    });
}
const inFile = (map: string, path: string) => frames(map, ['-i', inputArg(0)], { inputs: [path] });
/** Without what is before 0: ffmpeg does not cut the priming of AAC off streams, as players and the file do. */
const inStream = async (outDir: string, folder: string) => {
  const input = ['-protocol_whitelist', 'file', '-f', 'hls', '-i', `${folder}/index.m3u8`];
  return (await frames('0', input, { cwd: outDir })).filter(({ ms }) => ms >= 0);
};

/** Whether a stream has the same frames as another, each within a millisecond. */
function assertSame(found: Awaited<ReturnType<typeof frames>>, expected: typeof found): void {
  assert.ok(expected.length > 0);
  assert.deepEqual(
    found.map(({ digest }) => digest),
    expected.map(({ digest }) => digest),
  );
  const [worst = 0] = found.map(({ ms }, index) => Math.abs(ms - (expected[index]?.ms ?? 0))).sort((a, b) => b - a);
  assert.ok(worst <= 1, `a frame is ${worst} ms away from its time in the stream`);
}

interface Probed {
  readonly format: { readonly duration: string; readonly start_time: string; readonly tags: { major_brand: string } };
  readonly streams: readonly (Readonly<Record<string, string | number | undefined>> & {
    readonly tags: { readonly language?: string };
  })[];
}

async function probed(path: string): Promise<Probed> {
  const entries = 'format=duration,start_time:format_tags=major_brand:stream:stream_tags=language';
  const { stdout } = await runner.run('ffprobe', ['-show_entries', entries, '-of', 'json', '-i', inputArg(0)], {
    inputs: [path],
    limits: LIMITS,
  });
  return JSON.parse(stdout) as Probed; // ffprobe's documented shape
}

const of = (stream: Probed['streams'][number] | undefined, ...names: string[]) => names.map((name) => stream?.[name]);

describe('a download', () => {
  it(
    'of a video has the frames and the times of its best rendition and of its audio, in one file',
    THOROUGH,
    async () => {
      const source = await clips.make('video.mp4', [
        ...testVideo('160x90', '30000/1001', 9.5),
        ...tone('stereo', 9.5),
        ...[...QUICK_H264, '-bf', '2', '-c:a', 'aac', '-metadata:s:a:0', 'language=deu'],
      ]);
      const { video, outDir } = await packaged(source);
      assert.equal(video.extras.videoDownload, 'downloads/video.mp4.index');
      const path = await assembled(outDir, video.extras.videoDownload);
      assertSame(await inFile('0:v', path), await inStream(outDir, 'v90'));
      assertSame(await inFile('0:a', path), await inStream(outDir, 'audio'));

      const { format, streams } = await probed(path);
      assert.equal(format.tags.major_brand, 'isom');
      assert.ok(Math.abs(Number(format.duration) - video.durationMs / 1000) < 0.05, format.duration);
      const [picture, sound] = streams;
      assert.deepEqual(of(picture, 'codec_name', 'width', 'height', 'r_frame_rate', 'start_time', 'has_b_frames'), [
        ...['h264', 160, 90, '30000/1001', '0.000000', 2],
      ]);
      assert.deepEqual(of(sound, 'codec_name', 'channels', 'start_time'), ['aac', 2, '0.000000']);
      assert.equal(sound?.tags.language, 'deu');
    },
  );

  it('of a video begins with the movie box, then has a segment of each track in turn', THOROUGH, async () => {
    const { video, outDir } = await packaged(
      await clips.make('video.mp4', [...testVideo('160x90', 25, 9), ...tone('mono', 9), ...QUICK_H264]),
    );
    const file = await readFile(await assembled(outDir, video.extras.videoDownload));
    const types: string[] = [];
    for (let at = 0; at < file.length; at += file.readUInt32BE(at)) types.push(file.toString('latin1', at + 4, at + 8));
    assert.deepEqual(types, ['ftyp', 'moov', 'mdat']);
    const index = await readFile(join(outDir, 'downloads/video.mp4.index'));
    const { parts, folders } = JSON.parse(index.toString('utf8', 8, 8 + index.readUInt32BE(4)));
    assert.deepEqual(folders, ['v90', 'audio']);
    assert.deepEqual(
      parts.map(([folder, segment]: number[]) => `${folders[folder ?? 0]} ${segment}`),
      ['v90 0', 'audio 0', 'v90 1', 'audio 1', 'v90 2', 'audio 2'],
    );
  });

  it('of the audio is an M4A file with the frames of the stream', THOROUGH, async () => {
    const { video, outDir } = await packaged(await clips.make('song.wav', tone('mono', 6)));
    assert.equal(video.extras.videoDownload, null);
    const path = await assembled(outDir, video.extras.audioDownload);
    assertSame(await inFile('0:a', path), await inStream(outDir, 'audio'));
    const { format, streams } = await probed(path);
    assert.equal(format.tags.major_brand, 'M4A ');
    assert.deepEqual(
      streams.map(({ codec_name, channels }) => [codec_name, channels]),
      [['aac', 1]],
    );
    assert.ok(Math.abs(Number(format.duration) - 6) < 0.03, format.duration);
  });

  it('of a silent video of one frame has only that', THOROUGH, async () => {
    const { video, outDir } = await packaged(
      await clips.make('one.mp4', [...testVideo('90x160', 25, 1), '-frames:v', '1', ...QUICK_H264]),
    );
    assert.equal(video.extras.audioDownload, null);
    const path = await assembled(outDir, video.extras.videoDownload);
    assertSame(await inFile('0:v', path), await inStream(outDir, 'v90'));
    assert.deepEqual(
      (await probed(path)).streams.map(({ nb_frames }) => nb_frames),
      ['1'],
    );
  });

  it('has the colours of the stream', THOROUGH, async () => {
    const tags = ['-color_primaries', 'smpte170m', '-color_trc', 'smpte170m', '-colorspace', 'smpte170m'];
    const { video, outDir } = await packaged(
      await clips.make('pal.mp4', [...testVideo('160x90', 25, 1), ...QUICK_H264, ...tags]),
    );
    const [picture] = (await probed(await assembled(outDir, video.extras.videoDownload))).streams;
    const names = ['color_range', 'color_space', 'color_transfer', 'pix_fmt', 'sample_aspect_ratio'];
    const { color_range, color_space, color_transfer, ...played } = await playedBack(outDir, 'v90/index.m3u8');
    assert.deepEqual(of(picture, ...names), [
      ...[color_range, color_space, color_transfer],
      ...[played.pix_fmt, played.sample_aspect_ratio],
    ]);
    assert.equal(color_range, 'tv');
  });

  it('of a segment that is not as it was encoded is refused', async () => {
    const { outDir, facts } = await packaged(await clips.make('song.wav', tone('mono', 6)));
    const init = await readFile(join(outDir, 'audio/init.mp4'));
    const segment = await readFile(join(outDir, 'audio/seg-00000.m4s'));
    const rendition = (sizeBytes: number) => ({
      ...{ folder: 'audio', codecs: 'mp4a.40.2', init, timescale: 48_000, durations: [], keyframes: null },
      ...{ segments: [{ durationSeconds: 4, sizeBytes }], durationSeconds: 4 },
    });
    const index = (sizeBytes: number, bytes: Buffer) =>
      indexDownloads(clips.fresh('none'), {
        ladder: planLadder(facts),
        renditions: [rendition(sizeBytes)],
        read: async (_, length) => bytes.subarray(0, length),
      });
    for (const [sizeBytes, bytes] of [
      [segment.length - 1, segment],
      [segment.length, segment.subarray(0, 50)],
      [segment.length, Buffer.alloc(segment.length)],
    ] as const)
      await assert.rejects(index(sizeBytes, bytes), PackageError);
  });

  for (const file of casesOf(['realshort.mp4', 'edts.mp4', 'sample.avi'], 0)) {
    it(`of the recording ${file} has the frames and times of the streams`, async (t) => {
      const source = realMedia(file);
      if (source === null) return t.skip('not present on this machine');
      const { video, outDir } = await packaged(source);
      const path = await assembled(outDir, video.extras.videoDownload);
      const folder = video.renditions[0]?.folder ?? '';
      assertSame(await inFile('0:v', path), await inStream(outDir, folder));
      if (video.extras.audioDownload) assertSame(await inFile('0:a', path), await inStream(outDir, 'audio'));
    });
  }
});
