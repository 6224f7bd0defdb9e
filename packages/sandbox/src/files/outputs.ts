import { randomUUID } from 'node:crypto';
import { chmodSync, lchownSync, lstatSync, readdirSync, renameSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SANDBOX_GID } from '../core/sandbox.ts';
import { MAX_DEPTH, textName } from './entries.ts';
import { removeTree } from './remove-tree.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Number of entries processed between yields to the event loop. */
const BATCH = 500;

/** Makes `path` (and folders below it, given by relative names) a private folder of the caller. */
export async function makeWorkDir(path: string, subfolders: readonly string[]): Promise<void> {
  for (const folder of [path, ...subfolders.map((name) => join(path, name))]) {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
    // A folder from an earlier run may contain anything, including a link in place of a folder.
    if (!(await lstat(folder)).isDirectory()) throw new Error(`Not a folder: ${folder}`);
    chmodSync(folder, FOLDER_MODE);
  }
}

/** Makes one of SANDBOX_UIDS the owner of a work folder and everything in it. For callers that run as root. */
export async function lendFolder(folder: string, uid: number): Promise<void> {
  for await (const { path } of entriesOf(folder, () => {})) lchownSync(path, uid, SANDBOX_GID);
}

/**
 * Makes the caller the owner of a sandboxed process's output, once the process has ended: folders 0700, files 0600.
 * Whatever is neither a folder nor a plain file with one name (a link, a device, a second name of a file elsewhere) is
 * removed, and so are names that are not UTF-8 and folders more than MAX_DEPTH levels down. Each folder changes its
 * owner before it is listed, so that no other process can change it afterwards.
 * @returns Paths of what was removed, relative to the folder.
 */
export async function adoptFolder(folder: string): Promise<string[]> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const removed: string[] = [];
  const discarded: string[] = [];
  /** Moves an entry up to a short name, where it can be removed whatever its name and content. */
  const discard = (path: string | Buffer) => {
    removed.push(path.toString().slice(folder.length + 1));
    const moved = join(folder, `.discarded-${randomUUID()}`);
    // Moving a folder requires write permission on it.
    if (lstatSync(path).isDirectory()) chmodSync(path, FOLDER_MODE);
    renameSync(path, moved);
    discarded.push(moved);
  };
  for await (const { path, depth } of entriesOf(folder, discard)) {
    const status = lstatSync(path);
    if (
      (status.isDirectory() && depth > MAX_DEPTH) ||
      (!status.isDirectory() && !(status.isFile() && status.nlink === 1))
    ) {
      discard(path);
      continue;
    }
    const mode = status.isDirectory() ? FOLDER_MODE : FILE_MODE;
    if (status.uid !== uid || status.gid !== gid) lchownSync(path, uid, gid);
    if ((status.mode & 0o7777) !== mode) chmodSync(path, mode);
  }
  for (const path of discarded) await removeTree(path);
  return removed;
}

/**
 * The folder and everything below it that has a name in UTF-8; other paths are passed to `onUnnamed`. A folder comes
 * before its content, and is listed only when the next entry is requested.
 */
async function* entriesOf(
  folder: string,
  onUnnamed: (path: Buffer) => void,
): AsyncGenerator<{ path: string; depth: number }> {
  const waiting = [{ path: folder, depth: 0 }];
  let seen = 0;
  for (let entry = waiting.pop(); entry !== undefined; entry = waiting.pop()) {
    yield entry;
    seen += 1;
    if (seen % BATCH === 0) await nextTurn();
    const { path, depth } = entry;
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) continue;
    for (const name of readdirSync(path, { encoding: 'buffer' })) {
      const text = textName(name);
      if (text === null) onUnnamed(Buffer.concat([Buffer.from(`${path}/`), name]));
      else waiting.push({ path: join(path, text), depth: depth + 1 });
    }
  }
}
