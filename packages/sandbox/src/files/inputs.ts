import { constants, fchmodSync, fchownSync, fstatSync } from 'node:fs';
import { chown, copyFile, type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { SANDBOX_GID } from '../core/sandbox.ts';

/** Input files of a run, opened. */
export interface OpenInputs {
  /** Absolute paths to mount. */
  readonly paths: readonly string[];
  readonly descriptors: readonly number[];
  /** Whether another process revoked a needed permission: a read failure is then not caused by the file. */
  revoked(): boolean;
  /** Revokes granted permissions, and removes copies. */
  close(): Promise<void>;
}

const GROUP_READ = 0o040;
const OTHERS_READ = 0o004;

/** Files with a granted read permission: number of runs that need it, and previous owner and mode. */
const granted = new Map<string, { runs: number; readonly gid: number; readonly mode: number }>();

/**
 * Opens the inputs with the caller's rights and makes sure that the sandboxed user can read them, for the kernel asks
 * the file's own mode whatever the mount says: where that is another user than the caller (`uid`), a private file is
 * readable by that user's group as long as a run needs it. No other sandboxed process can reach it, for it is mounted
 * only where it is an input. A file whose mode cannot be changed is copied.
 * @throws the file system's error when a file cannot be opened; Error when it is not a regular file.
 */
export async function openInputs(
  paths: readonly string[],
  options: { uid: number | null; workDir: string | null },
): Promise<OpenInputs> {
  const files: { path: string; handle: FileHandle }[] = [];
  const grants: number[] = [];
  const copies: string[] = [];
  const close = async () => {
    for (const descriptor of grants.splice(0)) revokeRead(descriptor);
    for (const { handle } of files.splice(0)) await handle.close();
    for (const folder of copies.splice(0)) await rm(folder, { recursive: true, force: true });
  };
  try {
    for (const given of paths) {
      const file = { path: resolve(given), handle: await open(given, constants.O_RDONLY) };
      files.push(file);
      const { mode } = await regularFile(file);
      if (options.uid === null || (mode & OTHERS_READ) !== 0) continue;
      if (grantRead(file.handle.fd)) {
        grants.push(file.handle.fd);
        continue;
      }
      const folder = await mkdtemp(join(options.workDir === null ? tmpdir() : dirname(options.workDir), '.input-'));
      copies.push(folder);
      const copy = join(folder, 'input');
      await copyFile(file.path, copy, constants.COPYFILE_FICLONE);
      await chown(copy, options.uid, SANDBOX_GID);
      await file.handle.close();
      Object.assign(file, { path: copy, handle: await open(copy, constants.O_RDONLY) });
    }
    return {
      paths: files.map(({ path }) => path),
      descriptors: files.map(({ handle }) => handle.fd),
      revoked: () => grants.some((descriptor) => (fstatSync(descriptor).mode & GROUP_READ) === 0),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function regularFile({ path, handle }: { path: string; handle: FileHandle }) {
  const status = await handle.stat();
  if (!status.isFile()) throw new Error(`Not a regular file: ${basename(path)}`);
  return status;
}

/** False when the file system does not allow it. */
function grantRead(descriptor: number): boolean {
  const { dev, ino, uid, gid, mode } = fstatSync(descriptor);
  const key = `${dev}:${ino}`;
  const known = granted.get(key);
  try {
    fchownSync(descriptor, uid, SANDBOX_GID);
    fchmodSync(descriptor, (mode & 0o777) | GROUP_READ);
  } catch {
    return false;
  }
  granted.set(key, known === undefined ? { runs: 1, ...rightsBefore(gid, mode) } : { ...known, runs: known.runs + 1 });
  return true;
}

/**
 * A file of the sandbox group was granted by another process, or by one that was killed before revoking: it was private
 * before.
 */
function rightsBefore(gid: number, mode: number): { gid: number; mode: number } {
  return gid === SANDBOX_GID ? { gid: process.getgid?.() ?? 0, mode: 0o600 } : { gid, mode: mode & 0o777 };
}

/** The last run restores the file's group and mode. */
function revokeRead(descriptor: number): void {
  const { dev, ino, uid } = fstatSync(descriptor);
  const key = `${dev}:${ino}`;
  const grant = granted.get(key);
  if (grant === undefined) return;
  if (grant.runs > 1) {
    granted.set(key, { ...grant, runs: grant.runs - 1 });
    return;
  }
  granted.delete(key);
  fchmodSync(descriptor, grant.mode);
  fchownSync(descriptor, uid, grant.gid);
}
