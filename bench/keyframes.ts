import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { encodeChunk } from '../server/src/media/encode/encode-chunk.ts';
import { createRunner, type EncodePlan, inspectFile, planEncode, type Runner } from '../server/src/media/index.ts';
import { table } from './results.ts';

const HELP = 'npm run bench:keyframes -- FILE…';

/**
 * What a keyframe every two seconds costs in bits: each size of the files, encoded with it and with only those with
 * which segments of four seconds begin.
 */
export async function run(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true });
  if (positionals.length === 0 || !positionals.every((file) => existsSync(file))) {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'reelgraph-bench-'));
  try {
    const runner = await createRunner();
    for (const file of positionals) await measure(runner, folder, file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(runner: Runner, folder: string, file: string): Promise<void> {
  const inspection = await inspectFile(runner, file);
  if (!inspection.ok) throw new Error(String(inspection.message));
  const plan = planEncode(inspection.facts);
  const { keyframes: _, ...timeline } = plan.timeline;
  const more = await bytesOfSizes(runner, folder, file, plan);
  const fewer = await bytesOfSizes(runner, folder, file, { ...plan, timeline });
  const rows = [...more].map(([size, bytes]) => {
    const before = fewer.get(size) ?? Number.NaN;
    return [size, `${before}`, `${bytes}`, `${(100 * (bytes / before - 1)).toFixed(1)} %`];
  });
  console.log(table([[basename(file), 'bytes, every 4 s', 'every 2 s', 'more'], ...rows]));
  console.log();
}

async function bytesOfSizes(
  runner: Runner,
  folder: string,
  inputPath: string,
  plan: EncodePlan,
): Promise<Map<string, number>> {
  const bytes = new Map<string, number>();
  for (const chunk of plan.chunks) {
    if (chunk.kind !== 'video') continue;
    const workDir = await mkdtemp(join(folder, 'chunk-'));
    const { parts } = await encodeChunk(runner, plan, chunk, { inputPath, workDir, write: async () => {} });
    for (const { folder: size, segments } of parts)
      bytes.set(
        size,
        segments.reduce((sum, [, length]) => sum + length, bytes.get(size) ?? 0),
      );
    await rm(workDir, { recursive: true });
  }
  return bytes;
}
