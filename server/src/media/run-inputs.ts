import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { chown, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Isolation, SANDBOX_UID } from './isolation.ts';

/** Input files of a run, opened. `close` also removes copies that had to be made. */
export interface OpenInputs {
  readonly descriptors: readonly number[];
  close(): Promise<void>;
}

/**
 * Opens the inputs here, with the platform's rights, so that the tool needs none on the folders above them: it inherits the
 * descriptors. Reopening one still checks the file's own mode, so a file that only its owner may read is cloned first (free
 * where the file system can) to a folder that no sandboxed process can enter, and so cannot have prepared.
 * @throws the file system's error when a file cannot be opened; Error when it is not a regular file.
 */
export async function openInputs(isolation: Isolation, paths: readonly string[], workDir: string | undefined): Promise<OpenInputs> {
  const descriptors: number[] = [];
  const copies: string[] = [];
  const close = async () => {
    for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
    await Promise.all(copies.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  };
  try {
    for (const path of paths) {
      const descriptor = openSync(path, constants.O_RDONLY);
      descriptors.push(descriptor);
      const status = fstatSync(descriptor);
      if (!status.isFile()) throw new Error(`Not a regular file: ${basename(path)}`);
      if (isolation.user === 'same' || (status.mode & 0o004) !== 0) continue;
      const folder = await mkdtemp(join(workDir === undefined ? tmpdir() : dirname(workDir), '.input-'));
      copies.push(folder);
      const copy = join(folder, 'input');
      await copyFile(path, copy, constants.COPYFILE_FICLONE);
      await chown(copy, SANDBOX_UID, SANDBOX_UID);
      descriptors[descriptors.indexOf(descriptor)] = openSync(copy, constants.O_RDONLY);
      closeSync(descriptor);
    }
    return { descriptors, close };
  } catch (error) {
    await close();
    throw error;
  }
}
