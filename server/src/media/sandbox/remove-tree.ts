import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { DEFAULT_PATH } from './executables.ts';

const run = promisify(execFile);

/**
 * Removes a file or folder and everything below it. Node names what it removes by its whole path, which the kernel
 * takes up to 4,096 bytes and in UTF-8 only; the tools of the host go from folder to folder, and remove what is deeper.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    const options = { env: { PATH: DEFAULT_PATH } };
    // A folder that its owner may not enter; irrelevant for root.
    await run('chmod', ['-R', 'u+rwx', '--', path], options).catch(() => {});
    await run('rm', ['-rf', '--', path], options);
  }
}
