import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nativeAddons, packagesOf } from '@reelgraph/sandbox';

/** The program that decodes images. */
export const DECODER_PROGRAM = fileURLToPath(new URL('./decoder-program.mjs', import.meta.url));
/** The program that converts animated images. */
export const ANIMATION_PROGRAM = fileURLToPath(new URL('./animation-program.mjs', import.meta.url));

/** Files that sharp reads to detect the C library. */
const LIBC_SCRIPT = '/usr/bin/ldd';

/**
 * Everything of the host that both programs read besides Node: themselves, and sharp with the packages it depends on.
 * Native modules are named too, so that the sandbox finds their shared libraries.
 */
export function decoderFiles(): string[] {
  const packages = packagesOf('sharp', dirname(DECODER_PROGRAM));
  const addons = packages.flatMap((folder) => nativeAddons(join(folder, 'lib')));
  return [DECODER_PROGRAM, ANIMATION_PROGRAM, ...packages, ...addons, LIBC_SCRIPT].filter((path) => existsSync(path));
}
