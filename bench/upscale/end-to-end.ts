import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import {
  encodeChunk,
  gateSource,
  inspectFile,
  planEncode,
  planUpscale,
  type Runner,
} from '../../server/src/media/index.ts';

const FRAMES = 100;
const RATE = 25;
/** Of a rendition with these segments: 4 s at 25 frames per second. */
const BESIDE = { timescale: 12_800, durations: [51_200] };

/**
 * CPU time in milliseconds for a frame of a video of 480p that is upscaled to 960p: gate, decoding, network, encoding
 * and verification. Detailed, so that the gate asks for the network in all frames.
 */
export async function measureEndToEnd(runner: Runner, folder: string): Promise<number> {
  const inputPath = join(folder, 'clip.mp4');
  const clip = ['-f', 'lavfi', '-i', `testsrc2=s=854x480:r=${RATE}:d=${FRAMES / RATE}`, '-vf', 'noise=alls=4'];
  const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p'];
  execFileSync('ffmpeg', ['-v', 'error', ...clip, ...h264, '-y', inputPath]);
  const inspection = await inspectFile(runner, inputPath);
  if (!inspection.ok) throw new Error(String(inspection.message));
  const upscale = { target: 960, model: 'compressed', factor: 2, scenes: [] } as const;
  const first = planUpscale(planEncode(inspection.facts), upscale, BESIDE);
  if (!first) throw new Error('The clip cannot be upscaled.');
  const { signal } = new AbortController();
  const { counting, spentMs } = countCpu(runner);
  const gated = await gateSource(counting, first, { inputPath, workDir: join(folder, 'gate'), signal });
  const plan = { ...first, upscale: { ...upscale, ...gated } };
  for (const chunk of plan.chunks)
    await encodeChunk(counting, plan, chunk, { inputPath, workDir: join(folder, 'chunk'), write: async () => {} });
  return spentMs() / FRAMES;
}

/** A runner that adds up the CPU time of what it runs. */
function countCpu(runner: Runner): { counting: Runner; spentMs: () => number } {
  let sum = 0;
  const counting: Runner = {
    ...runner,
    async run(tool, args, options) {
      const result = await runner.run(tool, args, options);
      sum += result.cpuMs;
      return result;
    },
    async runPiped(commands, options) {
      const results = await runner.runPiped(commands, options);
      for (const { cpuMs } of results) sum += cpuMs;
      return results;
    },
  };
  return { counting, spentMs: () => sum };
}
