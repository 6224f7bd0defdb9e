import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The process's environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Folder of the configuration: address and key. */
export function configFolder(env: Environment, platform: string = process.platform): string {
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'reelgraph');
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'reelgraph');
  return platform === 'darwin'
    ? join(env.HOME ?? homedir(), 'Library', 'Preferences', 'reelgraph')
    : join(env.HOME ?? homedir(), '.config', 'reelgraph');
}

/** Folder of disposable state: unfinished uploads, positions in the event log. */
export function stateFolder(env: Environment, platform: string = process.platform): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'reelgraph');
  if (env.XDG_STATE_HOME) return join(env.XDG_STATE_HOME, 'reelgraph');
  return platform === 'darwin'
    ? join(env.HOME ?? homedir(), 'Library', 'Caches', 'reelgraph')
    : join(env.HOME ?? homedir(), '.local', 'state', 'reelgraph');
}

/** Reads a file from `writePrivate`; null for a missing or invalid file. */
export async function readPrivate(path: string): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    // Callers check each member.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return null;
    throw error;
  }
}

/** Writes a file that only its owner can read (0600, in a folder of 0700), atomically. */
export async function writePrivate(path: string, value: unknown): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}

/** Removes a file; false if there was none. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await rm(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
