import { mkdir, readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../kernel/ids.ts';
import { removeTree } from '../../media/index.ts';
import type { Logger } from '../../platform/log.ts';

/** Folders in use by this process, across all instances: a sweep must not remove them. */
const inUse = new Set<string>();
const NAME = /^work-(.+)-(\d+)-([0-9a-f]{12})$/;

/** Temporary folders of the worker, below DATA_DIR, so that results can be moved into a local object store. */
export interface WorkFolders {
  /**
   * Runs `work` in a new folder and always removes it. A failure to remove it is logged, and the next sweep retries.
   */
  use<T>(work: (path: string) => Promise<T>): Promise<T>;
  /** Removes leftovers of killed processes of this machine. */
  sweep(): Promise<void>;
}

export function workFolders(dataDir: string, log: Pick<Logger, 'warn'>): WorkFolders {
  const root = join(dataDir, 'tmp');
  const remove = (name: string) =>
    removeTree(join(root, name)).catch((error: unknown) =>
      log.warn({ error, folder: name }, 'work folder not removed'),
    );
  return {
    async use(work) {
      const name = `work-${hostname()}-${process.pid}-${newId().slice(-12)}`;
      const path = join(root, name);
      inUse.add(name);
      try {
        await mkdir(path, { recursive: true, mode: 0o700 });
        return await work(path);
      } finally {
        await remove(name);
        inUse.delete(name);
      }
    },
    async sweep() {
      const names = await readdir(root).catch(() => []);
      for (const name of names) {
        if (isAbandoned(name)) await remove(name);
      }
    },
  };
}

function isAbandoned(name: string): boolean {
  const match = NAME.exec(name);
  if (!match || match[1] !== hostname() || inUse.has(name)) return false;
  const pid = Number(match[2]);
  return pid === process.pid || !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
