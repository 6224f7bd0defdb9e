import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { RunError } from '@reelgraph/sandbox';
import { THOROUGH } from '../../../../scripts/test-runner/cases.ts';
import { AppError } from '../../kernel/errors.ts';
import { until } from '../../testing/until.ts';
import { QUICK_H264, testVideo, tone } from '../clips.fixture.ts';
import { defaultLimits } from '../encode/encode-limits.ts';
import { inspectFile } from '../inspect/inspect-file.ts';
import type { Runner } from '../runner.ts';
import { packageVideo } from './package-video.fixture.ts';
import { clips, packaged, runner } from './packaging.fixture.ts';

test(
  'a video that is shorter than expected is refused or accepted, with the decodable duration',
  THOROUGH,
  async () => {
    const path = await clips.make('whole.mp4', [
      ...testVideo('160x90', 25, 8),
      ...QUICK_H264,
      '-movflags',
      '+faststart',
    ]);
    const inspected = await inspectFile(runner, path);
    assert.ok(inspected.ok);
    const whole = await readFile(path);
    const inputPath = await clips.write('cut.mp4', whole.subarray(0, whole.length * 0.4));
    const options = { inputPath, facts: inspected.facts };
    await assert.rejects(packageVideo(runner, { ...options, outDir: clips.fresh('package') }), (error) => {
      assert.ok(error instanceof AppError && error.code === 'TRANSCODE_FAILED');
      assert.match(error.message, /^Only \d s of 8 s could be decoded/);
      return true;
    });
    const short = await packageVideo(runner, { ...options, outDir: clips.fresh('package'), acceptShort: true });
    assert.ok(short.durationMs > 1_000 && short.durationMs < 6_000, `${short.durationMs} ms`);
    assert.equal(short.durationMs + short.missingMs, 8_000);
  },
);

test('a damaged file is refused permanently, with any title', async () => {
  const title = 'No space left on device';
  const bytes = await readFile(
    await clips.make('titled.mp4', [...tone('mono', 1), '-c:a', 'aac', '-metadata', `title=${title}`]),
  );
  const data = bytes.indexOf('mdat');
  bytes.fill(0xff, data + 4, data - 4 + bytes.readUInt32BE(data - 4));
  await assert.rejects(packaged(await clips.write('titled.mp4', bytes)), (error) => {
    assert.ok(error instanceof AppError && error.cause instanceof RunError);
    assert.match(error.cause.stderrTail, /title +: No space left on device/);
    assert.deepEqual([error.code, error.cause.reason], ['TRANSCODE_FAILED', 'exit']);
    return true;
  });
});

test('a full disk is not an error of the file', {
  skip: process.getuid?.() === 0 ? false : 'only root may mount',
}, async () => {
  const source = await clips.make('noisy.mp4', [
    ...testVideo('640x360', 25, 4),
    '-vf',
    'noise=alls=100:allf=t',
    ...QUICK_H264,
  ]);
  const inspection = await inspectFile(runner, source);
  assert.ok(inspection.ok);
  const disk = clips.fresh('disk');
  await mkdir(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=0755', 'tmpfs', disk]);
  try {
    await assert.rejects(
      packageVideo(runner, { inputPath: source, outDir: join(disk, 'package'), facts: inspection.facts }),
      {
        name: 'StorageFullError',
        message: 'There is not enough disk space to convert the file.',
      },
    );
  } finally {
    execFileSync('umount', ['--lazy', disk]);
  }
});

test('exceeded limits become an error with a message, and nothing keeps running', async () => {
  const source = await clips.make('long.mp4', [...testVideo('320x180', 25, 20), ...QUICK_H264]);
  const inspection = await inspectFile(runner, source);
  assert.ok(inspection.ok);
  const outDir = clips.fresh('package');
  const limits = { ...defaultLimits(inspection.facts), outputBytes: 50_000 };
  await assert.rejects(packageVideo(runner, { inputPath: source, outDir, facts: inspection.facts, limits }), {
    code: 'TRANSCODE_FAILED',
    message: /would take more space than is allowed for a file of its size/,
  });
});

test('an abort ends the work and is distinguished from an invalid file', async () => {
  const source = await clips.make('long.mp4', [...testVideo('320x180', 25, 20), ...QUICK_H264]);
  const inspection = await inspectFile(runner, source);
  assert.ok(inspection.ok);
  const controller = new AbortController();
  const outDir = clips.fresh('package');
  const { signal } = controller;
  const work = packageVideo(runner, { inputPath: source, outDir, facts: inspection.facts, signal });
  const refused = assert.rejects(work, { name: 'RunError', reason: 'aborted' });
  await until(() => existsSync(outDir) && readdirSync(outDir).length > 0, 'the package is never begun');
  controller.abort();
  await refused;
});

test('a busy machine is a retryable error', async () => {
  const source = await clips.make('busy.mp4', [...testVideo('64x64', 25, 1), ...QUICK_H264]);
  const inspection = await inspectFile(runner, source);
  assert.ok(inspection.ok);
  const busy: Runner = { ...runner, run: () => Promise.reject(new RunError('busy', { tool: 'ffmpeg' })) };
  await assert.rejects(
    packageVideo(busy, { inputPath: source, outDir: clips.fresh('package'), facts: inspection.facts }),
    {
      code: 'SERVICE_UNAVAILABLE',
    },
  );
  await assert.rejects(inspectFile(busy, source), { name: 'RunError', reason: 'busy' });
});
