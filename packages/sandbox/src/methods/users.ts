import { randomInt } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { RunError } from '../core/run-error.ts';
import { SANDBOX_UIDS } from '../core/sandbox.ts';

/** A user that is exclusive to a run on this machine. */
export interface TakenUser {
  readonly uid: number;
  release(): void;
}

/** Root alone may write to the first two; the last is for containers whose file system is read-only. */
const PARENTS = ['/run', '/var/lib', tmpdir()];
const FOLDER_NAME = 'reelgraph-sandbox-users';

/**
 * Acquires one of SANDBOX_UIDS for a run, so that its process limit counts no other run. Each user is a file in a
 * folder of root's, that no other local user can enter and so keep users from the caller. It is taken while it is
 * locked, which the kernel ends when the process dies; SQLite is how Node locks files. Starts at a random one:
 * containers do not see each other's files.
 * @throws RunError `busy` when all are taken.
 */
export function takeUser(folder = lockFolder()): TakenUser {
  const { first, count } = SANDBOX_UIDS;
  const start = randomInt(count);
  let problem = '';
  for (let step = 0; step < count; step++) {
    const uid = first + ((start + step) % count);
    try {
      return { uid, release: lockFile(join(folder, `${uid}`)) };
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  throw new RunError('busy', {
    tool: 'sandbox',
    stderrTail: `No sandbox user is free for another program: ${problem}`,
  });
}

/** Files that are locked: one that nothing refers to would be closed by the garbage collector. */
const locked = new Set<DatabaseSync>();

/** Returns what unlocks it. The file stays empty. */
function lockFile(path: string): () => void {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('begin exclusive');
    locked.add(file);
    return () => {
      if (locked.delete(file)) file.close();
    };
  } catch (error) {
    file.close();
    throw error;
  }
}

let found: string | undefined;

function lockFolder(): string {
  found ??= PARENTS.map((parent) => join(parent, FOLDER_NAME)).find(isOwnFolder);
  if (found !== undefined) return found;
  throw new RunError('busy', { tool: 'sandbox', stderrTail: `No folder for locks in ${PARENTS.join(', ')}` });
}

/** Whether it is, or could be made, a folder that only the caller's user may enter. */
export function isOwnFolder(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const status = lstatSync(path);
    if (!status.isDirectory() || status.uid !== process.getuid?.()) return false;
    chmodSync(path, 0o700);
    return true;
  } catch {
    return false;
  }
}
