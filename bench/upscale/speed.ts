import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { treeCpuMs } from '../../packages/sandbox/src/run/watch.ts';
import { openUpscaler, type Runner, UPSCALE_MODELS, type Upscaler } from '../../server/src/media/index.ts';
import { referenceModel } from '../../server/src/media/testing.ts';
import { median, table } from '../results.ts';
import { measureEndToEnd } from './end-to-end.ts';

const SPEED = { width: 854, height: 480, rounds: 7, frames: 5 };

/**
 * CPU time of a frame of 480p, with the transfer: medians of rounds in which the models alternate; and of a video from
 * the gate to the encoded segments.
 */
export async function measureSpeed(runner: Runner): Promise<void> {
  const { width, height, rounds, frames } = SPEED;
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  const reference = join(folder, 'reference.onnx');
  await writeFile(reference, referenceModel());
  const upscalers: { name: string; upscaler: Upscaler; cpuMs: number[] }[] = [];
  try {
    for (const [name, path] of Object.entries({ reference, ...UPSCALE_MODELS }))
      upscalers.push({ name, upscaler: await openUpscaler(runner, path), cpuMs: [] });
    const pixels = grainyPicture(width, height);
    for (let round = 0; round <= rounds; round += 1)
      for (const { upscaler, cpuMs } of upscalers) {
        const before = treeCpuMs(process.pid) ?? 0;
        for (let frame = 0; frame < frames; frame += 1) await upscaler.enlarge({ width, height, pixels });
        const spentMs = (treeCpuMs(process.pid) ?? 0) - before;
        if (round > 0) cpuMs.push(spentMs / frames); // The first one is for warming up.
      }
    const base = median(upscalers[0]?.cpuMs ?? []);
    const rows = upscalers.map(({ name, cpuMs }) => {
      const ms = median(cpuMs);
      return [name, ms.toFixed(0), (ms / base).toFixed(2)];
    });
    const whole = await measureEndToEnd(runner, folder);
    rows.push(['end to end', whole.toFixed(0), (whole / base).toFixed(2)]);
    console.log(table([[`${width}x${height} to ${2 * width}x${2 * height}`, 'CPU-ms', 'ratio'], ...rows]));
  } finally {
    for (const { upscaler } of upscalers) await upscaler.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Shades with grain: PReLU takes less time where its sign is easy to predict. */
function grainyPicture(width: number, height: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: width * height }, (_, at) => {
    state = (state * 48_271) % 2_147_483_647;
    return 60 + 100 * ((at % width) / width) + (state % 40);
  });
}
