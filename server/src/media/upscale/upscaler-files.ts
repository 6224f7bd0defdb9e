import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativeAddons, packagesOf } from '../sandbox/package-files.ts';
import { UpscaleError } from './upscale-error.ts';

/** The program that runs models. */
export const UPSCALER_PROGRAM = fileURLToPath(new URL('./upscaler-program.mjs', import.meta.url));
const SHARED = ['./model-session.mjs', './tiles.mjs'].map((name) => fileURLToPath(new URL(name, import.meta.url)));
const RUNTIME = 'onnxruntime-node';

/** Whether models can be run: the runtime is an optional dependency. */
export function isUpscalerInstalled(): boolean {
  return packagesOf(RUNTIME, dirname(UPSCALER_PROGRAM)).length > 0;
}

/**
 * The runtime, with all packages that it needs, and its native code.
 * @throws UpscaleError `not-installed`
 */
export function runtimeFiles(): string[] {
  const packages = packagesOf(RUNTIME, dirname(UPSCALER_PROGRAM));
  const [runtime] = packages;
  if (runtime === undefined) throw new UpscaleError('not-installed');
  const addons = nativeAddons(join(runtime, 'bin/napi-v6', process.platform, process.arch));
  return [...packages, ...addons].filter((path) => existsSync(path));
}

/**
 * Everything of the host that the program reads besides Node.
 * @throws UpscaleError `not-installed`
 */
export function upscalerFiles(): string[] {
  return [UPSCALER_PROGRAM, ...SHARED, ...runtimeFiles()];
}
