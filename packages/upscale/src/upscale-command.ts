import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GpuFiles } from './providers.ts';
import type { UpscaleSettings } from './upscale-program.ts';
import { GPU_MEMORY_BYTES } from './upscaler.ts';
import { runtimeFiles } from './upscaler-files.ts';

const MEMORY_BYTES = 3 * 1024 ** 3;

/** How the program for raw frames is run in the sandbox: see `ProgramOptions` there. */
export interface UpscaleCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly readOnly: readonly string[];
  readonly devices: readonly string[];
  readonly memoryBytes: number;
}

/**
 * The program that reads raw frames (4:2:0, 8 bits) from standard input. `enlarge` writes an enlarged frame for each to
 * standard output, `measure` a line of JSON: what the gate decides (`Gated`). `gpu` null: on the CPU.
 * @throws UpscaleError `not-installed`
 */
export function upscaleCommand(
  command: 'enlarge' | 'measure',
  settings: UpscaleSettings,
  gpu: GpuFiles | null,
): UpscaleCommand {
  const path = fileURLToPath(import.meta.resolve('@reelgraph/upscale/program'));
  return {
    program: process.execPath,
    args: [path, command, JSON.stringify(settings)],
    readOnly: [dirname(path), ...runtimeFiles(gpu), ...settings.models.map((model) => model.path)],
    devices: gpu?.devices ?? [],
    memoryBytes: gpu ? GPU_MEMORY_BYTES : MEMORY_BYTES,
  };
}
