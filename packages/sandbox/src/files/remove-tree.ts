import { rm } from 'node:fs/promises';
import { DEFAULT_PATH } from '../core/executables.ts';
import { runProgram } from '../core/spawn-program.ts';

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
    await runProgram('chmod', ['-R', 'u+rwx', '--', path], options).catch(() => {});
    const { code } = await runProgram('rm', ['-rf', '--', path], options);
    if (code !== 0) throw new Error(`Cannot remove ${path}.`);
  }
}
