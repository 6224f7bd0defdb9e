import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { librariesOf } from '../sandbox/host-files.ts';

/** The program that decodes pictures. */
export const DECODER_PROGRAM = fileURLToPath(new URL('./decoder-program.mjs', import.meta.url));

/** What sharp looks at to learn which C library the machine has. */
const LIBC_SCRIPT = '/usr/bin/ldd';

/** Everything of the host that the decoder reads besides Node: its program, sharp with the packages it depends on, and the shared libraries of these. */
export async function decoderFiles(): Promise<string[]> {
  const packages = packagesOf('sharp', dirname(DECODER_PROGRAM));
  const addons = packages.flatMap((folder) => nativeAddons(join(folder, 'lib')));
  const libraries = await Promise.all(addons.map(librariesOf));
  return [DECODER_PROGRAM, ...packages, ...libraries.flat(), LIBC_SCRIPT].filter((path) => existsSync(path));
}

/** Folders of a package and of all that it depends on, as Node finds them from `folder`. What is not installed, as packages for other machines, is left out. */
function packagesOf(name: string, folder: string, found = new Set<string>()): string[] {
  const path = findPackage(name, folder);
  if (path === null || found.has(path)) return [...found];
  found.add(path);
  const real = realpathSync(path);
  // Every package has one.
  const manifest = JSON.parse(readFileSync(join(real, 'package.json'), 'utf8')) as Record<string, Record<string, string> | undefined>;
  for (const dependency of Object.keys({ ...manifest['dependencies'], ...manifest['optionalDependencies'] }))
    packagesOf(dependency, real, found);
  return [...found];
}

/** node_modules of the folder, then of those above it (Node.js, "Loading from node_modules folders"). */
function findPackage(name: string, folder: string): string | null {
  const here = join(folder, 'node_modules', name);
  if (existsSync(here)) return here;
  return dirname(folder) === folder ? null : findPackage(name, dirname(folder));
}

function nativeAddons(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => (file.endsWith('.node') ? [join(folder, file)] : []));
}
