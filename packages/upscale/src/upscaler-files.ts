import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativeAddons, packagesOf } from '@reelgraph/sandbox';
import type { GpuFiles } from './providers.ts';
import { UpscaleError } from './upscale-error.ts';

/** The program that runs models. */
export const UPSCALER_PROGRAM = fileURLToPath(new URL('./upscaler-program.mjs', import.meta.url));
const SHARED = ['./model-session.mjs', './tiles.mjs'].map((name) => fileURLToPath(new URL(name, import.meta.url)));
const RUNTIME = 'onnxruntime-node';

/** Whether models can be run: the runtime is an optional dependency. */
export function isUpscalerInstalled(): boolean {
  return packagesOf(RUNTIME, dirname(UPSCALER_PROGRAM)).length > 0;
}

/** Libraries of ONNX Runtime for GPUs; its package leaves them out. */
const PROVIDER_LIBRARY = /^libonnxruntime_providers_.*\.so$/;

/**
 * The runtime, with all packages that it needs, and its native code; with `gpu`, also what it uses of a GPU.
 * @throws UpscaleError `not-installed`
 */
export function runtimeFiles(gpu: GpuFiles | null): string[] {
  const packages = packagesOf(RUNTIME, dirname(UPSCALER_PROGRAM));
  const [runtime] = packages;
  if (runtime === undefined) throw new UpscaleError('not-installed');
  const folder = join(runtime, 'bin/napi-v6', process.platform, process.arch);
  const files = [...packages, ...nativeAddons(folder)].filter((path) => existsSync(path));
  if (gpu === null) return files;
  const libraries = readdirSync(folder).filter((name) => PROVIDER_LIBRARY.test(name));
  return [...files, ...libraries.map((name) => join(folder, name)), ...gpu.readOnly];
}

/**
 * Everything of the host that the program reads besides Node.
 * @throws UpscaleError `not-installed`
 */
export function upscalerFiles(gpu: GpuFiles | null): string[] {
  return [UPSCALER_PROGRAM, ...SHARED, ...runtimeFiles(gpu)];
}
