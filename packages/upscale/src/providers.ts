import { existsSync, lstatSync } from 'node:fs';

/** The execution providers of ONNX Runtime on Linux: what computes a model. All but the first take a GPU. */
export const PROVIDERS = ['cpu', 'cuda', 'tensorrt', 'webgpu'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** What of the host a program with a GPU uses. */
export interface GpuFiles {
  /** Below /dev. */
  readonly devices: readonly string[];
  /** Libraries: files and folders. */
  readonly readOnly: readonly string[];
}

export const NO_GPU: GpuFiles = { devices: [], readOnly: [] };

/** Which of these paths are devices, and which are files; those that are missing are left out. */
export function gpuFiles(paths: readonly string[]): GpuFiles {
  const found = paths.filter((path) => existsSync(path));
  const isDevice = (path: string) => /^\/dev\/./.test(path) && !lstatSync(path).isFile();
  return { devices: found.filter(isDevice), readOnly: found.filter((path) => !/^\/dev(\/|$)/.test(path)) };
}
