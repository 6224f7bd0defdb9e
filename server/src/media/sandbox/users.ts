import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { RunError } from '../run-error.ts';
import { SANDBOX_UIDS } from './sandbox.ts';

/** A user that is exclusive to a run on this machine. */
export interface TakenUser {
  readonly uid: number;
  release(): void;
}

/**
 * Acquires one of SANDBOX_UIDS for a run, so that its process limit counts no other run. Acquired users are abstract
 * sockets (unix(7)), visible to all processes of the machine, which the kernel releases when their process dies. Starts
 * at a random one: containers with separate network namespaces do not see each other's sockets.
 * @throws RunError `busy` when all are taken.
 */
export async function takeUser(name = 'reelgraph-sandbox-user'): Promise<TakenUser> {
  const { first, count } = SANDBOX_UIDS;
  const start = randomInt(count);
  let problem = '';
  for (let step = 0; step < count; step++) {
    const uid = first + ((start + step) % count);
    const server = createServer((socket) => socket.destroy()).unref();
    try {
      server.listen(`\0${name}-${uid}`);
      await once(server, 'listening');
      return { uid, release: () => server.close() };
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error);
    }
  }
  throw new RunError('busy', {
    tool: 'sandbox',
    stderrTail: `No sandbox user is free for another program: ${problem}`,
  });
}
