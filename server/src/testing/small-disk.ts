import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, statfsSync, writeFileSync } from 'node:fs';

/** Makes a folder a file system of its own, of so many MiB. False where it cannot: only root may mount one. */
export function mountSmallDisk(folder: string, mebibytes: number): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=0755`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch {
    return false;
  }
  chmodSync(folder, 0o755);
  return true;
}

/** Lazily: open files, such as the log of PostgreSQL, are closed with their process. */
export function unmountSmallDisk(folder: string): void {
  execFileSync('umount', ['--lazy', folder]);
}

/** Lengthens the file `filler` by what is free on its disk, which is that of `folder`. */
export function fillDisk(folder: string, filler: string): void {
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(filler, Buffer.alloc(bavail * bsize), { flag: 'a' });
  } catch {
    // The platform took the last bytes.
  }
}
