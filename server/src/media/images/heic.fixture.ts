import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_PATH, findExecutable, inputArg } from '@reelgraph/sandbox';
import type { Clips } from '../clips.fixture.ts';
import type { Runner } from '../runner.ts';
import { changedCopies } from './changed-bytes.fixture.ts';
import type { ImageDecoder } from './image-decoder.ts';
import { ImageError } from './image-error.ts';

const LIMITS = { cpuSeconds: 60, memoryBytes: 2 * 1024 ** 3, outputBytes: 16 * 1024 ** 2, wallMs: 60_000 };

const isInstalled = (...names: readonly string[]) => names.some((name) => findExecutable(name, DEFAULT_PATH) !== null);

/** Whether this machine reads HEIC images, and whether it can also write them for tests. */
export const READS_HEIC = isInstalled('heif-dec', 'heif-convert');
export const WRITES_HEIC = READS_HEIC && isInstalled('heif-enc');

/** A HEIC image of the JPEGs at `paths`, with their EXIF data and colour profiles. */
export async function heicOf(
  runner: Pick<Runner, 'runProgram' | 'prepareWorkDir'>,
  clips: Pick<Clips, 'fresh'>,
  paths: readonly string[],
): Promise<Buffer> {
  const cwd = clips.fresh('heic');
  await runner.prepareWorkDir(cwd);
  const args = ['-q', '90', ...paths.map((_, index) => inputArg(index)), '-o', 'image.heic'];
  await runner.runProgram('heif-enc', args, { cwd, inputs: paths, limits: LIMITS });
  return readFile(join(cwd, 'image.heic'));
}

/** Decodes copies of an image with changed bytes: each is read, or refused as damaged or as too large. */
export async function tryChangedHeic(
  decoder: Pick<ImageDecoder, 'convert'>,
  clips: Pick<Clips, 'write'>,
  heic: Buffer,
  count: number,
): Promise<void> {
  const reasons = new Set<string>();
  for (const copy of changedCopies(heic, count, { spared: 8, changed: 2 })) {
    const path = await clips.write('image', copy);
    const plan = { outputs: [{ format: 'RGB', width: 8, height: 6 }], width: 8, height: 6 } as const;
    const outcome = await decoder.convert({ path, format: 'heic' }, () => plan).catch((error: unknown) => error);
    reasons.add(Array.isArray(outcome) ? 'decoded' : outcome instanceof ImageError ? outcome.reason : `${outcome}`);
  }
  for (const reason of reasons)
    assert.ok(['decoded', 'damaged', 'pixel-limit', 'timeout'].includes(reason), [...reasons].join(' '));
  assert.ok(reasons.has('damaged'));
}
