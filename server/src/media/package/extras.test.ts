import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { inputArg } from '@reelgraph/sandbox';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { openClips, QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { defaultLimits } from '../encode/encode-limits.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { MediaFacts } from '../inspect/media-facts.ts';
import { planLadder } from '../ladder/ladder.ts';
import { createRunner } from '../runner.ts';
import { EXTRAS_FOLDERS, type ExtrasSource, makeExtras } from './extras.ts';
import type { PackagedVideo } from './finish-package.ts';
import { packageVideo } from './package-video.fixture.ts';
import { posterPart } from './pictures/poster.ts';
import { previewMoments, previewRung } from './pictures/preview.ts';
import { storyboardOf } from './pictures/storyboard.ts';

const runner = await createRunner();
const clips = await openClips(runner);
after(() => clips.remove());
const LIMITS = { cpuSeconds: 60, memoryBytes: 4 * 1024 ** 3, outputBytes: 64 * 1024 ** 2, wallMs: 60_000 };

async function packaged(name: string, args: readonly string[]) {
  const inputPath = await clips.make(name, args);
  const inspection = await inspectFile(runner, inputPath);
  assert.ok(inspection.ok, JSON.stringify(inspection));
  const outDir = clips.fresh('package');
  const { facts } = inspection;
  return { inputPath, outDir, facts, video: await packageVideo(runner, { inputPath, outDir, facts }) };
}

interface Probed {
  readonly format: {
    readonly format_name: string;
    readonly duration: string;
    readonly tags: { readonly major_brand: string };
  };
  readonly streams: readonly {
    readonly codec_name: string;
    readonly width?: number;
    readonly height?: number;
    readonly start_time: string;
    readonly r_frame_rate: string;
  }[];
}

/** The type of a file, by its bytes only. */
async function probed(path: string): Promise<Probed> {
  const entries =
    'format=format_name,duration:format_tags=major_brand:stream=codec_name,width,height,start_time,r_frame_rate';
  const { stdout } = await runner.run('ffprobe', ['-show_entries', entries, '-of', 'json', '-i', inputArg(0)], {
    inputs: [path],
    limits: LIMITS,
  });
  return JSON.parse(stdout) as Probed; // ffprobe's documented shape
}

const paths = (video: PackagedVideo) => video.files.map(({ path }) => path);

describe('extras of a package', () => {
  it('of a video with audio: downloads, a preview and stills', THOROUGH, async () => {
    const args = [...testVideo('1280x64', 50, 5), ...tone('stereo', 5), ...QUICK_H264, '-c:a', 'aac'];
    const { video, outDir } = await packaged('video.mp4', args);
    const { extras } = video;
    assert.deepEqual(
      { ...extras, stills: extras.stills.length },
      {
        encoder: 'X264',
        videoDownload: 'downloads/video.mp4.index',
        audioDownload: 'downloads/audio.m4a.index',
        preview: 'preview/preview.mp4',
        stills: 2,
      },
    );
    for (const path of [
      extras.videoDownload,
      extras.audioDownload,
      extras.preview,
      ...extras.stills.map((still) => still.path),
    ])
      assert.ok(path !== null && paths(video).includes(path), `${path} is stored with the package`);

    const preview = await probed(join(outDir, 'preview/preview.mp4'));
    assert.deepEqual(
      preview.streams.map(({ codec_name, width, height, r_frame_rate }) => [codec_name, width, height, r_frame_rate]),
      [['h264', 854, 42, '25/1']],
    );
    // Of segments of 4 and 1 seconds: 2.5 seconds of the first, and the last.
    assert.ok(Math.abs(Number(preview.format.duration) - 3.5) < 0.1, preview.format.duration);
    for (const { path, width, height } of extras.stills) {
      const [still] = (await probed(join(outDir, path))).streams;
      assert.deepEqual([still?.codec_name, still?.width, still?.height], ['mjpeg', width, height]);
    }
  });

  it('of a silent video: no audio download', THOROUGH, async () => {
    const { video } = await packaged('silent.mp4', [...testVideo('90x160', 25, 1), ...QUICK_H264]);
    assert.equal(video.extras.audioDownload, null);
    assert.ok(!paths(video).includes('downloads/audio.m4a.index'));
    assert.deepEqual(video.extras.stills, [{ path: 'preview/still-1.jpg', width: 90, height: 160 }]);
  });

  it('of audio only: only the audio', THOROUGH, async () => {
    const { video } = await packaged('song.wav', tone('mono', 2));
    assert.deepEqual(video.extras, {
      encoder: null,
      videoDownload: null,
      audioDownload: 'downloads/audio.m4a.index',
      preview: null,
      stills: [],
    });
  });

  it('of a single frame: with its duration', THOROUGH, async () => {
    const { video, outDir } = await packaged('one.mp4', [
      ...testVideo('160x90', 25, 1),
      '-frames:v',
      '1',
      ...QUICK_H264,
    ]);
    assert.equal(video.extras.videoDownload, 'downloads/video.mp4.index');
    assert.equal((await probed(join(outDir, 'preview/preview.mp4'))).streams.length, 1);
    assert.equal(video.extras.stills.length, 1);
  });

  /** A preview of one segment. */
  const extrasOf = (facts: MediaFacts, inputPath: string): ExtrasSource => ({
    ladder: planLadder(facts),
    renditions: [{ folder: 'v90', segments: [{ durationSeconds: 2, sizeBytes: 1 }] }],
    pictures: { poster: [], storyboard: null },
    inputPath,
  });

  it('that cannot be finished are omitted', THOROUGH, async () => {
    const { inputPath, outDir, facts } = await packaged('video.mp4', [...testVideo('160x90', 25, 2), ...QUICK_H264]);
    const limits = { ...defaultLimits(facts), outputBytes: 4096 };
    const { extras } = await makeExtras(runner, outDir, extrasOf(facts, inputPath), { limits });
    assert.deepEqual(extras, { encoder: 'X264', preview: null, stills: [] });
    for (const folder of EXTRAS_FOLDERS) assert.ok(!existsSync(join(outDir, folder)), `${folder} is gone`);
  });

  it('and pictures are made one by one where one of them fails', THOROUGH, async () => {
    const { inputPath, outDir, facts, video } = await packaged('video.mp4', [
      ...testVideo('160x90', 25, 2),
      ...QUICK_H264,
    ]);
    assert.ok(facts.video);
    const missing = { ...facts.video, index: 9 };
    const poster = [posterPart(facts, missing, 0), posterPart(facts, facts.video, 0)];
    const renditions = [{ folder: 'v90', durationSeconds: 2, segments: [{ durationSeconds: 2, sizeBytes: 1 }] }];
    const storyboard = storyboardOf({ video: facts.video, ladder: planLadder(facts), renditions })?.part ?? null;
    const made = ['poster.jpg', 'preview/preview.mp4', 'preview/still-1.jpg', 'thumbs/00001.jpg'];
    for (const path of made) await rm(join(outDir, path));
    const source = {
      ...extrasOf(facts, inputPath),
      pictures: { poster, storyboard },
    };
    const { extras } = await makeExtras(runner, outDir, source, { limits: LIMITS });
    const { videoDownload: _, audioDownload: __, ...others } = video.extras;
    assert.deepEqual(extras, others);
    for (const path of made) assert.ok(existsSync(join(outDir, path)), `${path} is missing`);
  });

  it('stop when the work is aborted', THOROUGH, async () => {
    const { inputPath, outDir, facts } = await packaged('video.mp4', [...testVideo('160x90', 25, 1), ...QUICK_H264]);
    const signal = AbortSignal.abort();
    const work = makeExtras(runner, outDir, extrasOf(facts, inputPath), { limits: LIMITS, signal });
    await assert.rejects(work, { name: 'RunError', reason: 'aborted' });
  });
});

describe('the preview', () => {
  const spreads: [segments: number, shown: number[], seconds: number][] = [
    [1, [0], 3],
    [2, [0, 1], 2.5],
    [3, [0, 1, 2], 5 / 3],
    [4, [0, 1, 2, 3], 1.25],
    [5, [0, 1, 3, 4], 1.25],
    [1000, [125, 375, 625, 875], 1.25],
  ];
  for (const [count, segments, seconds] of spreads)
    it(`of ${count} segments uses those at ${segments}`, () =>
      assert.deepEqual(previewMoments(count), { segments, seconds }));

  const sources: [size: [number, number], label: string][] = [
    [[3840, 2160], '720p'],
    [[1080, 1920], '720p'],
    [[640, 360], '360p'],
    [[64, 64], '64p'],
  ];
  for (const [[width, height], label] of sources)
    it(`of ${width}x${height} is taken from ${label}`, () => {
      const video = {
        displayWidth: width,
        displayHeight: height,
        frameRate: { num: 25, den: 1 },
        variableFrameRate: false,
        interlaced: null,
      };
      // The ladder uses no other facts.
      const ladder = planLadder({ video, audio: null } as unknown as Parameters<typeof planLadder>[0]);
      assert.equal(previewRung(ladder)?.label, label);
    });
});
