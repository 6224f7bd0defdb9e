import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One platform process owns a data folder with its database. The lock names the owner; one left behind by a killed
 * process is taken over. Throws when the owner lives.
 */
export function lockDataFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, 'platform.pid');
  const owner = lockOwner(dataDir);
  if (owner !== null && owner !== process.pid) {
    throw new Error(
      `Another Reelgraph (process ${owner}) is using ${dataDir}: stop it, or set DATA_DIR to another folder.`,
    );
  }
  writeFileSync(file, `${process.pid}\n${startTicks(process.pid)}\n`);
  return () => rmSync(file, { force: true });
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
