import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** The process's environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Folder of what somebody decided: the address and the key. */
export function configFolder(env: Environment, platform: string = process.platform): string {
  if (platform === 'win32') return join(env.APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'reelgraph');
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'reelgraph');
  return platform === 'darwin'
    ? join(env.HOME ?? homedir(), 'Library', 'Preferences', 'reelgraph')
    : join(env.HOME ?? homedir(), '.config', 'reelgraph');
}

/** Folder of what can be lost without harm: uploads that were begun, places in the log. */
export function stateFolder(env: Environment, platform: string = process.platform): string {
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'reelgraph');
  if (env.XDG_STATE_HOME) return join(env.XDG_STATE_HOME, 'reelgraph');
  return platform === 'darwin'
    ? join(env.HOME ?? homedir(), 'Library', 'Caches', 'reelgraph')
    : join(env.HOME ?? homedir(), '.local', 'state', 'reelgraph');
}

/** Reads what `writePrivate` wrote; null where there is nothing, or nothing that can be understood. */
export async function readPrivate(path: string): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const found: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : null; // members are looked at one by one
  } catch (error) {
    if (error instanceof SyntaxError || isMissing(error)) return null;
    throw error;
  }
}

/** Writes a file that only its owner can read (0600, in a folder of 0700), as a whole or not at all. */
export async function writePrivate(path: string, value: unknown): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  await chmod(draft, 0o600);
  await rename(draft, path);
}

/** Removes a file; false where there was none. */
export async function forget(path: string): Promise<boolean> {
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
