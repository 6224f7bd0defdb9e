import { closeSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { holdFile } from './db/local/hold-file.ts';

/**
 * One platform process owns a data folder with its database, also among containers that share the folder. platform.pid
 * names the owner; what a killed process left is taken over. Throws when the owner lives.
 */
export async function lockDataFolder(dataDir: string): Promise<() => void> {
  mkdirSync(dataDir, { recursive: true });
  const owner = lockOwner(dataDir);
  const held = owner === null ? await holdFile(join(dataDir, 'platform.lock')) : null;
  if (held === null) {
    const which = owner === null ? 'in another container' : `process ${owner}`;
    throw new Error(`Another Reelgraph (${which}) is using ${dataDir}: stop it, or set DATA_DIR to another folder.`);
  }
  const file = join(dataDir, 'platform.pid');
  writeFileSync(file, `${process.pid}\n${startTicks(process.pid)}\n`);
  return () => {
    rmSync(file, { force: true });
    closeSync(held);
  };
}

/** The living process that owns the folder, or null. Its start time distinguishes it from a reused process id. */
export function lockOwner(dataDir: string): number | null {
  const file = join(dataDir, 'platform.pid');
  if (!existsSync(file)) return null;
  const [pidText = '', ticks = ''] = readFileSync(file, 'utf8').split('\n');
  const pid = Number(pidText);
  if (!Number.isInteger(pid) || pid <= 1) return null;
  try {
    process.kill(pid, 0);
  } catch {
    return null;
  }
  return startTicks(pid) === ticks ? pid : null;
}

/** When the process started, in clock ticks since boot (proc(5), stat field 22); empty where there is no /proc. */
function startTicks(pid: number): string {
  const stat = `/proc/${pid}/stat`;
  if (!existsSync(stat)) return '';
  const afterName = readFileSync(stat, 'utf8').split(') ').pop() ?? '';
  const [state, ...fields] = afterName.split(' ');
  return state === 'Z' ? 'ended' : (fields[18] ?? '');
}
