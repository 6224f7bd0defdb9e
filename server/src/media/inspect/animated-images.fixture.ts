import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import sharp from 'sharp';
import { AppError } from '../../kernel/errors.ts';
import type { Clips } from '../clips.fixture.ts';
import { changedCopies } from '../images/changed-bytes.fixture.ts';
import { decodableFile } from '../images/decodable-file.ts';
import type { Runner } from '../runner.ts';
import { inspectFile } from './inspect-file.ts';

type Format = 'gif' | 'webp';

/** Noise, so that a change of any byte matters. */
export async function animation(format: Format, frames: number): Promise<Buffer> {
  let state = 7;
  const noise = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state >> 16;
  };
  const pixels = Buffer.from(Array.from({ length: frames * 24 * 16 * 3 }, noise));
  const raw = { width: 24, height: 16 * frames, channels: 3, pageHeight: 16 } as const;
  const timing = { delay: Array.from({ length: frames }, () => 40) };
  const image = sharp(pixels, frames > 1 ? { raw } : { raw: { width: 24, height: 16, channels: 3 } });
  return (format === 'gif' ? image.gif(timing) : image.webp({ ...timing, lossless: true })).toBuffer();
}

/** Inspects and converts copies of an animation with changed bytes: each is read, or refused as damaged. */
export async function tryChangedAnimations(runner: Runner, clips: Clips, format: Format, count: number): Promise<void> {
  for (const copy of changedCopies(await animation(format, 4), count, { spared: 6, changed: 3 })) {
    const path = await clips.write('a', copy);
    const inspection = await inspectFile(runner, path);
    if (!inspection.ok) continue;
    assert.ok((inspection.facts.durationMs ?? 0) > 0);
    const workDir = clips.fresh('source');
    const outcome = await decodableFile(runner, path, { workDir }).catch((error: unknown) => error);
    if (typeof outcome === 'string') assert.ok((await stat(outcome)).size > 0);
    else assert.ok(outcome instanceof AppError && outcome.code === 'TRANSCODE_FAILED', String(outcome));
  }
}
