import { closeSync, openSync } from 'node:fs';
import { spawnProgram } from '@reelgraph/sandbox/spawn';

/**
 * Locks a file, which is created if missing, with flock(2), and returns its descriptor; null while somebody else holds
 * it. The lock is held until the descriptor is closed, also in programs that get it, at the latest when they end.
 * Unlike process ids it is seen by other containers that share the folder. Where there is no program `flock`
 * (util-linux), nothing is locked.
 */
export async function holdFile(path: string): Promise<number | null> {
  const descriptor = openSync(path, 'a', 0o600);
  const { promise: ended, resolve: end } = Promise.withResolvers<boolean>();
  // A lock belongs to the open file, which the program shares with this process.
  const flock = spawnProgram('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] });
  flock.once('error', () => end(true)).once('close', (code) => end(code === 0));
  if (await ended) return descriptor;
  closeSync(descriptor);
  return null;
}
