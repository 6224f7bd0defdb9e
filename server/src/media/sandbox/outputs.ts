import { chmodSync, lchownSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SANDBOX_GID } from './sandbox.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** So many entries are looked at before others on this thread have their turn. */
const BATCH = 500;

/** Makes `path` (and folders below it, given by relative names) a folder of the platform that nobody else may enter. */
export async function makeWorkDir(path: string, subfolders: readonly string[]): Promise<void> {
  for (const folder of [path, ...subfolders.map((name) => join(path, name))]) {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    // A folder left over from an earlier run may hold anything, a link in place of a folder included.
    if (!(await lstat(folder)).isDirectory()) throw new Error(`Not a folder: ${folder}`);
    chmodSync(folder, FOLDER_MODE);
  }
}

/** Makes one of SANDBOX_UIDS the owner of a work folder and everything in it. For platforms that run as root. */
export async function lendFolder(folder: string, uid: number): Promise<void> {
  for await (const path of entriesOf(folder)) lchownSync(path, uid, SANDBOX_GID);
}

/**
 * Makes the platform the owner of what a sandboxed process left in its work folder, once the process is gone: folders 0700, files 0600. Whatever is
 * neither a folder nor a plain file with one name (a link, a device, a second name of a file elsewhere) is removed.
 * Each folder is taken over before it is listed, so that nobody else can change what was looked at.
 * @returns Paths of what was removed, relative to the folder.
 */
export async function adoptFolder(folder: string): Promise<string[]> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const removed: string[] = [];
  for await (const path of entriesOf(folder)) {
    const status = lstatSync(path);
    if (!status.isDirectory() && !(status.isFile() && status.nlink === 1)) {
      rmSync(path, { force: true });
      removed.push(path.slice(folder.length + 1));
      continue;
    }
    const mode = status.isDirectory() ? FOLDER_MODE : FILE_MODE;
    if (status.uid !== uid || status.gid !== gid) lchownSync(path, uid, gid);
    if ((status.mode & 0o7777) !== mode) chmodSync(path, mode);
  }
  return removed;
}

/** The folder and everything below it; a folder comes before what it holds, and is listed only when the next entry is asked for. */
async function* entriesOf(folder: string): AsyncGenerator<string> {
  const waiting = [folder];
  let seen = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    yield path;
    seen += 1;
    if (seen % BATCH === 0) await nextTurn();
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) continue;
    for (const name of readdirSync(path)) waiting.push(join(path, name));
  }
}
