import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files of this process are private to its user by default. */
const UMASK = 0o077;
/** Others may traverse but not list it: PostgreSQL runs as another user when the platform runs as root. */
const PASSABLE = 0o711;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const PERMISSION_BITS = 0o777;

/** Folders below DATA_DIR, with their modes. */
const FOLDERS = { objects: PRIVATE_FOLDER, live: PRIVATE_FOLDER, tmp: PRIVATE_FOLDER, postgres: PASSABLE } as const;
/** Files that hold secrets. `postgres/data` is PostgreSQL's own, which insists on 0700 itself. */
const FILES = [
  'secret-key',
  'demo.json',
  'operator-code',
  'platform.pid',
  'platform.lock',
  'postgres/lock',
  'postgres/password',
  'postgres/postgres.log',
];

/**
 * Creates DATA_DIR, sets the umask of this process, and corrects the permissions of an existing installation: folders
 * 0700, files 0600, DATA_DIR itself and PostgreSQL's home 0711. Objects of earlier versions are corrected once, deepest
 * folder first, so that a folder of mode 0700 is known to be done. Files of another user are unchanged and reported to
 * `warn` with their path.
 */
export function prepareDataFolder(dataDir: string, warn: (path: string, error: Error) => void): void {
  mkdirSync(dataDir, { recursive: true });
  process.umask(UMASK);
  const set = (path: string, mode: number): void => setMode(path, mode, warn);
  set(dataDir, PASSABLE);
  for (const name of FILES) set(join(dataDir, name), PRIVATE_FILE);
  makePrivate(join(dataDir, 'objects'), set);
  for (const [name, mode] of Object.entries(FOLDERS)) set(join(dataDir, name), mode);
}

/** Sets the mode of everything below `folder`, then of the folder itself; links are neither followed nor changed. */
function makePrivate(folder: string, set: (path: string, mode: number) => void): void {
  if (!existsSync(folder) || modeOf(folder) === PRIVATE_FOLDER) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makePrivate(path, set);
    else if (entry.isFile()) set(path, PRIVATE_FILE);
  }
  set(folder, PRIVATE_FOLDER);
}

function setMode(path: string, mode: number, warn: (path: string, error: Error) => void): void {
  try {
    if (modeOf(path) !== mode) chmodSync(path, mode);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Not created yet, or removed concurrently.
    if ('code' in error && error.code === 'ENOENT') return;
    warn(path, error);
  }
}

function modeOf(path: string): number {
  const stats = lstatSync(path);
  // A folder that the operator linked to another disk.
  return (stats.isSymbolicLink() ? statSync(path) : stats).mode & PERMISSION_BITS;
}
